package dev.ratelimit.benchmarks;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Which contenders take part.
 */
class SuiteTests {

	@Test
	void contendersWhoseTitleContainsOneOfTheNamesTakePart() {
		assertThat(Suite.cluster().only(List.of("token-bucket", "bucket4j")).peers()).extracting(Peer::title)
			.containsExactly("ratelimit-starter, token-bucket", "bucket4j, Jedis");
	}

	@Test
	void withoutNamesAllContendersTakePart() {
		Suite suite = Suite.cluster();
		assertThat(suite.only(List.of())).isEqualTo(suite);
		assertThat(Options.of("--contenders=").names("contenders", "")).isEmpty();
	}

	@Test
	void anUnknownNameIsRejectedWithTheListOfContenders() {
		assertThatIllegalArgumentException().isThrownBy(() -> Suite.cluster().only(List.of("bukket4j")))
			.withMessageStartingWith("No contender of cluster has one of these in its title: [bukket4j]. There are: [")
			.withMessageContaining("bucket4j, Jedis");
	}

}
