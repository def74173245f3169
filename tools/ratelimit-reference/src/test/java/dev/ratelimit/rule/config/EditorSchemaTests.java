package dev.ratelimit.rule.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;
import dev.ratelimit.spi.RateLimitModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The schemas for editors accept what the documents show, and refuse what stops a start,
 * as far as a schema can express it.
 */
class EditorSchemaTests {

	private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7);

	private static final Schema RULES = schema(EditorSchema.RULES);

	private static final Schema APPLICATION = schema(EditorSchema.APPLICATION);

	private static final Pattern SAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");

	/**
	 * The reasons of the start that no schema can express: values together, ranges of
	 * durations and sizes, the grammar of regular expressions, names in the application,
	 * names that are given twice.
	 */
	private static final List<Pattern> BEYOND_A_SCHEMA = Stream
		.of("does not go with", "has no effect without", "is out of range", "has a window that is out of range",
				"has a window that is too long", "is longer than the window", "is above", "leaves no room",
				"is too large for a log", "is more than one permit", "has a burst", "repeats the window",
				"has [0-9]+ (windows|sources|values)", "names a source twice", "names a client", "names a variable",
				"mixes global", "combines always with other outcomes", "has an override already", "carries credentials",
				"has a regular expression", "has a placeholder", "has an empty segment", "is a second spelling",
				"is written a second time")
		.map(Pattern::compile)
		.toList();

	/**
	 * YAML reads them as whole numbers, and a schema does not see how they are written.
	 */
	private static final Set<String> WHOLE_NUMBERS_OF_YAML = Set.of("010", "0x10", "1e3", "1.0e3");

	/** The reason of what belongs to a module that is not there. */
	private static final String ABSENT = "which is not on the class path";

	private static Schema schema(Path file) {
		try {
			return SCHEMAS.getSchema(Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<?> errors(Schema schema, Object yaml) {
		return schema.validate(JsonMapper.shared().<JsonNode>valueToTree(yaml));
	}

	/** As editors read it. */
	private static Object yaml(String text) {
		LoaderOptions loading = new LoaderOptions();
		DumperOptions dumping = new DumperOptions();
		return new Yaml(new SafeConstructor(loading), new Representer(dumping), dumping, loading, new CoreTypes())
			.load(text);
	}

	static Stream<Path> schemas() {
		return Stream.of(EditorSchema.RULES, EditorSchema.APPLICATION);
	}

	@ParameterizedTest
	@MethodSource("schemas")
	void aSchemaIsOneOfDraft7(Path file) throws IOException {
		Schema draft = SCHEMAS.getSchema(SchemaLocation.of("http://json-schema.org/draft-07/schema#"));
		assertThat(draft.validate(JsonMapper.shared().readTree(Files.readString(file)))).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("schemas")
	void everyNameWithAValueHasADescription(Path file) throws IOException {
		Map<String, JsonNode> names = new LinkedHashMap<>();
		collectNames(JsonMapper.shared().readTree(Files.readString(file)), "", names);
		assertThat(names).hasSizeGreaterThan(40);
		names.values()
			.removeIf((name) -> name.has("properties") || name.path("description").asString("").endsWith("."));
		assertThat(names.keySet()).isEmpty();
	}

	private static void collectNames(JsonNode schema, String path, Map<String, JsonNode> names) {
		schema.path("properties")
			.properties()
			.forEach((name) -> names.put(path + "." + name.getKey(), name.getValue()));
		schema.properties().forEach((part) -> collectNames(part.getValue(), path + "." + part.getKey(), names));
		schema.values().stream().filter((part) -> schema.isArray()).forEach((part) -> collectNames(part, path, names));
	}

	/** And their rules could stand in a file of their own. */
	@Test
	void whatTheDocumentsShowIsValid() throws IOException {
		int rules = 0;
		for (String sample : samples()) {
			Object yaml = nested(yaml(sample));
			assertThat(errors(APPLICATION, yaml(sample))).as(sample).isEmpty();
			assertThat(errors(APPLICATION, yaml)).as(sample).isEmpty();
			if (yaml instanceof Map<?, ?> settings && settings.get("ratelimit") instanceof Map<?, ?> ratelimit
					&& ratelimit.containsKey("rules")) {
				rules++;
				assertThat(errors(RULES, Map.of("ratelimit", Map.of("rules", ratelimit.get("rules"))))).as(sample)
					.isEmpty();
			}
		}
		assertThat(rules).isGreaterThan(15);
	}

	private static List<String> samples() throws IOException {
		Path root = Path.of("../..");
		try (Stream<Path> docs = Files.walk(root.resolve("docs"));
				Stream<Path> resources = Files.list(root.resolve("ratelimit-sample-app/src/main/resources"))) {
			Stream<String> pages = texts(Stream.concat(Stream.of(root.resolve("README.md")), docs), ".md");
			return Stream
				.concat(pages.flatMap((page) -> SAMPLE.matcher(page).results().map((block) -> block.group(1))),
						texts(resources, ".yml"))
				.filter((sample) -> sample.contains("ratelimit"))
				.toList();
		}
	}

	private static Stream<String> texts(Stream<Path> files, String end) throws IOException {
		Stream.Builder<String> texts = Stream.builder();
		for (Path file : files.filter((path) -> path.toString().endsWith(end)).toList()) {
			texts.add(Files.readString(file));
		}
		return texts.build();
	}

	@ParameterizedTest
	@ValueSource(strings = { "enabled: off", "methods: 'GET, POST'", "methods: [GET, POST]",
			"paths: '/a/{id:[0-9]{1,3}},/b/**, /'", "key: 'ip, header:X-A'",
			"key: [path:id, claim:tenant id]\npaths: '/{id}'", "key: global", "thresholds: '500/2s, 20/day'",
			"thresholds: [5/1s, {threshold: 9, window: minute}]", "thresholds: ['${limit:5}/1m']",
			"cost: bean:costOfUpload", "cost: '2'", "count-on: 402", "count-on: [402, 5xx]", "when: method == 'GET'",
			"acknowledge: 'log-memory, no-peers'", "mode: leased\nlease-time: auto\nlease-size: 3",
			"mode: synced\nalgorithm: fixed-window\nmax-overshoot: 100%",
			"on-limit: enqueue\nenqueue: {headers: 'X-A, X-B', max-body: 0B}", "on-limit: enqueue\nenqueue.max-age: 2h",
			"refusal: {status: 503, body: '{\"busy\": true}', content-type: text/plain;charset=utf-8}",
			"refusal.status: '400'", "plan-key: bean:plan\nplans: {a: unlimited, b-2: [{threshold: 1, window: 1s}]}",
			"overrides: [{key: 10.0.0.0/8, thresholds: blocked}]",
			"key: 'session, header:X-A'\noverrides: [{key: [1, 2.5], thresholds: '5/1m, 9/1h'}]" })
	void aRightRuleIsValid(String lines) {
		String yaml = WrongSetting.file(lines);
		assertThat(new TestSources().andYaml(yaml).read().rules().rules()).hasSize(1);
		assertThat(errors(RULES, yaml(yaml))).isEmpty();
	}

	/** No module, each alone, and all. */
	static Stream<List<RateLimitModule>> modules() {
		List<RateLimitModule> all = Modules.onClassPath().all();
		return Stream.concat(Stream.of(List.of(), all), all.stream().map(List::of));
	}

	/** A schema knows all modules; the start knows those that are there. */
	@ParameterizedTest
	@MethodSource("modules")
	void whatStopsAStartIsInvalidUnlessNoSchemaCanExpressIt(List<RateLimitModule> modules) {
		Set<String> valid = new TreeSet<>();
		Stream.of("ratelimit-starter", "ratelimit-starter-queue", "ratelimit-starter-datacenters")
			.flatMap((module) -> WrongSetting.all(Path.of("../..", module)))
			.map(WrongSetting::file)
			.forEach((yaml) -> {
				List<Problem> problems = problems(yaml, modules);
				boolean isBeyond = problems.stream().allMatch(EditorSchemaTests::isBeyondASchema);
				if (errors(APPLICATION, nested(yaml(yaml))).isEmpty()) {
					problems.forEach((problem) -> valid.add(problem.reason()));
					assertThat(isBeyond).as("%s%n%s is valid", yaml, problems).isTrue();
				}
			});
		assertThat(valid.stream().anyMatch((reason) -> reason.contains(ABSENT)))
			.isEqualTo(modules.size() < Modules.onClassPath().all().size());
		if (modules.size() > 1) {
			assertThat(BEYOND_A_SCHEMA)
				.allSatisfy((reason) -> assertThat(valid).anyMatch((text) -> reason.matcher(text).lookingAt()));
		}
	}

	private static boolean isBeyondASchema(Problem problem) {
		return WHOLE_NUMBERS_OF_YAML.contains(problem.value()) || problem.reason().contains(ABSENT)
				|| BEYOND_A_SCHEMA.stream().anyMatch((reason) -> reason.matcher(problem.reason()).lookingAt());
	}

	/** With all settings; those of some tests know only a few. */
	private static List<Problem> problems(String yaml, List<RateLimitModule> modules) {
		try {
			new EnvironmentRuleSource(TestSources.yaml(yaml).environment(), SettingTypes.of(RateLimitProperties.class),
					new Modules(modules))
				.read();
			return List.of();
		}
		catch (InvalidSettingsException ex) {
			return ex.problems();
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "ratelimit:", "ratelimit: {rules: }", "ratelimit: {rules: {}}", "ratelimit: {rules: {a: }}",
					"ratelimit: {rules: [{thresholds: 5/1m}]}", "ratelimit: {rules: {a: {paths: /a}}}",
					"ratelimit: {rules: {explain: {thresholds: 5/1m}}}", "ratelimit: {rules: {A: {thresholds: 5/1m}}}",
					"ratelimit: {rules: {a: {thresholds: 5/1m}}, defaults: {key: ip}}",
					"{ratelimit: {rules: {a: {thresholds: 5/1m}}}, server.port: 80}" })
	void aFileOfRulesHoldsRulesAndNothingElse(String yaml) {
		assertThat(errors(RULES, yaml(yaml))).isNotEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit: {deadlin: 5ms}", "ratelimit: {ipv6-prefix: 64.5}",
			"ratelimit: {store: rediss}", "ratelimit: {redis: {timeout: 1s}}", "ratelimit: {defaults: {paths: /a}}",
			"ratelimit: {deadline: }", "ratelimit: {trusted-proxies: []}", "ratelimit: {clients: {github: {host: a}}}",
			"ratelimit: {exempt: /a}", "ratelimit: {datacenter: {peers: {iad: {prot: 1}}}}",
			"ratelimit.rules.a: {tresholds: 5/1m}", "ratelimit: {rules.a: {tresholds: 5/1m}}",
			"ratelimit: {rules: {a: {enqueue.max-boddy: 1KB}}}", "ratelimit: {headers: {legacy: flase}}",
			"ratelimit: {deadline: soon}", "ratelimit: {log-memory-warning: 1XB}" })
	void aWrongSettingIsInvalid(String yaml) {
		assertThat(errors(APPLICATION, yaml(yaml))).isNotEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.profiles.active: a", "ratelimit: {redis.max-waiting: 5, deny-cache: 0}",
			"ratelimit: {exempt: {paths: ['/a/{b:[0-9]{1,3}}']}, trusted-proxies: '10.0.0.0/8, ::1', instances: 3, key-secret: '${secret}'}",
			"ratelimit: {rules: {a: {shadow: true}}, memcached: {nodes: a}}",
			"ratelimit: {datacenter: {name: a, peers: {b: {port: 6379, password: 'a,b', ssl: {enabled: true}}}}}",
			"ratelimit: {headers: {ietf: draft-11}, log-memory-warning: 1MB, ipv6-prefix: '${prefix:64}'}" })
	void otherSettingsAndRulesThatContinueElsewhereAreValid(String yaml) {
		assertThat(errors(APPLICATION, yaml(yaml))).isEmpty();
	}

	/** Names with dots as maps in maps. */
	@SuppressWarnings("unchecked")
	private static Object nested(Object yaml) {
		if (!(yaml instanceof Map<?, ?> map)) {
			return yaml;
		}
		Map<String, Object> nested = new LinkedHashMap<>();
		map.forEach((name, value) -> {
			Map<String, Object> parent = nested;
			String[] elements = name.toString().split("\\.", -1);
			for (int i = 0; i < elements.length - 1; i++) {
				parent = (Map<String, Object>) parent.computeIfAbsent(elements[i], (element) -> new LinkedHashMap<>());
			}
			parent.put(elements[elements.length - 1], (value == null) ? null : nested(value));
		});
		return nested;
	}

	/** The types of YAML 1.2, in which {@code on} and {@code 1:30} are texts. */
	private static final class CoreTypes extends Resolver {

		@Override
		protected void addImplicitResolvers() {
			addImplicitResolver(Tag.BOOL, Pattern.compile("true|false"), "tf");
			addImplicitResolver(Tag.INT, Pattern.compile("[-+]?[0-9]+|0x[0-9a-fA-F]+"), "-+0123456789");
			addImplicitResolver(Tag.FLOAT, Pattern.compile("[-+]?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?"),
					"-+0123456789");
			addImplicitResolver(Tag.NULL, Pattern.compile("~|null|"), null);
		}

	}

}
