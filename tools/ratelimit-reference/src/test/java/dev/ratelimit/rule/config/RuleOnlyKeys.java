package dev.ratelimit.rule.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.config.ReferencePage.Property;

/**
 * The keys that only a rule, a client or a data centre has. Metadata cannot describe keys
 * below a name that the user chooses.
 */
final class RuleOnlyKeys {

	private static final String ALLOWANCE_FORMS = "thresholds, `unlimited` or `blocked`";

	private static final Map<String, Property> CLIENT_KEYS = Map.of("clients.rule", new Property("a text", "required",
			"Id of the rule, which must give turns: algorithm sliding-window-log, mode strict, count-rejected false."),
			"clients.hosts",
			new Property("a text or a list of texts", "required",
					"Hosts that are called. `*.example.com` is every host below example.com."),
			"clients.key",
			new Property("`host`, `header:NAME`, or a text that is the same for all calls", "host",
					"What calls are counted by, unless the rule has key: global."),
			"clients.max-wait",
			new Property("a duration, such as `500ms`", "2s", "Longest time a call waits for its turn, 0s to 1d."));

	private static final Map<String, Property> PEER_KEYS = Map.ofEntries(
			Map.entry("peers.host", new Property("a text", "localhost", "Host.")),
			Map.entry("peers.port", new Property("a whole number", "6379", "Port.")),
			Map.entry("peers.database", new Property("a whole number", "0", "Number of the database.")),
			Map.entry("peers.url",
					new Property("`redis://user:password@host:port/database`, or `rediss://` for TLS", "",
							"URL, instead of host, port, database, user and password.")),
			Map.entry("peers.username", new Property("a text", "", "User.")),
			Map.entry("peers.password", new Property("a text", "", "Password.")),
			Map.entry("peers.ssl.enabled",
					new Property("`true`, `false`", "false",
							"Whether connections are encrypted; with a bundle they are.")),
			Map.entry("peers.ssl.bundle", new Property("a text", "", "Name of an SSL bundle.")),
			Map.entry("peers.cluster.nodes",
					new Property("a text or a list of texts", "", "Some nodes of a Redis Cluster, as host:port.")),
			Map.entry("peers.sentinel.master", new Property("a text", "", "Name of the master.")),
			Map.entry("peers.sentinel.nodes",
					new Property("a text or a list of texts", "", "The Sentinels, as host:port.")),
			Map.entry("peers.sentinel.username", new Property("a text", "", "User of the Sentinels.")),
			Map.entry("peers.sentinel.password", new Property("a text", "", "Password of the Sentinels.")));

	/** The values and the default of each. */
	private static final Map<String, List<String>> RULE_KEYS = Map.of("methods",
			List.of("a text or a list of texts", "every method"), "paths", List.of("a text or a list of texts", ""),
			"thresholds", List.of("`<threshold>/<window>`, or a list of these and of the long form", "required"),
			"plans", List.of("a map of names to " + ALLOWANCE_FORMS, ""), "overrides", List.of("a list", ""));

	private static final Map<String, Property> KEYS = Map.of("thresholds.threshold",
			new Property("a whole number, 1 to 999999999999999", "required", "Number of permits in a window."),
			"thresholds.window",
			new Property("`500ms`, `2s`, `1m`, `24h`, `1d`, up to 400 days; or a unit alone, such as `minute`",
					"required", "Length of the window."),
			"thresholds.burst",
			new Property("a whole number", "the threshold", "Capacity of a bucket, for token-bucket and leaky-bucket."),
			"overrides.key",
			new Property("a text; for a key of several sources a list of texts", "required",
					"Customer as the key of the rule finds it. For ip an address or a CIDR range."),
			"overrides.thresholds", new Property(ALLOWANCE_FORMS, "required", "What this customer gets."));

	private RuleOnlyKeys() {
	}

	static Property of(RuleOption key) {
		List<String> forms = Objects.requireNonNull(RULE_KEYS.get(key.text()),
				() -> "Describe the values of " + key.text() + " in RuleOnlyKeys");
		return new Property(forms.get(0), forms.get(1), key.meaning());
	}

	static Property of(String key) {
		return Objects.requireNonNull(KEYS.getOrDefault(key, CLIENT_KEYS.getOrDefault(key, PEER_KEYS.get(key))),
				() -> "Describe " + key + " in RuleOnlyKeys");
	}

}
