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
 * Every proof runs in a group that can be selected, and every such group has a proof.
 */
class ProofGroupsTests {

	private static final Pattern GROUPS = Pattern.compile("<proof\\.groups>(.*)</proof\\.groups>");

	private static final Pattern TAG = Pattern.compile("@Tag\\(\"proof-([a-z-]+)\"\\)");

	@Test
	void theGroupsAreThoseOfTheProofs() throws IOException {
		Matcher groups = GROUPS.matcher(Files.readString(Path.of("../pom.xml")));
		assertThat(groups.find()).isTrue();
		assertThat(proofs().map(ProofGroupsTests::group).distinct().toList())
			.containsExactlyInAnyOrder(groups.group(1).split("\\|"));
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
