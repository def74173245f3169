package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.outbound.HostPattern;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.SettingChecks;
import org.jspecify.annotations.Nullable;

/**
 * Checks the settings of outbound calls. Each check throws an
 * {@link InvalidSettingsException} that names property, value and cure.
 */
final class ClientChecks {

	private static final Pattern HEADER = Pattern.compile("header:[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	private ClientChecks() {
	}

	static void requireHosts(String property, List<String> hosts) {
		hosts.forEach((host) -> SettingChecks.require(HostPattern.isValid(host), property, host, "is no host",
				"Write it without scheme, port and path, such as api.example.com or *.example.com"));
	}

	static void requireKey(String property, @Nullable String key) {
		if (key != null) {
			SettingChecks.require(!key.isBlank() && (!key.startsWith("header:") || HEADER.matcher(key).matches()),
					property, key, "names no client to be counted",
					"Use host, header:NAME, or a text that is the same for all calls");
		}
	}

	/** The checks that need the rules. */
	static void requireRules(Map<String, RateLimitProperties.Client> clients, CompiledRules rules) {
		clients.forEach((name, client) -> {
			String property = "clients." + name;
			SettingChecks.require(client.rule() != null, property + ".rule", "", "is missing",
					"Name the rule that limits these calls");
			SettingChecks.require(!client.hosts().isEmpty(), property + ".hosts", "", "is missing",
					"Name the hosts that are called, such as api.example.com");
			RLConfig rule = rules.ruleSet()
				.find(client.ruleId())
				.orElseThrow(() -> SettingChecks.invalid(property + ".rule", client.ruleId(), "is no rule",
						"The rules are " + rules.ruleSet().rules().stream().map(RLConfig::id).sorted().toList()));
			SettingChecks.require(rules.find(rule.id()).filter((enabled) -> !enabled.givesTurns()).isEmpty(),
					property + ".rule", rule.id(), "is a rule under which no call can wait",
					"Give it algorithm sliding-window-log, mode strict and count-rejected false");
			SettingChecks.require(rule.key().sources().size() == 1, property + ".rule", rule.id(),
					"has a key of several values, of which a call has only one",
					"Give the rule a key of one value, or key: global");
			SettingChecks.require(!isGlobal(rule) || client.key() == null, property + ".key",
					String.valueOf(client.key()),
					"is never looked at, because rule '" + rule.id() + "' has key: global",
					"Remove it, or give the rule another key");
		});
	}

	/** A client is created with or without a key, which cannot change afterwards. */
	static void requireSameKeys(Map<String, RateLimitProperties.Client> clients, CompiledRules before,
			CompiledRules after) {
		clients.forEach((name, client) -> {
			RLConfig rule = after.ruleSet().find(client.ruleId()).orElseThrow();
			SettingChecks.require(
					before.ruleSet().find(rule.id()).filter((old) -> isGlobal(old) != isGlobal(rule)).isEmpty(),
					"clients." + name + ".rule", rule.id(),
					"has %skey: global now, which a client cannot follow".formatted(isGlobal(rule) ? "" : "no "),
					"Restart the application, or leave the key of this rule as it was");
		});
	}

	static boolean isGlobal(RLConfig rule) {
		return rule.key().has(KeySource.Kind.GLOBAL);
	}

}
