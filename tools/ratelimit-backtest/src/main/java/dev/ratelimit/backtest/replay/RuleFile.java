package dev.ratelimit.backtest.replay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.config.EnvironmentRuleSource;
import dev.ratelimit.rule.config.LoadedRules;
import dev.ratelimit.rule.config.SettingTypes;
import dev.ratelimit.rule.lint.RuleLint;

import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * A file of rules, read as an application reads its {@code application.yml}: with
 * profiles, imports and placeholders, and with the same errors.
 *
 * @param name the name of the file
 * @param rules its rules
 * @param settings the settings besides the rules
 * @param contextPath the context path of the application, or nothing for the root
 * @param actuatorBasePath the base path of Actuator, or nothing if Actuator has another
 * port
 * @param warnings the problems that do not keep the rules from being replayed
 */
public record RuleFile(String name, RuleSet rules, RateLimitProperties settings, String contextPath,
		String actuatorBasePath, List<String> warnings) {

	public RuleFile {
		warnings = List.copyOf(warnings);
	}

	/**
	 * Read a file.
	 * @param file the file, in YAML or as properties
	 * @return its content
	 * @throws dev.ratelimit.spi.InvalidSettingsException if a setting is wrong; if the
	 * file cannot be read at all, Boot's exception is thrown
	 */
	public static RuleFile read(Path file) {
		ConfigurableEnvironment environment = environment(file);
		LoadedRules loaded = new EnvironmentRuleSource(environment, SettingTypes.of(RateLimitProperties.class)).read();
		RateLimitProperties settings = Binder.get(environment).bindOrCreate("ratelimit", RateLimitProperties.class);
		List<String> warnings = new ArrayList<>(loaded.warnings());
		warnings.addAll(RuleLint.warnings(loaded.rules(), settings.logMemoryWarning()));
		if (!settings.enabled()) {
			warnings.add(
					"ratelimit.enabled is false, so that nothing would be refused; the rules are replayed as if it were true.");
		}
		if (settings.ruleSource().file() != null || settings.ruleSource().jdbc().table() != null) {
			warnings.add(
					"ratelimit.rule-source names other places of rules: the rules there are not replayed. Pass their file to --rules instead.");
		}
		return new RuleFile(file.toString(), loaded.rules(), settings,
				environment.getProperty("server.servlet.context-path", ""), actuatorBasePath(environment), warnings);
	}

	private static ConfigurableEnvironment environment(Path file) {
		ConfigurableEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("file of rules",
					Map.of("spring.config.location", file.toAbsolutePath().toUri().toString())));
		ConfigDataEnvironmentPostProcessor.applyTo(environment);
		ConfigurationPropertySources.attach(environment);
		return environment;
	}

	/** Assumes that the application has Actuator, whose paths the rules do not cover. */
	private static String actuatorBasePath(ConfigurableEnvironment environment) {
		String port = environment.getProperty("management.server.port", "");
		if (!port.isEmpty() && !port.equals(environment.getProperty("server.port", ""))) {
			return "";
		}
		String path = environment.getProperty("management.endpoints.web.base-path", "/actuator");
		return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
	}

	/**
	 * The same file with some of its rules only.
	 * @param rules the rules
	 * @param warning warnings about the other rules
	 * @return the file
	 */
	RuleFile with(RuleSet rules, List<String> warning) {
		List<String> all = new ArrayList<>(this.warnings);
		all.addAll(warning);
		return new RuleFile(this.name, rules, this.settings, this.contextPath, this.actuatorBasePath, all);
	}

}
