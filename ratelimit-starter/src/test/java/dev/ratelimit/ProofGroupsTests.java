package dev.ratelimit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every proof runs in a group that can be selected, every such group has a proof, and
 * only what was green is noted.
 */
class ProofGroupsTests {

	private static final Pattern GROUPS = Pattern.compile("<proof\\.groups>(.*)</proof\\.groups>");

	private static final Pattern TAG = Pattern.compile("(?m)^@Tag\\(\"proof-([a-z-]+)\"\\)");

	/** The properties of the usual tests, which have no tag. */
	private static final String HISTORIES = "histories";

	private static final Pattern GREEN = Pattern.compile("([a-z-]+),[0-9a-f]{8},20\\d\\d-\\d\\d-\\d\\d");

	@Test
	void theGroupsAreThoseOfTheProofs() throws IOException {
		assertThat(Stream.concat(proofs().map(ProofGroupsTests::group), Stream.of(HISTORIES)).distinct().toList())
			.containsExactlyInAnyOrderElementsOf(groups());
	}

	@Test
	void eachGroupIsNotedAtMostOnceWithTheCommitAndTheDay() throws IOException {
		List<String> rows = Files.readAllLines(Path.of("../docs/proofs.csv"));
		assertThat(rows.get(0)).isEqualTo("group,commit,day");
		List<String> noted = rows.stream()
			.skip(1)
			.map(GREEN::matcher)
			.map((row) -> row.matches() ? row.group(1) : row.toString())
			.toList();
		assertThat(noted).doesNotHaveDuplicates().isSubsetOf(groups());
	}

	private static List<String> groups() throws IOException {
		Matcher groups = GROUPS.matcher(Files.readString(Path.of("../pom.xml")));
		assertThat(groups.find()).isTrue();
		return List.of(groups.group(1).split("\\|", -1));
	}

	private static Stream<Path> proofs() throws IOException {
		try (Stream<Path> files = Files.walk(Path.of(".."))) {
			List<Path> proofs = files.filter((file) -> file.toString().matches(".*/src/test/java/.*Proof\\.java"))
				.toList();
			return proofs.stream();
		}
	}

	private static String group(Path proof) {
		try {
			Matcher tag = TAG.matcher(Files.readString(proof));
			assertThat(tag.find()).as(proof + " has a tag").isTrue();
			return tag.group(1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
