package dev.ratelimit.rule.config;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.rule.RuleCatalogue;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.RuleScope.ScopeKind;
import dev.ratelimit.spi.RateLimitModule;
import dev.ratelimit.spi.RulesNotEnforceableException;

import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The modules on the class path, and what they add to the configuration.
 */
final class Modules {

	private static final String STARTER = "ratelimit-starter";

	private static final String APART = "The modules of the rate limiter do not go together";

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

	/**
	 * Find the modules.
	 * @return the modules
	 * @throws RulesNotEnforceableException if they do not go together
	 */
	static Modules onClassPath() {
		// That of a thread of a pool may see no module.
		ClassLoader current = ClassUtils.getDefaultClassLoader();
		ClassLoader loader = ClassUtils.isVisible(RateLimitModule.class, current) ? current
				: Modules.class.getClassLoader();
		Modules modules = new Modules(
				SpringFactoriesLoader.forDefaultResourceLocation(loader).load(RateLimitModule.class));
		modules.requireFit(Modules::versionOfJar);
		return modules;
	}

	/**
	 * Refuse modules of other versions, and two that claim one name.
	 * @param versions finds the version of the jar of a type; empty if it is in no jar
	 * @throws RulesNotEnforceableException if there is such a module
	 */
	void requireFit(Function<Class<?>, Optional<String>> versions) {
		Optional<String> version = versions.apply(RateLimitModule.class);
		Map<String, String> owners = new HashMap<>();
		Stream.concat(Stream.of(RuleKey.values()).map(RuleKey::text),
				Stream.<OpenChoice[]>of(OnLimitKind.values(), ScopeKind.values())
					.flatMap(Stream::of)
					.map(Modules::name))
			.forEach((name) -> owners.put(PropertyNames.uniform(name), STARTER));
		for (RateLimitModule module : this.all) {
			Optional<String> its = versions.apply(module.getClass());
			if (version.isPresent() && its.isPresent() && !its.equals(version)) {
				throw new RulesNotEnforceableException(APART,
						"%s has version %s, and %s %s".formatted(module.artifact(), its.get(), STARTER, version.get()),
						"Use the same version of both; ratelimit-bom lists what goes together");
			}
			names(module).forEach((name) -> {
				String other = owners.putIfAbsent(PropertyNames.uniform(name), module.artifact());
				if (other != null) {
					throw new RulesNotEnforceableException(APART,
							"%s and %s both add %s".formatted(other, module.artifact(), name),
							"Remove one of the two dependencies");
				}
			});
		}
	}

	/** The version that a jar declares. */
	private static Optional<String> versionOfJar(Class<?> type) {
		return Optional.ofNullable(type.getPackage().getImplementationVersion());
	}

	private static String name(OpenChoice choice) {
		return choice.key().text() + ": " + choice.text();
	}

	private static Stream<String> names(RateLimitModule module) {
		Stream<String> choices = module.choices().stream().map(Modules::name);
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
