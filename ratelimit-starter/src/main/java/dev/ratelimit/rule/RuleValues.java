package dev.ratelimit.rule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.ratelimit.rule.Mode.Leased;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.Mode.Synced;
import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.RuleScope.ScopeKind;

/**
 * The values of the keys of one rule, as {@link RuleCatalogue#parse} has read them. The
 * options of a choice, such as those of a mode, become its record when all of them are
 * known.
 */
public final class RuleValues {

	private final RuleCatalogue catalogue;

	private final Map<RuleOption, Object> values = new HashMap<>();

	/**
	 * Start without a value.
	 * @param catalogue the keys that the rule may have
	 */
	public RuleValues(RuleCatalogue catalogue) {
		this.catalogue = catalogue;
	}

	/**
	 * Set the value of a key.
	 * @param key the key
	 * @param elements the elements of the value; one if it is no list
	 * @return this
	 * @throws InvalidRuleException if the elements do not go together
	 */
	public RuleValues put(RuleOption key, List<?> elements) {
		if (key == RuleKey.COUNT_ON) {
			this.values.put(key, new CountOn(elements.stream().map(CountOn.Statuses.class::cast).toList()));
		}
		else if (key == RuleKey.REFUSAL_BODY) {
			this.values.put(key, Refusal.Body.requireText((String) elements.get(0)));
		}
		else {
			this.values.put(key, (key.kind() == ValueKind.LIST) ? elements : elements.get(0));
		}
		return this;
	}

	/** The value must be of the type of the default with which the key is read. */
	void set(RuleOption key, Object value) {
		this.values.put(key, value);
	}

	/**
	 * Remove the value of a key.
	 * @param key the key
	 */
	public void remove(RuleOption key) {
		this.values.remove(key);
	}

	/**
	 * The algorithm.
	 * @return the algorithm; empty if it is not known
	 */
	public Optional<Algorithm> algorithm() {
		return Optional.ofNullable((Algorithm) this.values.get(RuleKey.ALGORITHM));
	}

	/**
	 * Whether a key has a value.
	 * @param key the key
	 * @return whether it was set
	 */
	public boolean has(RuleOption key) {
		return this.values.containsKey(key);
	}

	/**
	 * Get the value of a key.
	 * @param <E> its type, which is that of the default
	 * @param key the key
	 * @param standard the default
	 * @return the value, or the default
	 */
	@SuppressWarnings("unchecked")
	public <E> E get(RuleOption key, E standard) {
		return (E) this.values.getOrDefault(key, standard);
	}

	/**
	 * Start a rule that has the values.
	 * @param id its id
	 * @return the rule, without its allowances
	 */
	public RLConfigBuilder rule(String id) {
		RuleValues copy = new RuleValues(this.catalogue);
		copy.values.putAll(this.values);
		return new RLConfigBuilder(id, copy);
	}

	/**
	 * Find a contradiction between the keys that restrict each other.
	 * @return the contradiction; empty if they go together
	 */
	public Optional<InvalidRuleException> contradiction() {
		try {
			rule("trial").requireChoices();
			return Optional.empty();
		}
		catch (InvalidRuleException ex) {
			return Optional.of(ex);
		}
	}

	/**
	 * Whether a key applies to the rule.
	 * @param option the key
	 * @return whether it has a meaning there
	 */
	public boolean takes(RuleOption option) {
		if (option == RuleKey.REFUSAL_CONTENT_TYPE) {
			return has(RuleKey.REFUSAL_BODY);
		}
		List<? extends RuleChoice> owners = this.catalogue.owners(option);
		return owners.isEmpty() || owners.stream().anyMatch(this::mayHave);
	}

	/** An algorithm that is not known yet may be any. */
	private boolean mayHave(RuleChoice choice) {
		return (choice.key() == RuleKey.ALGORITHM && !has(RuleKey.ALGORITHM)) || choice(choice.key()) == choice;
	}

	/**
	 * Require that a key applies to the rule, which has it.
	 * @param option the key
	 * @param value its value as it was written
	 * @throws InvalidRuleException if it does not; it names the rules to which it applies
	 */
	public void requireTakes(RuleOption option, String value) {
		if (option == RuleKey.MAX_QUEUE && choice(RuleKey.ON_LIMIT) == OnLimitKind.DELAY
				&& get(RuleKey.ALGORITHM, Algorithm.SLIDING_WINDOW_LOG).isBucket()) {
			throw new InvalidRuleException(option.text(), value,
					"does not go with algorithm leaky-bucket, whose burst is the size of its queue",
					"Remove max-queue, and write the burst: thresholds: [{threshold: 1, window: 1s, burst: 3}]");
		}
		if (takes(option)) {
			return;
		}
		if (option == RuleKey.REFUSAL_CONTENT_TYPE) {
			throw new InvalidRuleException(option.text(), value, "has no effect without refusal.body",
					"Add refusal.body, or remove refusal.content-type");
		}
		List<? extends RuleChoice> owners = this.catalogue.owners(option);
		RuleKey owner = owners.get(0).key();
		throw new InvalidRuleException(option.text(), value,
				"does not go with " + owner.text() + " " + choice(owner).text(),
				"Use " + owner.text() + " " + owners.stream().map(RuleChoice::text).collect(Collectors.joining(" or "))
						+ ", or remove " + option.text());
	}

	private RuleChoice choice(RuleKey key) {
		return switch (key) {
			case ALGORITHM -> get(key, Algorithm.SLIDING_WINDOW_LOG);
			case MODE -> get(key, ModeKind.STRICT);
			case SCOPE -> get(key, (RuleChoice) ScopeKind.DATACENTER);
			default -> get(key, (RuleChoice) OnLimitKind.REJECT);
		};
	}

	Mode mode() {
		return switch (get(RuleKey.MODE, ModeKind.STRICT)) {
			case STRICT -> Mode.STRICT;
			case LEASED ->
				new Leased(get(RuleKey.LEASE_TIME, Mode.LEASED.time()), get(RuleKey.LEASE_SIZE, Mode.LEASED.size()));
			case SYNCED -> new Synced(get(RuleKey.SYNC_INTERVAL, Mode.SYNCED.interval()),
					get(RuleKey.MAX_OVERSHOOT, Mode.SYNCED.maxOvershootPercent()));
		};
	}

	RuleScope scope() {
		return (RuleScope) get(RuleKey.SCOPE, (OpenChoice) ScopeKind.DATACENTER).terms(this);
	}

	OnLimit onLimit() {
		return (OnLimit) get(RuleKey.ON_LIMIT, (OpenChoice) OnLimitKind.REJECT).terms(this);
	}

	Refusal refusal() {
		Optional<Refusal.Body> body = has(RuleKey.REFUSAL_BODY) ? Optional
			.of(new Refusal.Body(get(RuleKey.REFUSAL_BODY, ""), get(RuleKey.REFUSAL_CONTENT_TYPE, Refusal.Body.JSON)))
				: Optional.empty();
		return new Refusal(get(RuleKey.REFUSAL_STATUS, Refusal.PROBLEM.status()), body);
	}

}
