package dev.ratelimit.integration.operations;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A trace shows the call of the store, as a part of the request that made it.
 */
@ExtendWith(SharedCluster.class)
class TracesTests {

	private static final String RULES = """
			ratelimit.deny-cache: 0
			ratelimit.rules:
			  wide: {paths: '/product/*', key: 'header:X-Client', thresholds: 5/1h}
			  narrow: {paths: '/product/*', key: 'header:X-Client', thresholds: 1/1h}
			""";

	@Test
	void callsOfRedisAreChildrenOfTheRequest() {
		try (App app = App.start(SharedCluster.yaml() + RULES, Setup.class)) {
			app.get("/product/1", "X-Client", "somebody");
			app.get("/product/1", "X-Client", "somebody");
			List<Observation.Context> calls = app.bean(Setup.class).ended;
			assertThat(calls).extracting(Observation.Context::getContextualName)
				.containsExactly("ratelimit acquire", "ratelimit acquire", "ratelimit release");
			assertThat(calls).allSatisfy((call) -> {
				assertThat(call.getLowCardinalityKeyValues()).extracting(KeyValue::getKey)
					.containsExactlyInAnyOrder("store", "operation", "outcome");
				assertThat(call.getHighCardinalityKeyValues()).isEmpty();
				ObservationView parent = Objects.requireNonNull(call.getParentObservation());
				assertThat(parent.getContextView().getName()).isEqualTo("http.server.requests");
			});
			assertThat(calls.get(2).getLowCardinalityKeyValues()).extracting(KeyValue::getValue)
				.containsExactlyInAnyOrder("redis", "release", "success");
		}
	}

	@Test
	void memoryIsNotCalled() {
		try (App app = App.start("ratelimit.store: memory\n" + RULES, Setup.class)) {
			assertThat(app.get("/product/1", "X-Client", "somebody").statusCode()).isEqualTo(200);
			assertThat(app.bean(Setup.class).ended).isEmpty();
		}
	}

	@Test
	void aStoreThatIsAwayShowsInTheOutcome() {
		try (App app = App.start("spring.data.redis.port: 1\n" + RULES, Setup.class)) {
			app.get("/product/1", "X-Client", "somebody");
			assertThat(app.bean(Setup.class).ended).isNotEmpty()
				.allSatisfy((call) -> assertThat(call.getLowCardinalityKeyValue("outcome").getValue()).isIn("error",
						"timeout"));
		}
	}

	@Configuration
	static class Setup {

		final List<Observation.Context> ended = new CopyOnWriteArrayList<>();

		@Bean
		ObservationHandler<Observation.Context> recorder() {
			return new ObservationHandler<>() {

				@Override
				public void onStop(Observation.Context context) {
					if (context.getName().startsWith("ratelimit")) {
						Setup.this.ended.add(context);
					}
				}

				@Override
				public boolean supportsContext(Observation.Context context) {
					return true;
				}

			};
		}

	}

}
