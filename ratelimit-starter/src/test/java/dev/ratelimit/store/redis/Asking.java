package dev.ratelimit.store.redis;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;

/**
 * Short forms of questions.
 */
public final class Asking {

	private static final PermitIds IDS = new PermitIds(new SecureRandom());

	private Asking() {
	}

	public static Question question(Limit limit, String subject) {
		return question(limit, subject, 1);
	}

	public static Question question(Limit limit, String subject, long cost) {
		return new Question(limit, new Subject(subject), cost, IDS.next());
	}

	public static Answer ask(RateLimitStore store, Limit limit, String subject) {
		return ask(store, question(limit, subject));
	}

	public static Answer ask(RateLimitStore store, Question question) {
		return ask(store, question, Patience.LONG);
	}

	public static Answer ask(RateLimitStore store, Question question, Duration maxWait) {
		return store.ask(List.of(question), maxWait).get(0);
	}

	public static boolean isAdmitted(Answer answer) {
		return answer instanceof Answer.Admitted;
	}

	public static Answer failed(StoreFailure failure, Fate fate) {
		return new Answer.Failed(failure, fate);
	}

	public static String key(Question question) {
		return SharedRedis.PREFIX + ":{" + question.limit().rule() + ":" + question.subject().text() + "}:"
				+ question.limit().algorithm().letter() + "1";
	}

}
