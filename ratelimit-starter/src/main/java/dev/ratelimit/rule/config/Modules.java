package dev.ratelimit.rule.config;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.RuleCatalogue;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.spi.RateLimitModule;
import dev.ratelimit.spi.RulesNotEnforceableException;

import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The modules on the class path, and what they add to the configuration.
 */
final class Modules {

	private final List<RateLimitModule> all;

	private final RuleCatalogue catalogue;

	private final SingletonSupplier<AbsentModules> absent;

	Modules(List<RateLimitModule> all) {
		this.all = all;
		this.absent = SingletonSupplier
			.of(() -> AbsentModules.besides(all.stream().map(RateLimitModule::artifact).collect(Collectors.toSet())));
		this.catalogue = new RuleCatalogue(all.stream().flatMap((module) -> module.choices().stream()).toList(),
				(value) -> absent().ofValue(value));
	}

	/** All modules. */
	List<RateLimitModule> all() {
		return this.all;
	}

	static Modules onClassPath() {
		return new Modules(SpringFactoriesLoader.forDefaultResourceLocation(ClassUtils.getDefaultClassLoader())
			.load(RateLimitModule.class));
	}

	/**
	 * Refuse modules of other versions, and two that claim one name.
	 * @param versions finds the version of the jar of a type; empty if it is in no jar
	 * @throws RulesNotEnforceableException if there is such a module
	 */
	void requireFit(Function<Class<?>, Optional<String>> versions) {
		Optional<String> version = versions.apply(RateLimitModule.class);
		Map<String, String> owners = new HashMap<>();
		for (RateLimitModule module : this.all) {
			Optional<String> its = versions.apply(module.getClass());
			if (version.isPresent() && its.isPresent() && !its.equals(version)) {
				throw new RulesNotEnforceableException("%s has version %s, and ratelimit-starter %s"
					.formatted(module.artifact(), its.get(), version.get()),
						"Use the same version of both; ratelimit-bom lists what goes together");
			}
			names(module).forEach((name) -> {
				String other = owners.putIfAbsent(name, module.artifact());
				if (other != null) {
					throw new RulesNotEnforceableException(
							"%s and %s both add %s".formatted(other, module.artifact(), name),
							"Remove one of the two dependencies");
				}
			});
		}
	}

	/** The version that a jar declares. */
	static Optional<String> versionOfJar(Class<?> type) {
		return Optional.ofNullable(type.getPackage().getImplementationVersion());
	}

	private static Stream<String> names(RateLimitModule module) {
		Stream<String> choices = module.choices().stream().map((choice) -> choice.key().text() + ": " + choice.text());
		Stream<String> keys = module.choices()
			.stream()
			.flatMap((choice) -> choice.options().stream())
			.filter((option) -> !(option instanceof RuleKey))
			.map(RuleOption::text)
			.distinct();
		return Stream.of(choices, keys, module.settings().keySet().stream().map("ratelimit."::concat))
			.flatMap(Function.identity());
	}

	/** The keys that rules may have. */
	RuleCatalogue catalogue() {
		return this.catalogue;
	}

	/** What belongs to other modules. */
	AbsentModules absent() {
		return this.absent.obtain();
	}

	/** The settings besides the rules, with their types. */
	Map<String, Class<?>> settings(Map<String, Class<?>> ofStarter) {
		Map<String, Class<?>> settings = new LinkedHashMap<>(ofStarter);
		for (RateLimitModule module : this.all) {
			module.settings()
				.forEach((prefix, properties) -> SettingTypes.of(properties)
					.forEach((name, type) -> settings.putIfAbsent(prefix + "." + name, type)));
		}
		return settings;
	}

}
