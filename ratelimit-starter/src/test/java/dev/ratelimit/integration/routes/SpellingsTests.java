package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However a path is written, no handler of any kind runs before a rule over what it
 * serves was decided. {@link RoutesProof} covers more applications.
 */
class SpellingsTests {

	private static final Path PAGE = Path.of("../docs/routes.md");

	private static final String HEAD = """
			| what serves it | path | rule | requests | undecided | shown by |
			|---|---|---|---|---|---|
			""";

	@ParameterizedTest
	@EnumSource(names = { "DEFAULT", "BOTH_PATHS" })
	void noHandlerRunsUndecided(AppVariant variant) throws IOException {
		SpellingTable table = new SpellingTable(variant).run();
		System.out.println(table);
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

}
