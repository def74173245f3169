package dev.ratelimit.rule;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.rule.Mode.Leased;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.Mode.Synced;
import dev.ratelimit.rule.OnLimit.Delay;
import dev.ratelimit.rule.OnLimit.Enqueue;
import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.RuleScope.Everywhere;
import dev.ratelimit.rule.RuleScope.ScopeKind;

/**
 * The values of the keys of one rule, as {@link RuleKey#parse} has read them. The options
 * of a choice, such as those of a mode, become its record when all of them are known.
 */
public final class RuleValues {

	private final Map<RuleKey, Object> values = new EnumMap<>(RuleKey.class);

	/**
	 * Set the value of a key.
	 * @param key the key
	 * @param elements the elements of the value; one if it is no list
	 * @return this
	 * @throws InvalidRuleException if the elements do not go together
	 */
	public RuleValues put(RuleKey key, List<?> elements) {
		this.values.put(key, switch (key) {
			case COUNT_ON -> new CountOn(elements.stream().map(CountOn.Statuses.class::cast).toList());
			case REFUSAL_BODY -> Refusal.Body.requireText((String) elements.get(0));
			default -> (key.kind() == ValueKind.LIST) ? elements : elements.get(0);
		});
		return this;
	}

	/** The value must be of the type of the default with which the key is read. */
	void set(RuleKey key, Object value) {
		this.values.put(key, value);
	}

	/**
	 * Remove the value of a key.
	 * @param key the key
	 */
	public void remove(RuleKey key) {
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
	public boolean has(RuleKey key) {
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
	<E> E get(RuleKey key, E standard) {
		return (E) this.values.getOrDefault(key, standard);
	}

	/**
	 * Start a rule that has the values.
	 * @param id its id
	 * @return the rule, without its allowances
	 */
	public RLConfigBuilder rule(String id) {
		RuleValues copy = new RuleValues();
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

	/** The key with such values. */
	static RuleKey keyOf(Enum<?> choice) {
		return (choice instanceof Algorithm) ? RuleKey.ALGORITHM : (choice instanceof ModeKind) ? RuleKey.MODE
				: (choice instanceof ScopeKind) ? RuleKey.SCOPE : RuleKey.ON_LIMIT;
	}

	/** An algorithm that is not known yet may be any. */
	boolean hasAny(List<? extends Enum<?>> choices) {
		RuleKey key = keyOf(choices.get(0));
		return (key == RuleKey.ALGORITHM && !has(key)) || choices.contains(choice(key));
	}

	Enum<?> choice(RuleKey key) {
		return switch (key) {
			case ALGORITHM -> get(key, Algorithm.SLIDING_WINDOW_LOG);
			case MODE -> get(key, ModeKind.STRICT);
			case SCOPE -> get(key, ScopeKind.DATACENTER);
			default -> get(key, OnLimitKind.REJECT);
		};
	}

	boolean isDelayingBucket() {
		return choice(RuleKey.ON_LIMIT) == OnLimitKind.DELAY
				&& get(RuleKey.ALGORITHM, Algorithm.SLIDING_WINDOW_LOG).isBucket();
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
		Everywhere standard = RuleScope.EVERYWHERE;
		return switch (get(RuleKey.SCOPE, ScopeKind.DATACENTER)) {
			case DATACENTER -> RuleScope.DATACENTER;
			case EVERYWHERE -> new Everywhere(get(RuleKey.GUARANTEED_SHARE, standard.guaranteedSharePercent()),
					get(RuleKey.POOL_OVERSHOOT, standard.poolOvershootPercent()),
					get(RuleKey.EXCHANGE_INTERVAL, standard.exchangeInterval()));
		};
	}

	OnLimit onLimit() {
		Delay delay = OnLimit.DELAY;
		Enqueue enqueue = OnLimit.ENQUEUE;
		return switch (get(RuleKey.ON_LIMIT, OnLimitKind.REJECT)) {
			case REJECT -> OnLimit.REJECT;
			case DELAY -> new Delay(get(RuleKey.MAX_WAIT, delay.maxWait()), get(RuleKey.MAX_QUEUE, delay.maxQueue()));
			case ENQUEUE -> new Enqueue(get(RuleKey.ENQUEUE_HEADERS, enqueue.headers()),
					get(RuleKey.ENQUEUE_MAX_BODY, enqueue.maxBodyBytes()), get(RuleKey.MAX_QUEUE, enqueue.maxQueue()),
					get(RuleKey.ENQUEUE_MAX_TOTAL, enqueue.maxTotal()),
					get(RuleKey.ENQUEUE_MAX_BYTES, enqueue.maxBytes()), get(RuleKey.ENQUEUE_MAX_AGE, enqueue.maxAge()));
		};
	}

	Refusal refusal() {
		Optional<Refusal.Body> body = has(RuleKey.REFUSAL_BODY) ? Optional
			.of(new Refusal.Body(get(RuleKey.REFUSAL_BODY, ""), get(RuleKey.REFUSAL_CONTENT_TYPE, Refusal.Body.JSON)))
				: Optional.empty();
		return new Refusal(get(RuleKey.REFUSAL_STATUS, Refusal.PROBLEM.status()), body);
	}

}
