package dev.ratelimit.limiter.deny;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;

/**
 * A refusal that is remembered, and what was made of it last. Safe for concurrent use.
 */
public final class Denial {

	private final Question question;

	private final List<Usage> usage;

	private final long answeredNanos;

	private final long endNanos;

	private volatile Told told = new Told(-1, Optional.empty());

	/**
	 * Remember a refusal.
	 * @param question what was asked
	 * @param usage what the store found
	 * @param answeredNanos when its answer was there, on the monotonic clock
	 * @param endNanos until when it holds, on the same clock
	 */
	public Denial(Question question, List<Usage> usage, long answeredNanos, long endNanos) {
		this.question = question;
		this.usage = List.copyOf(usage);
		this.answeredNanos = answeredNanos;
		this.endNanos = endNanos;
	}

	Question question() {
		return this.question;
	}

	long answeredNanos() {
		return this.answeredNanos;
	}

	long endNanos() {
		return this.endNanos;
	}

	boolean isOf(Limit limit, Subject subject, long cost) {
		return this.question.limit() == limit && this.question.cost() == cost
				&& this.question.subject().equals(subject);
	}

	boolean isOf(String rule, Subject subject) {
		return this.question.limit().rule().equals(rule) && this.question.subject().equals(subject);
	}

	boolean holds(long nowNanos) {
		return this.endNanos - nowNanos > 0;
	}

	/**
	 * What the store found.
	 * @return where its windows stood
	 */
	public List<Usage> usage() {
		return this.usage;
	}

	/**
	 * How old it is. Times run from when the store's answer was there, which is a little
	 * later than what it was about: nobody is told to come back too early.
	 * @param nowNanos the time on the monotonic clock
	 * @return its age, rounded down to milliseconds
	 */
	public long ageMillis(long nowNanos) {
		return Math.max(0, nowNanos - this.answeredNanos) / 1_000_000;
	}

	/**
	 * What somebody was told at that age.
	 * @param ageMillis the age
	 * @return the decision; nothing if whoever asks is the first
	 */
	public Optional<RateLimitDecision> told(long ageMillis) {
		Told last = this.told;
		return (last.ageMillis() == ageMillis) ? last.decision() : Optional.empty();
	}

	/**
	 * Keep a decision for those who come in the same millisecond.
	 * @param ageMillis the age
	 * @param decision what is told at that age
	 */
	public void tell(long ageMillis, RateLimitDecision decision) {
		this.told = new Told(ageMillis, Optional.of(decision));
	}

	/**
	 * What the store would find in one window if nobody else was counted since. What is
	 * left is told as it was, though more may be free by now in a window that lets
	 * somebody else in.
	 * @param index the place of the window in {@link #usage()}
	 * @param ageMillis the age
	 * @return where the window stands
	 */
	public Usage usage(int index, long ageMillis) {
		long elapsedMicros = ageMillis * 1000;
		Usage then = this.usage.get(index);
		long retryMicros = (then.retryMicros() == Usage.NEVER) ? Usage.NEVER
				: Math.max(0, then.retryMicros() - elapsedMicros);
		return new Usage(then.remaining(), Math.max(0, then.resetMicros() - elapsedMicros), retryMicros);
	}

	/**
	 * The answer of a millisecond.
	 *
	 * @param ageMillis the age of the refusal then
	 * @param decision the answer
	 */
	private record Told(long ageMillis, Optional<RateLimitDecision> decision) {
	}

}
