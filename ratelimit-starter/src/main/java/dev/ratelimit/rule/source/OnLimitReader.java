package dev.ratelimit.rule.source;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.Stage;

/**
 * Reads what happens to requests that exceed the limit of one rule. An incompatible key
 * of the rule itself is an error; an incompatible default is ignored.
 */
final class OnLimitReader {

	private static final String ON_LIMIT = "on-limit";

	private static final String MAX_QUEUE = "max-queue";

	private static final String HEADERS = "enqueue.headers";

	private final KeyReader keys;

	private final Optional<Algorithm> algorithm;

	private final Optional<OnLimitKind> written;

	/**
	 * Create a reader.
	 * @param keys the keys of the rule
	 * @param algorithm its algorithm; empty if it is unknown
	 */
	OnLimitReader(KeyReader keys, Optional<Algorithm> algorithm) {
		this.keys = keys;
		this.algorithm = algorithm;
		this.written = keys.one(ON_LIMIT, Values.oneOf(OnLimitKind.class));
	}

	/**
	 * Whether the rule itself has a setting that is not compatible with all other keys.
	 * @return whether it does; defaults that contradict it are then ignored
	 */
	boolean isOwn() {
		return this.keys.isOwn(ON_LIMIT) && this.written.filter((kind) -> kind != OnLimitKind.REJECT).isPresent();
	}

	/**
	 * Read what happens to these requests.
	 * @param everyRequestCounts whether the rule acquires a permit from the store for
	 * every request that it admits and for no other, and never releases it
	 * @return what happens to them
	 */
	OnLimit read(boolean everyRequestCounts) {
		OnLimitKind kind = this.written
			.filter((found) -> this.keys.isOwn(ON_LIMIT) || (everyRequestCounts && fits(found)))
			.orElse(OnLimitKind.REJECT);
		Set<OnLimitKind> delay = Set.of(OnLimitKind.DELAY);
		Set<OnLimitKind> enqueue = Set.of(OnLimitKind.ENQUEUE);
		Optional<Duration> maxWait = one("max-wait", delay, kind, OnLimit.Delay::parseMaxWait);
		Optional<Integer> maxQueue = one(MAX_QUEUE, Set.of(OnLimitKind.DELAY, OnLimitKind.ENQUEUE), kind,
				this::parseMaxQueue);
		Optional<List<String>> headers = headers(kind);
		Optional<Integer> maxBody = one("enqueue.max-body", enqueue, kind, OnLimit.Enqueue::parseMaxBody);
		Optional<Integer> maxTotal = one("enqueue.max-total", enqueue, kind,
				(text) -> OnLimit.parseCount("enqueue.max-total", text));
		Optional<Long> maxBytes = one("enqueue.max-bytes", enqueue, kind, OnLimit.Enqueue::parseMaxBytes);
		Optional<Duration> maxAge = one("enqueue.max-age", enqueue, kind, OnLimit.Enqueue::parseMaxAge);
		return switch (kind) {
			case REJECT -> OnLimit.REJECT;
			case DELAY ->
				new OnLimit.Delay(maxWait.orElse(OnLimit.DELAY.maxWait()), maxQueue.orElse(OnLimit.DELAY.maxQueue()));
			case ENQUEUE -> new OnLimit.Enqueue(headers.orElse(OnLimit.ENQUEUE.headers()),
					maxBody.orElse(OnLimit.ENQUEUE.maxBodyBytes()), maxQueue.orElse(OnLimit.ENQUEUE.maxQueue()),
					maxTotal.orElse(OnLimit.ENQUEUE.maxTotal()), maxBytes.orElse(OnLimit.ENQUEUE.maxBytes()),
					maxAge.orElse(OnLimit.ENQUEUE.maxAge()));
		};
	}

	private boolean fits(OnLimitKind kind) {
		return switch (kind) {
			case REJECT -> true;
			case DELAY -> this.algorithm.stream().allMatch(kind.algorithms()::contains);
			case ENQUEUE -> this.keys.one("stage", Values.oneOf(Stage.class))
				.filter((stage) -> stage == Stage.BEFORE_SECURITY)
				.isEmpty();
		};
	}

	/** The burst of a leaky bucket defines how many requests fit. */
	private int parseMaxQueue(String text) {
		int maxQueue = OnLimit.parseCount(MAX_QUEUE, text);
		boolean delay = this.written.filter((kind) -> kind == OnLimitKind.DELAY).isPresent();
		if (delay && this.keys.isOwn(MAX_QUEUE) && this.algorithm.stream().anyMatch(Algorithm::isBucket)) {
			throw new InvalidRuleException(MAX_QUEUE, text,
					"does not go with algorithm leaky-bucket, whose burst says how many fit",
					"Remove max-queue, and write the burst: thresholds: [{threshold: 1, window: 1s, burst: 3}]");
		}
		return maxQueue;
	}

	private Optional<List<String>> headers(OnLimitKind kind) {
		Optional<List<String>> headers = this.keys.many(HEADERS, TextList::split,
				(text) -> OnLimit.Enqueue.parseHeader(text.strip()));
		if (headers.isPresent() && kind != OnLimitKind.ENQUEUE && this.keys.isOwn(HEADERS)) {
			this.keys.place(HEADERS).ifPresent((place) -> this.keys.values().make(place, () -> {
				throw belongsTo(HEADERS, String.join(", ", headers.get()), Set.of(OnLimitKind.ENQUEUE), kind);
			}));
		}
		return headers;
	}

	private <T> Optional<T> one(String key, Set<OnLimitKind> owners, OnLimitKind kind, Function<String, T> converter) {
		return this.keys.one(key, (text) -> {
			T value = converter.apply(text);
			if (!owners.contains(kind) && this.keys.isOwn(key)) {
				throw belongsTo(key, text, owners, kind);
			}
			return value;
		});
	}

	private static InvalidRuleException belongsTo(String key, String text, Set<OnLimitKind> owners, OnLimitKind kind) {
		return new InvalidRuleException(key, text, "does not go with on-limit " + kind.text(), "Use on-limit "
				+ String.join(" or ", owners.stream().sorted().map(OnLimitKind::text).toList()) + ", or remove " + key);
	}

}
