package dev.ratelimit.integration.compatibility;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.AppProcess;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The limiter in a process whose class path lacks everything that is optional.
 */
@Tag("proof-slow")
@ExtendWith(SharedCluster.class)
class OptionalDependenciesProof {

	private static final Pattern OPTIONAL = Pattern.compile(
			"(actuator|boot-health|restclient|http-client|micrometer-(core|jakarta9|metrics)|security|jackson|lettuce|spring-data-|spring-tx|commons-pool2|gson|json-2|webflux|assertj|mockito).*\\.jar$");

	@Test
	void limitsWithoutActuatorMicrometerSecurityJacksonAndSpringData() throws Exception {
		try (AppProcess app = new AppProcess(classPath(),
				List.of("--ratelimit.key-prefix=" + App.newPrefix(), "--ratelimit.deadline=10s",
						"--ratelimit.rules.tiny.paths=/v1/product", "--ratelimit.rules.tiny.thresholds=2/10m",
						"--spring.data.redis.cluster.nodes=" + String.join(",", SharedCluster.addresses())))) {
			app.awaitStart();
			for (int expected : new int[] { 200, 200, 429 }) {
				assertThat(App.send(app.port(), "GET", "/v1/product").statusCode()).isEqualTo(expected);
			}
		}
	}

	@Test
	void aRuleByAClaimStopsTheStartWhereNothingReadsClaims() throws Exception {
		try (AppProcess app = new AppProcess(classPath(),
				List.of("--ratelimit.store=memory", "--ratelimit.rules.tiny.paths=/v1/product",
						"--ratelimit.rules.tiny.thresholds=2/10m", "--ratelimit.rules.tiny.key=claim:sub"))) {
			assertThat(catchThrowable(app::awaitStart)).hasMessageContainingAll("APPLICATION FAILED TO START",
					"ratelimit.rules.tiny.key", "claim:sub", "is not on the class path",
					"Add spring-boot-starter-security-oauth2-resource-server");
		}
	}

	private static String classPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
			.filter((entry) -> !OPTIONAL.matcher(new File(entry).getName()).find())
			.collect(Collectors.joining(File.pathSeparator));
	}

}
