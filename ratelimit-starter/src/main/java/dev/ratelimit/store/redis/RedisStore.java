package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/**
 * Counts in Redis: one script call, and so one round trip, per question.
 */
public final class RedisStore implements RateLimitStore {

	private static final byte[] ONE = ascii("1");

	/**
	 * Changes with the form of what is stored, so that releases side by side do not mix.
	 */
	private static final char SCHEMA_VERSION = '1';

	private final ScriptRunner runner;

	private final String keyPrefix;

	private final Script take;

	private final Script giveBack;

	RedisStore(ScriptRunner runner, String keyPrefix, Script take, Script giveBack) {
		this.runner = runner;
		this.keyPrefix = keyPrefix;
		this.take = take;
		this.giveBack = giveBack;
	}

	/**
	 * Open connections of the limiter's own. Redis may be absent: until it is there,
	 * every question is answered with a failure.
	 * @param details where Redis is, and how to get in
	 * @param settings the limiter's own settings
	 * @return the store
	 * @throws IllegalStateException if a script is missing from the class path, or if the
	 * details describe something that a limiter cannot count on
	 */
	public static RedisStore connect(DataRedisConnectionDetails details, RedisStoreSettings settings) {
		Script take = Script.load("SlidingWindowLog.lua", "Clock.lua");
		Script giveBack = Script.load("SlidingWindowLogGiveBack.lua");
		return new RedisStore(new RedisConnections(details, settings).open(), settings.keyPrefix(), take, giveBack);
	}

	@Override
	public List<Answer> ask(List<Question> questions) {
		List<ScriptCall> calls = new ArrayList<>(questions.size());
		for (Question question : questions) {
			calls.add(call(this.take, question, question.cost(), question.limit().arguments()));
		}
		this.runner.run(calls);
		List<Answer> answers = new ArrayList<>(questions.size());
		for (int i = 0; i < calls.size(); i++) {
			answers.add(answer(calls.get(i), questions.get(i).limit()));
		}
		return answers;
	}

	@Override
	public List<Boolean> giveBack(List<Question> questions) {
		List<ScriptCall> calls = new ArrayList<>(questions.size());
		for (Question question : questions) {
			// Nobody was ever given more than the smallest threshold.
			long cost = Math.min(question.cost(), question.limit().smallestCount());
			calls.add(call(this.giveBack, question, cost, List.of()));
		}
		this.runner.run(calls);
		return calls.stream().map((call) -> call.outcome() instanceof ScriptCall.Replied).toList();
	}

	private ScriptCall call(Script script, Question question, long cost, List<byte[]> limitArguments) {
		List<byte[]> arguments = new ArrayList<>(limitArguments.size() + 2);
		arguments.add(ascii(question.permit().text()));
		arguments.add((cost == 1) ? ONE : ascii(Long.toString(cost)));
		arguments.addAll(limitArguments);
		return new ScriptCall(script, key(question), arguments);
	}

	private byte[] key(Question question) {
		Limit limit = question.limit();
		String key = this.keyPrefix + ":{" + limit.rule() + ":" + question.subject().text() + "}:"
				+ limit.algorithm().letter() + SCHEMA_VERSION;
		return key.getBytes(StandardCharsets.UTF_8);
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static Answer answer(ScriptCall call, Limit limit) {
		if (call.outcome() instanceof ScriptCall.Replied replied) {
			return UsageReply.read(replied.reply(), limit);
		}
		return ((ScriptCall.Failed) call.outcome()).answer();
	}

	@Override
	public String describe() {
		return this.runner.describe();
	}

	@Override
	public void close() {
		this.runner.close();
	}

}
