package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A request that reaches a covered handler has been decided, once, whatever its spelling
 * and however the application is set up: every entry of the corpus, 140,000 made-up
 * requests in several applications, and every spelling of the paths of every kind of
 * handler. {@code -Dproof.seed} repeats a run.
 */
@Tag("proof-routes")
class RoutesProof {

	private static final long SEED = Long.getLong("proof.seed", ThreadLocalRandom.current().nextLong());

	private static final int REQUESTS = 20_000;

	private static final Path PAGE = Path.of("../docs/routes.md");

	private static final String HEAD = """
			| what serves it | path | rule | requests | undecided | shown by |
			|---|---|---|---|---|---|
			""";

	private static final Map<AppVariant, App> APPS = new EnumMap<>(AppVariant.class);

	private static int entries;

	private static int right;

	private static long targets;

	private static long decided;

	private static int applications;

	private static SpellingTable.Row spellings = new SpellingTable.Row(0, 0, 0);

	static Stream<Arguments> corpus() {
		Stream<Arguments> each = Stream.of(AppVariant.values())
			.flatMap((variant) -> CorpusEntry.of(variant).map((entry) -> Arguments.of(variant, entry)));
		Stream<Arguments> secured = CorpusEntry.of(AppVariant.DEFAULT)
			.map((entry) -> Arguments.of(AppVariant.SECURED, entry));
		return Stream.concat(each, secured);
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("corpus")
	void isAnsweredRight(AppVariant variant, CorpusEntry entry) {
		entries++;
		if (entry.expect() == CorpusEntry.Expect.START_REFUSED) {
			Throwable failure = catchThrowable(() -> variant.start("1/1d").close());
			assertThat(NestedExceptionUtils.getMostSpecificCause(failure)).hasMessageContaining(entry.says());
		}
		else {
			new CorpusCheck(APPS.computeIfAbsent(variant, RoutesProof::start), variant == AppVariant.SECURED)
				.check(entry);
		}
		right++;
	}

	private static App start(AppVariant variant) {
		return (variant == AppVariant.FRAMEWORK_FORWARDING) ? variant.startByHeader() : variant.start("1/1d");
	}

	@ParameterizedTest
	@EnumSource(names = { "DEFAULT", "SECURED", "CASE_INSENSITIVE", "TRAILING_SLASH", "HIDDEN_METHOD", "SERVLET_PATH",
			"CONTEXT_PATH" })
	void aRequestThatReachesACoveredHandlerIsDecidedOnce(AppVariant variant) throws IOException {
		decided += new RouteFuzz(variant, SEED).run(REQUESTS);
		targets += REQUESTS;
		applications++;
	}

	@ParameterizedTest
	@EnumSource(names = { "DEFAULT", "CONTEXT_PATH", "SERVLET_PATH", "BOTH_PATHS", "SECURED", "CASE_INSENSITIVE",
			"TRAILING_SLASH", "STATIC_PATH", "DEFAULT_SERVLET", "JETTY" })
	void noHandlerOfAnyKindRunsUndecided(AppVariant variant) throws IOException {
		SpellingTable table = new SpellingTable(variant).run();
		System.out.println(table);
		spellings = spellings.plus(table.total());
		assertThat(table.undecided()).isEmpty();
		assertThat(table.rows()).allSatisfy((kind, row) -> assertThat(row.ran()).as(kind.id()).isPositive());
		if (variant == AppVariant.DEFAULT) {
			isDocumented(table);
		}
	}

	private static void isDocumented(SpellingTable table) throws IOException {
		String page = Files.readString(PAGE);
		String generated = table.rows()
			.entrySet()
			.stream()
			.map((row) -> row.getKey().row(row.getValue()) + "\n")
			.collect(Collectors.joining("", HEAD, "\n"));
		int start = page.indexOf(HEAD);
		String written = page.substring(0, start) + generated + page.substring(page.indexOf("\n\n", start) + 2);
		if (System.getProperty("routes.write") != null) {
			Files.writeString(PAGE, written);
		}
		assertThat(PAGE).as("written anew with -Droutes.write").content().isEqualTo(written);
	}

	@AfterAll
	static void report() {
		APPS.values().forEach(App::close);
		System.out.printf(Locale.ROOT, "P1 route parity, corpus: %d of %d entries answered right%n", right, entries);
		System.out.printf(Locale.ROOT,
				"P1 route parity, made up (seed %d): of %,d targets %,d reached a handler, all decided once; "
						+ "%d of 7 applications held%n",
				SEED, targets, decided, applications);
		System.out.printf(Locale.ROOT,
				"P1 route parity, spellings x handlers: %,d sent, %,d reached a handler, %,d decided, undecided %d%n",
				spellings.sent(), spellings.ran(), spellings.decided(), spellings.ran() - spellings.decided());
	}

}
