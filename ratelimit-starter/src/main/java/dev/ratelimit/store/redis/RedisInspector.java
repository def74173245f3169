package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.redis.resp.ScriptRunner;

/**
 * Looks at the keys of clients with the scripts that decide, which are kept from writing;
 * needs no rights beside theirs.
 */
final class RedisInspector implements Inspector {

	/** Shorter than any that was given to a request: no log knows it. */
	private static final PermitId NOBODY = new PermitId("-");

	private final ScriptRunner runner;

	private final ScriptCalls calls;

	private final Script reset = Script.load("Reset.lua");

	RedisInspector(ScriptRunner runner, ScriptCalls calls) {
		this.runner = runner;
		this.calls = calls;
	}

	@Override
	public Inspection peek(Limit limit, Subject subject, Duration maxWait) {
		Question question = new Question(limit, subject, 1, NOBODY);
		ScriptCall call = this.calls.peek(question);
		this.runner.run(List.of(call), maxWait);
		Answer answer = RedisStore.answer(call, question);
		if (answer instanceof Answer.Failed failed) {
			return new Inspection.Failed(failed.failure());
		}
		return new Inspection.Found(usage(answer));
	}

	private static List<Usage> usage(Answer answer) {
		return (answer instanceof Answer.Refused refused) ? refused.usage() : ((Answer.Admitted) answer).usage();
	}

	@Override
	public Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait) {
		ScriptCall call = this.calls.reset(new Question(limit, subject, 1, NOBODY), this.reset);
		this.runner.run(List.of(call), maxWait);
		return (call.outcome() instanceof ScriptCall.Failed failed) ? Optional.of(failed.answer().failure())
				: Optional.empty();
	}

}
