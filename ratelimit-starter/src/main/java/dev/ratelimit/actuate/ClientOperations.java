package dev.ratelimit.actuate;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.actuate.descriptor.ClientDescriptor;
import dev.ratelimit.actuate.descriptor.ClientDescriptor.WindowDescriptor;
import dev.ratelimit.actuate.descriptor.HeavyClientDescriptor;
import dev.ratelimit.actuate.insight.HeaviestClients;
import dev.ratelimit.actuate.insight.HeavyClient;
import dev.ratelimit.actuate.insight.Insights;
import dev.ratelimit.limiter.ClientInspector;
import dev.ratelimit.limiter.CompiledAllowance;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.InspectedClient;
import dev.ratelimit.limiter.IpAddress;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.LogFields;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;

/**
 * The endpoint's operations on single clients. A client is identified by its hash or by
 * the key that it is counted by; neither is logged.
 */
public final class ClientOperations {

	/** The number of heaviest clients shown. */
	private static final int SHOWN = 20;

	private static final Inspection NOTHING = new Inspection.Found(List.of());

	private final Supplier<CompiledRules> rules;

	private final SubjectEncoder subjects;

	private final ClientInspector clients;

	private final Insights insights;

	private final OperatorAudit audit;

	private final String store;

	/**
	 * Create the operations.
	 * @param rules the rules in force
	 * @param subjects encodes keys
	 * @param clients inspects clients
	 * @param insights provides the heaviest clients, whose hashes were shown
	 * @param audit records resets
	 * @param store the name of the store
	 */
	public ClientOperations(Supplier<CompiledRules> rules, SubjectEncoder subjects, ClientInspector clients,
			Insights insights, OperatorAudit audit, String store) {
		this.rules = rules;
		this.subjects = subjects;
		this.clients = clients;
		this.insights = insights;
		this.audit = audit;
		this.store = store;
	}

	/** Find the client with a hash. */
	RuleRequest byHash(String rule, String hash, @Nullable String plan) {
		CompiledRule compiled = compiled(rule);
		Subject subject = this.subjects.ofHash(hash, known(rule))
			.orElseThrow(() -> OperatorException.notFound(
					("This instance knows no client of rule '%s' by the hash '%s'. Name the client by what it is counted "
							+ "by: ?key=")
						.formatted(rule, hash)));
		return this.subjects.bySubject(compiled, subject, Optional.ofNullable(plan));
	}

	private List<Subject> known(String rule) {
		return heaviest(rule).map((clients) -> clients.heaviest(Integer.MAX_VALUE))
			.orElse(List.of())
			.stream()
			.map(HeavyClient::subject)
			.toList();
	}

	/** Find the client with a key, or with an address if the request lacks the key. */
	RuleRequest byKey(String rule, @Nullable String key, @Nullable String ip, @Nullable String plan) {
		CompiledRule compiled = compiled(rule);
		List<KeySource> sources = compiled.config().key().sources();
		if (ip != null) {
			requireAddress(ip);
		}
		if (sources.get(0).kind() == KeySource.Kind.GLOBAL) {
			return this.subjects.byKey(compiled, List.of(""), Optional.ofNullable(plan), 1);
		}
		if (key == null && ip != null) {
			return this.subjects.byAddress(compiled, ip, Optional.ofNullable(plan), 1);
		}
		List<String> values = values(compiled.config(), (key != null) ? key : "");
		for (int i = 0; i < values.size(); i++) {
			if (sources.get(i).kind() == KeySource.Kind.IP) {
				requireAddress(values.get(i));
			}
		}
		return this.subjects.byKey(compiled, values, Optional.ofNullable(plan), 1);
	}

	/**
	 * Refuses a host name: it would match no client, and would look like a client without
	 * usage.
	 */
	static void requireAddress(String text) {
		if (IpAddress.parse(text).isEmpty()) {
			throw OperatorException
				.badRequest("'%s' is no IP address: write one such as 192.0.2.1 or 2001:db8::1".formatted(text));
		}
	}

