package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;

import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Reads rules from YAML outside the environment, as strictly as
 * {@link EnvironmentRuleSource} reads those in it. Defaults and placeholders are taken
 * from the environment.
 */
public final class YamlRules {

	private final Modules modules = Modules.onClassPath();

	private final ConfigurableEnvironment environment;

	private final String property;

	private final String value;

	/**
	 * Create a reader.
	 * @param environment the environment with defaults and placeholders
	 * @param property the setting that locates the YAML, for messages
	 * @param value its value
	 */
	public YamlRules(ConfigurableEnvironment environment, String property, String value) {
		this.environment = environment;
		this.property = property;
		this.value = value;
	}

	/**
	 * Read a document in the form of {@code application.yml} that contains rules only.
	 * @param text the document
	 * @return its rules
	 * @throws InvalidSettingsException if anything in it is wrong or is not a rule; it
	 * names all errors
	 */
	public RuleSet document(String text) {
		Findings findings = new Findings();
		Map<String, Object> rules = new LinkedHashMap<>();
		settings(this.value, text).forEach((name, setting) -> {
			if (isRule(name)) {
				rules.put(name, setting);
			}
			else if (!isEmptyMap(name)) {
				findings.problem(new Problem(name, setting.toString(), Optional.ofNullable(Origin.from(setting)),
						"is not read here",
						"Only ratelimit.rules is: leave all other settings, ratelimit.defaults too, in application.yml"));
			}
		});
		if (rules.isEmpty()) {
			findings.throwIfAny();
			throw invalid("holds no rules",
					"Write ratelimit.rules as in application.yml, with at least one rule; where "
							+ "there is to be none any more, disable the last one");
		}
		return read(rules, findings);
	}

	/** {@code rules:} with nothing below it is read as such a value. */
	private static boolean isEmptyMap(String name) {
		return List.of(SettingNames.PREFIX, SettingNames.PREFIX + "." + SettingNames.RULES).contains(name);
	}

	private static boolean isRule(String name) {
		String uniform = PropertyNames.uniform(String.join(".", PropertyNames.elements(name)));
		return uniform.startsWith(SettingNames.rule(""));
	}

	/**
	 * Read rules from separate texts.
	 * @param texts the rules; there may be none
	 * @return the rules
	 * @throws InvalidSettingsException if anything in them is wrong; it names all errors
	 */
	public RuleSet rules(List<RuleText> texts) {
		Findings findings = new Findings();
		Map<String, Object> settings = new LinkedHashMap<>();
		Set<String> ids = new HashSet<>();
		for (RuleText rule : texts) {
			try {
				RLConfig.requireId(rule.id());
				if (ids.add(rule.id())) {
					keys(rule).forEach((key, value) -> settings.put(SettingNames.rule(rule.id()) + "." + key, value));
				}
				else {
					findings.problem(
							problem(this.value, "has two rows with the id '" + rule.id() + "'", "Keep one of the two"));
				}
			}
			catch (InvalidRuleException ex) {
				findings
					.problem(problem(this.value, "has the id '" + ex.value() + "', which " + ex.reason(), ex.cure()));
			}
			catch (InvalidSettingsException ex) {
				ex.problems().forEach(findings::problem);
			}
		}
		return read(settings, findings);
	}

	private Map<String, Object> keys(RuleText rule) {
		String description = this.value + ", rule '" + rule.id() + "'";
		Map<String, Object> keys = settings(description, rule.text());
		if (keys.isEmpty()) {
			throw new InvalidSettingsException(
					List.of(problem(description, "is empty", "Write the keys of the rule, such as thresholds: 5/1m")));
		}
		return keys;
	}

	private Map<String, Object> settings(String description, String text) {
		return new YamlText(this.property, description, text).settings();
	}

	private RuleSet read(Map<String, Object> settings, Findings findings) {
		List<List<WrittenSetting>> written = new ArrayList<>();
		written.add(WrittenSetting.of(new OriginTrackedMapPropertySource(this.value, settings, true)));
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			written.add(WrittenSetting.of(source)
				.stream()
				.filter((setting) -> setting.isBelow(SettingNames.DEFAULTS))
				.toList());
		}
		Settings all = new Settings(written, new SettingNames(this.modules, Map.of()),
				this.environment::resolveRequiredPlaceholders, findings);
		List<RLConfig> rules = new RuleReader(all, findings).read();
		findings.throwIfAny();
		return new RuleSet(rules);
	}

	private Problem problem(String description, String reason, String cure) {
		return new Problem(this.property, description, Optional.empty(), reason, cure);
	}

	/**
	 * Create an exception about the document as a whole.
	 * @param reason what is wrong: a clause that completes "the file ..."
	 * @param cure what to do: a sentence
	 * @return an exception that names the setting and its value
	 */
	public InvalidSettingsException invalid(String reason, String cure) {
		return new InvalidSettingsException(List.of(problem(this.value, reason, cure)));
	}

}
