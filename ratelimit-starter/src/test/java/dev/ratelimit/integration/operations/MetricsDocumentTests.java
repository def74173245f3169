package dev.ratelimit.integration.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.web.key.KeyResolver;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/metrics.md lists all meters with their tags, and shows the responses of the
 * endpoint as they are.
 */
class MetricsDocumentTests {

	private static final Path DOCUMENT = Path.of("../docs/metrics.md");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `(ratelimit\\.[a-z.]+)` \\| ([a-z ]+) \\|([^|]*)\\|");

	private static final Set<String> OF_THE_QUEUE = Set.of("ratelimit.queue.items", "ratelimit.queue.handled",
			"ratelimit.queue.age");

	private static final Pattern RESPONSE = Pattern.compile("(?s)```json\\n(.*?)```");

	@TempDir
	private Path directory;

	private static Map<String, String> documented() throws IOException {
		Map<String, String> meters = new TreeMap<>();
		ROW.matcher(Files.readString(DOCUMENT))
			.results()
			.forEach((row) -> meters.put(row.group(1), row.group(2) + " " + tags(row.group(3).split("[`, ]+"))));
		return meters;
	}

	private static String tags(String[] names) {
		return Arrays.toString(Arrays.stream(names).filter((name) -> !name.isBlank()).sorted().toArray());
	}

	@Test
	void everyMeterIsListedWithItsTypeAndItsTags() throws IOException {
		Path rules = Files.writeString(this.directory.resolve("rules.yml"),
				"ratelimit.rules.live: {paths: /live, thresholds: 2/1h}");
		try (App app = App.start("""
				spring.data.redis.port: 1
				ratelimit.rule-source.file: '%s'
				ratelimit.rules:
				  strict: {paths: '/product/*', thresholds: 2/1h}
				  broken: {key: 'bean:broken', paths: '/product/*', thresholds: 2/1h}
				  delayed: {on-limit: delay, paths: /open, thresholds: 2/1h}
				  synced: {mode: synced, algorithm: fixed-window, paths: /open, thresholds: 2/1h}
				""".formatted(rules), Broken.class)) {
			assertThat(app.get("/product/1").statusCode()).isEqualTo(200);
			assertThat(app.bean(MeterRegistry.class)
				.get("ratelimit.bean.failures")
				.tags("rule", "broken", "property", "key")
				.counter()
				.count()).isEqualTo(1);
			Map<String, String> meters = new TreeMap<>();
			for (Meter meter : app.bean(MeterRegistry.class).getMeters()) {
				if (meter.getId().getName().startsWith("ratelimit.")) {
					meters.put(meter.getId().getName(),
							meter.getId().getType().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " "
									+ tags(meter.getId().getTags().stream().map(Tag::getKey).toArray(String[]::new)));
				}
			}
			Map<String, String> documented = documented();
			documented.keySet().removeAll(OF_THE_QUEUE);
			assertThat(documented).isEqualTo(meters);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Broken {

		@Bean
		KeyResolver broken() {
			return (request) -> {
				throw new IllegalStateException("no idea");
			};
		}

	}

	/** The proof "monitoring" checks with a Prometheus that the panels show data. */
	@Test
	void everyMeterHasAPanelOfTheDashboard() throws IOException {
		String dashboard = Files.readString(Path.of("../docs/monitoring/dashboard.json"));
		assertThat(documented().keySet()).isNotEmpty()
			.allSatisfy((meter) -> assertThat(dashboard)
				.containsPattern(meter.replace('.', '_') + "(_seconds)?(_total|_count|_sum|_max)?\\{"));
	}

	@Test
	void theResponseShownHasTheFieldsOfARealOne() throws IOException {
		try (App app = App.start("""
				ratelimit.store: memory
				ratelimit.rules.any: {paths: '/product/*', key: 'header:X-Client', thresholds: 2/1h}
				""")) {
			app.get("/product/1", "X-Client", "client-1");
			JsonNode real = JsonMapper.shared().readTree(app.get("/actuator/ratelimits/any").body());
			JsonNode shown = JsonMapper.shared()
				.readTree(RESPONSE.matcher(Files.readString(DOCUMENT)).results().findFirst().orElseThrow().group(1));
			assertThat(fields(shown.get("heaviestClients"))).isEqualTo(fields(real.get("heaviestClients")));
		}
	}

	/** Of a list, those of its first element. */
	private static Map<String, Object> fields(JsonNode node) {
		JsonNode one = node.isArray() ? node.get(0) : node;
		Map<String, Object> fields = new TreeMap<>();
		one.properties()
			.forEach((field) -> fields.put(field.getKey(),
					field.getValue().isContainer() ? fields(field.getValue()) : ""));
		return fields;
	}

}
