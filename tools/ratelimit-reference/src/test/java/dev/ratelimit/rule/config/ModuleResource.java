package dev.ratelimit.rule.config;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.spi.RateLimitModule;

/**
 * Writes the resource of the starter that says what belongs to which module.
 */
final class ModuleResource {

	static final Path FILE = Path.of("../../ratelimit-starter/src/main/resources", AbsentModules.RESOURCE);

	static final String STARTER = "ratelimit-starter";

	private static final String HEAD = """
			# Which settings, keys and values belong to which artifact: read when one is unknown. ReferenceTests writes it.
			""";

	private ModuleResource() {
	}

	/** The keys that only a module has. */
	static Stream<RuleOption> options(RateLimitModule module) {
		return module.choices()
			.stream()
			.flatMap((choice) -> choice.options().stream())
			.filter((option) -> !(option instanceof RuleKey));
	}

	/** What a key does, and which module it needs. */
	static String meaning(RuleOption option) {
		return modules().filter((module) -> options(module).anyMatch(option::equals))
			.findFirst()
			.map((module) -> needing(option.meaning(), module))
			.orElse(option.meaning());
	}

	/** Without what the starter itself adds in the way of a module. */
	private static Stream<RateLimitModule> modules() {
		return Modules.onClassPath().all().stream().filter((module) -> !module.artifact().equals(STARTER));
	}

	/** What a setting does, and which module it needs. */
	static String meaning(String name, String meaning) {
		return modules()
			.filter((module) -> module.settings()
				.keySet()
				.stream()
				.anyMatch((prefix) -> name.startsWith("ratelimit." + prefix + ".")))
			.findFirst()
			.map((module) -> needing(meaning, module))
			.orElse(meaning);
	}

	private static String needing(String meaning, RateLimitModule module) {
		return meaning + " Needs " + module.artifact() + ".";
	}

	static String text() {
		return modules().flatMap((module) -> names(module).map((name) -> name + "=" + module.artifact()))
			.sorted()
			.collect(Collectors.joining("\n", HEAD, "\n"));
	}

	private static Stream<String> names(RateLimitModule module) {
		Stream<String> values = module.choices().stream().map(ModuleResource::value);
		Stream<String> keys = options(module).map(RuleOption::text);
		return Stream.concat(module.settings().keySet().stream(),
				Stream.concat(values, keys).map((name) -> SettingNames.RULES + "." + name));
	}

	private static String value(OpenChoice choice) {
		return choice.key().text() + "." + choice.text();
	}

}