	private static List<String> values(RLConfig rule, String key) {
		List<KeySource> sources = rule.key().sources();
		List<String> values = (sources.size() == 1) ? List.of(key) : List.of(key.split(",", -1));
		if (values.size() != sources.size() || values.stream().anyMatch(String::isBlank)) {
			throw OperatorException.badRequest(
					("Rule '%s' counts by %s: give %d value(s) in ?key=, in this order, with a comma between them. A "
							+ "client that lacks the key and is counted by address goes in ?ip=")
						.formatted(rule.id(), sources, sources.size()));
		}
		return values;
	}

	private CompiledRule compiled(String rule) {
		CompiledRules rules = this.rules.get();
		if (rules.ruleSet().find(rule).isEmpty()) {
			throw unknown(rule, rules);
		}
		return rules.find(rule)
			.orElseThrow(() -> OperatorException
				.badRequest("Rule '%s' counts no client, as it is disabled. Set ratelimit.rules.%s.enabled to true"
					.formatted(rule, rule)));
	}

	static OperatorException unknown(String rule, CompiledRules rules) {
		return OperatorException.notFound("There is no rule '%s'. The rules are: %s".formatted(rule,
				rules.ruleSet().rules().stream().map(RLConfig::id).sorted().toList()));
	}

	/** The clients that this instance has counted for a rule. */
	Optional<HeaviestClients> heaviest(String rule) {
		return this.insights.find(rule);
	}

	/** The clients with the most requests. */
	List<HeavyClientDescriptor> describe(HeaviestClients clients, boolean showValues) {
		return clients.heaviest(SHOWN).stream().map((client) -> {
			Subject subject = client.subject();
			return HeavyClientDescriptor.of(client, this.subjects.hash(subject), address(subject, showValues));
		}).toList();
	}

	private static @Nullable String address(Subject subject, boolean showValues) {
		return showValues ? SubjectEncoder.addressOf(subject).orElse(null) : null;
	}

	/** Inspect a client; acquires no permits. */
	ClientDescriptor inspect(RuleRequest whom, boolean showValues) {
		if (!(whom.allowance() instanceof CompiledAllowance.CompiledLimited limited)) {
			boolean blocked = whom.allowance() instanceof CompiledAllowance.CompiledBlocked;
			return describe(whom, showValues, blocked ? "blocked" : "unlimited", List.of(),
					new InspectedClient(NOTHING, 0, 0));
		}
		requireSupport();
		InspectedClient client = this.clients.inspect(limited.limit(), whom.subject());
		if (client.inspection() instanceof Inspection.NotAvailable failed) {
			throw unavailable(failed.failure(), "what it holds is not known. Try again when it answers");
		}
		return describe(whom, showValues, "limited",
				WindowDescriptor.of(limited.limit(), ((Inspection.Found) client.inspection()).usage()), client);
	}

	private ClientDescriptor describe(RuleRequest whom, boolean showValues, String allowance,
			List<WindowDescriptor> windows, InspectedClient client) {
		RLConfig rule = whom.rule().config();
		return new ClientDescriptor(rule.id(), this.subjects.hash(whom.subject()), address(whom.subject(), showValues),
				allowance, windows, (rule.counting().mode() instanceof Mode.Leased) ? client.leased() : null,
				(rule.counting().mode() instanceof Mode.Synced) ? client.unsynced() : null);
	}

	/** Reset a client. */
	void reset(RuleRequest whom, SecurityContext operator) {
		requireSupport();
		Optional<StoreFailure> failure = this.clients.reset(whom.rule(), whom.subject());
		this.audit.reset(operator, whom.rule().config().id(), this.subjects.hash(whom.subject()), failure.isEmpty());
		if (failure.isPresent()) {
			throw unavailable(failure.get(), "it may still count the client. Try again when it answers");
		}
	}

	private void requireSupport() {
		if (!this.clients.isSupported()) {
			throw OperatorException
				.unavailable("The store %s does not support looking at its clients".formatted(this.store));
		}
	}

	private OperatorException unavailable(StoreFailure failure, String consequence) {
		return OperatorException.unavailable(
				"The store %s did not answer (%s): %s".formatted(this.store, LogFields.text(failure), consequence));
	}

}
