package dev.ratelimit.rule.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.ratelimit.rule.RuleCatalogue;
import dev.ratelimit.spi.RateLimitModule;

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
