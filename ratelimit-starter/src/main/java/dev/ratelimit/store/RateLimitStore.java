package dev.ratelimit.store;

import java.util.List;

/**
 * Counts. A store knows neither HTTP nor policy, is safe for concurrent use, and never
 * throws: what goes wrong is an {@link Answer.Failed}, for its own question only.
 */
public interface RateLimitStore extends AutoCloseable {

	/**
	 * Ask for permits. Each question is decided atomically over all its thresholds, all
	 * or nothing, on the store's own clock; the questions of one call are independent of
	 * each other.
	 * @param questions the questions, at least one
	 * @return one answer per question, in their order
	 */
	List<Answer> ask(List<Question> questions);

	/**
	 * Give permits back as if they had never been taken. A log knows its permits by name,
	 * so that giving back is idempotent and a permit that was never taken is no error; a
	 * counter takes back what is shown to it with a receipt, once. Refusals that were
	 * counted stay counted.
	 * @param permits the permits
	 * @return one entry per permit, in their order: whether the store acknowledged it. A
	 * permit that was not acknowledged may stay counted until its window has passed.
	 */
	List<Boolean> giveBack(List<Taken> permits);

	/**
	 * A name for the start-up line, without credentials.
	 * @return for example {@code memory} or {@code Redis Cluster at 10.0.0.1:6379}
	 */
	String describe();

	@Override
	void close();

}
