package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.spi.InvalidSettingsException;

import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Reads the rules from the environment: from {@code ratelimit.rules.<id>} and
 * {@code ratelimit.defaults}, with the precedence and the relaxed names of Spring Boot.
 * <p>
 * Boot's own binding is not used, because it accepts mistakes: it does not refuse unknown
 * names, reads {@code 1.5} as a whole number and splits a path at a comma inside its
 * braces. Costs one walk over all property sources for each call.
 */
public final class EnvironmentRuleSource implements RuleSource {

	private final ConfigurableEnvironment environment;

	private final Modules modules;

	private final Map<String, Class<?>> globals;

	/**
	 * Create a source of rules. Those of modules on the class path are known too.
	 * @param environment the environment with the settings
	 * @param globals the settings besides the rules, by their names after
	 * {@code ratelimit.} in canonical form, such as {@code redis.max-connections}, with
	 * their types
	 * @throws dev.ratelimit.spi.RulesNotEnforceableException if modules do not go
	 * together
	 */
	public EnvironmentRuleSource(ConfigurableEnvironment environment, Map<String, Class<?>> globals) {
		this(environment, globals, Modules.onClassPath());
	}

	EnvironmentRuleSource(ConfigurableEnvironment environment, Map<String, Class<?>> globals, Modules modules) {
		this.environment = environment;
		this.modules = modules;
		this.globals = modules.settings(globals);
	}

	/**
	 * Read the rules, and check every name under {@code ratelimit.}.
	 * @return the rules, and names of environment variables that belong to no setting
	 * @throws InvalidSettingsException if a setting is wrong; it names all errors
	 */
	public LoadedRules read() {
		Findings findings = new Findings();
		Settings settings = settings(findings);
		GlobalSettings.check(settings, findings);
		List<RLConfig> rules = new RuleReader(settings, findings).read();
		findings.throwIfAny();
		return new LoadedRules(new RuleSet(rules), findings.warnings());
	}

	private Settings settings(Findings findings) {
		List<List<WrittenSetting>> written = new ArrayList<>();
		ConfigurationPropertySources.get(this.environment).forEach((source) -> written.add(WrittenSetting.of(source)));
		return new Settings(written, new SettingNames(this.modules, this.globals),
				this.environment::resolveRequiredPlaceholders, findings);
	}

	/**
	 * Read the defaults of rules.
	 * @return the defaults, for rules from other sources
	 * @throws InvalidSettingsException if a name under {@code ratelimit.} is wrong
	 */
	public RuleDefaults defaults() {
		Findings findings = new Findings();
		Settings settings = settings(findings);
		findings.throwIfAny();
		return new RuleDefaults(new RuleReader(settings, findings), findings);
	}

	/**
	 * Read the rules.
	 * @return the rules
	 * @throws InvalidSettingsException if a setting is wrong; it names all errors
	 */
	@Override
	public RuleSet load() {
		return read().rules();
	}

}
