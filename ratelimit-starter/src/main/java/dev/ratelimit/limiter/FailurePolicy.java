package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.CompiledAllowance.Limited;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;

/**
 * What a rule does about a question that the store has not answered. No waiting: what it
 * asks instead counts on the heap.
 */
final class FailurePolicy {

	private final Fallback fallback;

	private final Judgement local;

	FailurePolicy(Fallback fallback) {
		this.fallback = fallback;
		this.local = new Judgement(fallback.store(), Source.LOCAL);
	}

	/**
	 * Decide without the store.
	 * @param rule the rule
	 * @param limited what it allows the one who asks
	 * @param question what the store was asked
	 * @param failed why it did not answer
	 * @param taken where permits are noted that were taken instead
	 * @return the decision
	 */
	RateLimitDecision decide(RLConfig rule, Limited limited, Question question, Answer.Failed failed,
			List<Permit> taken) {
		return switch (rule.onStoreFailure()) {
			case ALLOW -> new Allowed(rule.id(), Source.NONE, List.of());
			case DENY -> new Unavailable(rule.id(), wait(failed));
			// Others are counted in the store meanwhile: counted here as well, they would
			// be admitted twice.
			case LOCAL -> (failed.failure() == StoreFailure.OVERLOADED) ? new Unavailable(rule.id(), wait(failed))
					: local(rule, limited, question, wait(failed), taken);
		};
	}

	/** Until the store is asked again. */
	private static Duration wait(Answer.Failed failed) {
		return (failed.retryAfter().compareTo(Judgement.LEAST_WAIT) > 0) ? failed.retryAfter() : Judgement.LEAST_WAIT;
	}

	private RateLimitDecision local(RLConfig rule, Limited limited, Question question, Duration wait,
			List<Permit> taken) {
		Optional<Limit> share = limited.limit(this.fallback.share().get());
		if (share.isEmpty()) {
			Usage nothing = untilTheStoreIsBack(new Usage(0, micros(wait), Usage.NEVER), limited, question, wait);
			return this.local.judge(rule, limited, question,
					new Answer.Refused(Collections.nCopies(limited.limit().size(), nothing)), taken);
		}
		Question locally = new Question(share.get(), question.subject(), question.cost(), question.permit(),
				question.cost(), question.turn());
		Answer answer = this.fallback.store().ask(List.of(locally), wait).get(0);
		if (answer instanceof Answer.Refused refused) {
			answer = new Answer.Refused(refused.usage()
				.stream()
				.map((usage) -> untilTheStoreIsBack(usage, limited, question, wait))
				.toList());
		}
		return this.local.judge(rule, limited, locally, answer, taken);
	}

	/** What is too much for a share may not be too much for the limit. */
	private static Usage untilTheStoreIsBack(Usage usage, Limited limited, Question question, Duration wait) {
		boolean tooMuchForAShareOnly = usage.retryMicros() == Usage.NEVER
				&& question.cost() <= limited.limit().smallestCapacity();
		return tooMuchForAShareOnly ? new Usage(usage.remaining(), usage.resetMicros(), micros(wait)) : usage;
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

}
