package dev.ratelimit.integration.operations;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.integration.support.App;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The properties of Boot switch percentiles or bounds of the decision timer on. By
 * default it has none. A histogram needs the registry of Prometheus, which the sample
 * application has ({@code SampleApplicationTests}).
 */
class DecisionTimerTests {

	private static HistogramSnapshot decisions(String settings) {
		try (App app = App.start("""
				ratelimit.store: memory
				ratelimit.rules.any: {paths: '/product/*', thresholds: 9/1h}
				""" + settings)) {
			app.get("/product/1");
			return app.bean(MeterRegistry.class).get("ratelimit.decision").tag("rule", "any").timer().takeSnapshot();
		}
	}

	@Test
	void byDefaultATimerCountsAndSumsOnly() {
		HistogramSnapshot decisions = decisions("");
		assertThat(decisions.count()).isEqualTo(1);
		assertThat(decisions.histogramCounts()).isEmpty();
		assertThat(decisions.percentileValues()).isEmpty();
	}

	@Test
	void percentiles() {
		HistogramSnapshot decisions = decisions(
				"management.metrics.distribution.percentiles.ratelimit.decision: 0.5, 0.99\n");
		assertThat(decisions.percentileValues()).extracting(ValueAtPercentile::percentile).containsExactly(0.5, 0.99);
		assertThat(decisions.percentileValues()).allSatisfy((each) -> assertThat(each.value()).isPositive());
	}

	@Test
	void boundsOfAnObjective() {
		HistogramSnapshot decisions = decisions("management.metrics.distribution.slo.ratelimit.decision: 1ms, 1h\n");
		assertThat(bounds(decisions)).containsExactly(1.0, 3_600_000.0);
		assertThat(decisions.histogramCounts()[1].count()).isEqualTo(1);
	}

	private static Double[] bounds(HistogramSnapshot decisions) {
		return Arrays.stream(decisions.histogramCounts())
			.map((CountAtBucket bucket) -> bucket.bucket(TimeUnit.MILLISECONDS))
			.toArray(Double[]::new);
	}

}
