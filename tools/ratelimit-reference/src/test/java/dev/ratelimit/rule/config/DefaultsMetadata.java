package dev.ratelimit.rule.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.datacenters.Everywhere;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refusal;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.RuleWarning;
import dev.ratelimit.rule.ValueKind;
import dev.ratelimit.spi.RateLimitModule;

/**
 * The metadata of {@code ratelimit.defaults} for editors, made from the catalogue and
 * from the defaults of rules in code.
 */
final class DefaultsMetadata {

	private static final String FIRST = "    {\n      \"name\": \"ratelimit.defaults.";

	private static final String END = "\n  ],\n  \"hints\"";

	/** Each key that has a default applies to one of these. */
	private static final List<RLConfig> RULES = Stream
		.of(rule(), rule().algorithm(Algorithm.SLIDING_WINDOW_COUNTER), rule().algorithm(Algorithm.TOKEN_BUCKET),
				rule().mode(Mode.LEASED), rule().algorithm(Algorithm.FIXED_WINDOW).mode(Mode.SYNCED),
				rule().onLimit(OnLimit.DELAY), rule().onLimit(Enqueue.DEFAULT),
				rule().algorithm(Algorithm.FIXED_WINDOW).scope(Everywhere.DEFAULT),
				rule().refusal(new Refusal(429, Optional.of(new Refusal.Body("", "application/json")))))
		.map(RLConfigBuilder::build)
		.toList();

	private DefaultsMetadata() {
	}

	private static RLConfigBuilder rule() {
		return RLConfig.builder("a").thresholds("5/1m");
	}

	/** The files of the starter and of the modules that have keys. */
	static Map<Path, String> texts() throws IOException {
		Map<Path, String> texts = new LinkedHashMap<>();
		Map<String, List<RuleOption>> options = new LinkedHashMap<>();
		options.put(ModuleResource.STARTER, new ArrayList<>(List.of(RuleKey.values())));
		for (RateLimitModule module : Modules.onClassPath().all()) {
			options.computeIfAbsent(module.artifact(), (artifact) -> new ArrayList<>())
				.addAll(ModuleResource.options(module).toList());
		}
		options.values().removeIf(List::isEmpty);
		for (String artifact : options.keySet()) {
			texts.put(file(artifact), text(file(artifact), Objects.requireNonNull(options.get(artifact))));
		}
		return texts;
	}

	private static Path file(String artifact) {
		return Path.of("../..", artifact, "src/main/resources/META-INF/additional-spring-configuration-metadata.json");
	}

	private static String text(Path file, List<? extends RuleOption> options) throws IOException {
		String text = Files.readString(file);
		return text.substring(0, text.indexOf(FIRST)) + options.stream()
			.filter(RuleOption::isDefault)
			.sorted(Comparator.comparing(RuleOption::text))
			.map(DefaultsMetadata::json)
			.collect(Collectors.joining(",\n")) + text.substring(text.indexOf(END));
	}

	private static String json(RuleOption key) {
		Object standard = standard(key).orElse("");
		String last = standard.equals("") ? "" : ",\n      \"defaultValue\": "
				+ ((standard instanceof Boolean || standard instanceof Integer) ? standard : "\"" + standard + "\"");
		return FIRST + "%s\",\n      \"type\": \"%s\",\n      \"description\": \"%s\"%s\n    }".formatted(key.text(),
				type(key), key.meaning(), last);
	}

	private static Optional<Object> value(RuleOption key) {
		return RULES.stream().<Object>flatMap((rule) -> Optional.ofNullable(key.value(rule)).stream()).findFirst();
	}

	static String type(RuleOption key) {
		Object value = value(key).orElse("");
		if (key.kind() == ValueKind.LIST) {
			return "java.util.List<%s>"
				.formatted((key.text().equals("acknowledge") ? RuleWarning.class : String.class).getName());
		}
		if (value instanceof OpenChoice choice) {
			return RuleSettings.class.getName() + "$" + RuleSettingsSource.choiceType(choice.key());
		}
		if (value instanceof Enum<?> constant) {
			return constant.getDeclaringClass().getName();
		}
		if (value instanceof Boolean || value instanceof Integer || value instanceof Duration) {
			return value.getClass().getName();
		}
		return value.toString().matches("[0-9]+(B|KB|MB)") ? "org.springframework.util.unit.DataSize"
				: "java.lang.String";
	}

	/** The default, with durations up to hours as those of Spring Boot. */
	static Optional<Object> standard(RuleOption key) {
		Optional<Object> day = value(key).filter(Duration.ofDays(1)::equals).map((duration) -> "24h");
		return day.or(() -> RULES.stream().<Object>flatMap((rule) -> key.shown(rule).stream()).findFirst())
			.map((value) -> (value instanceof Collection<?> values)
					? values.stream().map(Object::toString).collect(Collectors.joining(",")) : value)
			.map((value) -> (value instanceof Boolean || value instanceof Integer) ? value : value.toString());
	}

}
