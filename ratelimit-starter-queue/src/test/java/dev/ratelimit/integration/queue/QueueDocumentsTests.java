package dev.ratelimit.integration.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.KeptRequests.Later;
import dev.ratelimit.integration.support.KeptRequests.Orders;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import org.json.JSONObject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What documents show of a queue: docs/metrics.md its meters, and the OpenAPI document of
 * an application its response.
 */
class QueueDocumentsTests {

	private static final String RULE = """
			spring.data.redis.port: 1
			ratelimit.rules.orders: {on-limit: enqueue, paths: /orders, thresholds: 2/1h}
			""";

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `(ratelimit\\.queue\\.(?:items|handled|age))` \\| ([a-z ]+) \\|([^|]*)\\|");

	private static String tags(String[] names) {
		return Arrays.toString(Arrays.stream(names).filter((name) -> !name.isBlank()).sorted().toArray());
	}

	@Test
	void everyMeterIsListedWithItsTypeAndItsTags() throws IOException {
		Map<String, String> documented = new TreeMap<>();
		ROW.matcher(Files.readString(Path.of("../docs/metrics.md")))
			.results()
			.forEach(
					(row) -> documented.put(row.group(1), row.group(2) + " " + tags(row.group(3).split("[`, ]+", -1))));
		Map<String, String> meters = new TreeMap<>();
		try (App app = App.start(RULE, Orders.class, Later.class)) {
			for (Meter meter : app.bean(MeterRegistry.class).getMeters()) {
				if (meter.getId().getName().startsWith("ratelimit.queue.")) {
					meters.put(meter.getId().getName(), meter.getId().getType().name().toLowerCase(Locale.ROOT) + " "
							+ tags(meter.getId().getTags().stream().map(Tag::getKey).toArray(String[]::new)));
				}
			}
		}
		assertThat(documented).hasSize(3).isEqualTo(meters);
	}

	@Test
	void anOperationShowsThatItsRequestsMayBeEnqueued() {
		try (App app = App.startDocumented(RULE, Orders.class, Later.class)) {
			JSONObject document = new JSONObject(app.get("/v3/api-docs").body());
			JSONObject paths = document.getJSONObject("paths");
			JSONObject responses = paths.getJSONObject("/orders").getJSONObject("post").getJSONObject("responses");
			assertThat(responses.getJSONObject("202").toString()).contains("Location", "RateLimitQueued");
			assertThat(document.getJSONObject("components")
				.getJSONObject("schemas")
				.getJSONObject("RateLimitQueued")
				.getJSONObject("properties")
				.keySet()).containsExactlyInAnyOrder("id", "rule", "state", "attempts");
			assertThat(paths.toString()).as("other operations").containsOnlyOnce("\"202\"");
		}
	}

}
