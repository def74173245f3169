package dev.ratelimit.integration.modes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A leased rule in an application: two instances over HTTP, on a Redis Cluster.
 */
class LeasedHttpTests {

	private static String rules() {
		return SharedCluster.yaml() + """
				ratelimit.rules:
				  hot: {paths: '/product/1', key: global, mode: leased, lease-time: 1m, thresholds: 60/10m}
				  named: {key: principal, mode: leased, lease-time: 1m, lease-size: 40, thresholds: 60/10m}
				""";
	}

	@AutoClose
	private static App one;

	@BeforeAll
	static void start() {
		one = App.start(rules());
	}

	private static double count(App app, String source) {
		return app.bean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("rule", "hot", "source", source)
			.counters()
			.stream()
			.mapToDouble(Counter::count)
			.sum();
	}

	@Test
	void twoInstancesAdmitTheLimitMostlyFromTheirLeases() {
		try (App two = App.start(one.prefix(), rules())) {
			// Permits that arrive too late at an instance are released, and admit later.
			List<Integer> statuses = new ArrayList<>();
			Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
				App next = (statuses.size() % 2 == 0) ? one : two;
				statuses.add(next.get("/product/1").statusCode());
				return Collections.frequency(statuses, 200) == 60;
			});
			assertThat(one.statuses(10, "GET", "/product/1")).containsOnly(429);
			assertThat(two.statuses(10, "GET", "/product/1")).containsOnly(429);
			assertThat(count(one, "lease")).isGreaterThan(count(one, "store"));
			assertThat(one.get("/product/1").headers().firstValue("Retry-After")).isPresent();
			assertThat(one.get("/actuator/ratelimits").body()).contains("\"mode\":\"leased\"", "\"leaseTime\":\"1m\"",
					"\"leaseSize\":\"auto\"");
			assertThat(one.bean(MeterRegistry.class).get("ratelimit.decision").tags("rule", "hot").timer().getId())
				.satisfies((id) -> assertThat(id.getTag("mode")).isEqualTo("leased"));
		}
	}

	@Test
	void anInstanceThatShutsDownReleasesTheRestOfItsLease() {
		try (App leaving = App.start(one.prefix(), rules())) {
			RateLimitDecision first = leaving.bean(RateLimiter.class).tryAcquire("named", "customer");
			assertThat(first.isAllowed()).isTrue();
			assertThat(first.quotas().get(0).remaining()).isEqualTo(59);
		}
		RateLimiter limiter = one.bean(RateLimiter.class);
		assertThat(limiter.tryAcquire("named", new String[] { "customer" }, 59).isAllowed()).isTrue();
		assertThat(limiter.tryAcquire("named", "customer").isAllowed()).isFalse();
	}

}
