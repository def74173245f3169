package dev.ratelimit.integration.routes;

import java.io.IOException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * 10,000 made-up requests, the same ones in every build: none reaches a covered handler
 * undecided, and none is counted twice. {@link RoutesProof} makes up more.
 */
class RouteFuzzTests {

	private static final long SEED = 20261120;

	private static final int REQUESTS = 1_000;

	@ParameterizedTest
	@EnumSource(names = { "DEFAULT", "CASE_INSENSITIVE", "TRAILING_SLASH", "SERVLET_PATH", "CONTEXT_PATH" })
	void aRequestThatReachesACoveredHandlerIsDecidedOnce(AppVariant variant) throws IOException {
		long ran = new RouteFuzz(variant, SEED).run(REQUESTS);
		assertThat(ran).as("requests that reached a handler").isGreaterThan(REQUESTS / 10);
	}

}
