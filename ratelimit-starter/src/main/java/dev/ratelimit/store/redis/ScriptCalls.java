package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.Taken;
import dev.ratelimit.store.WaitRange;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;

/**
 * Turns questions and permits into calls of scripts.
 */
final class ScriptCalls {

	private static final byte[] ONE = ascii("1");

	/** Behind the id of permits that have a turn. */
	private static final String TURN = "~";

	/**
	 * Changes with the form of what is stored, so that releases side by side do not mix.
	 */
	private static final byte SCHEMA_VERSION = '1';

	private final byte[] keyStart;

	private final Map<Algorithm, AlgorithmScripts> scripts;

	/**
	 * Turn them into calls.
	 * @param keyPrefix the start of every key
	 * @param scripts the scripts by algorithm
	 */
	ScriptCalls(String keyPrefix, Map<Algorithm, AlgorithmScripts> scripts) {
		this.keyStart = (keyPrefix + ":{").getBytes(StandardCharsets.UTF_8);
		this.scripts = scripts;
	}

	ScriptCall take(Question question, ScriptCall.Afterwards afterwards) {
		if (question.turn().isPresent()) {
			WaitRange wait = question.turn().get();
			String numbers = question.cost() + " " + wait.notBeforeMicros() + " " + wait.notAfterMicros() + " "
					+ wait.maxQueue();
			return call(scripts(question).turn().orElseThrow().take(), question, question.permit().text(),
					ascii(numbers), question.limit().arguments(), afterwards);
		}
		if (question.isAhead()) {
			return call(scripts(question).reserve(), question, ascii(question.wanted() + " " + question.cost()),
					question.limit().arguments(), afterwards);
		}
		return call(scripts(question).take(), question, number(question.cost()), question.limit().arguments(),
				afterwards);
	}

	ScriptCall giveBack(Taken taken, ScriptCall.Afterwards afterwards) {
		Question question = taken.question();
		// Nobody was ever given more than the smallest capacity.
		long cost = Math.min(question.cost(), question.limit().smallestCapacity());
		String id = question.permit().text() + (question.turn().isPresent() ? TURN : "");
		AlgorithmScripts scripts = scripts(question);
		Script script = question.turn().isPresent() ? scripts.turn().orElseThrow().giveBack() : scripts.giveBack();
		return call(script, question, id, number(cost), receipts(taken), afterwards);
	}

	ScriptCall count(Taken taken, Script script) {
		Question question = taken.question();
		return call(script, question, number(question.cost()), receipts(taken), ScriptCall.Afterwards.NOTHING);
	}

	ScriptCall peek(Question question) {
		return call(scripts(question).peek(), question, ONE, question.limit().arguments(),
				ScriptCall.Afterwards.NOTHING);
	}

	ScriptCall reset(Question question, Script script) {
		return new ScriptCall(script, key(question), List.of(), ScriptCall.Afterwards.NOTHING);
	}

	private AlgorithmScripts scripts(Question question) {
		return Objects.requireNonNull(this.scripts.get(question.limit().algorithm()));
	}

	/** A counter needs its own arguments beside the receipts; a log needs neither. */
	private static List<byte[]> receipts(Taken taken) {
		if (taken.receipts().isEmpty()) {
			return List.of();
		}
		List<byte[]> arguments = new ArrayList<>(taken.question().limit().arguments());
		taken.receipts().forEach((receipt) -> arguments.add(ascii(Long.toString(receipt))));
		return arguments;
	}

	private static byte[] number(long cost) {
		return (cost == 1) ? ONE : ascii(Long.toString(cost));
	}

	private ScriptCall call(Script script, Question question, byte[] cost, List<byte[]> limitArguments,
			ScriptCall.Afterwards afterwards) {
		return call(script, question, question.permit().text(), cost, limitArguments, afterwards);
	}

	private ScriptCall call(Script script, Question question, String id, byte[] cost, List<byte[]> limitArguments,
			ScriptCall.Afterwards afterwards) {
		return new ScriptCall(script, List.of(key(question)), List.of(ascii(id), cost), limitArguments, afterwards);
	}

	/** Where a client's state is. Only the prefix may be anything but ASCII. */
	byte[] key(Question question) {
		Limit limit = question.limit();
		String rule = limit.rule();
		String subject = question.subject().text();
		byte[] key = Arrays.copyOf(this.keyStart, this.keyStart.length + rule.length() + subject.length() + 5);
		int end = put(rule, key, this.keyStart.length);
		key[end++] = ':';
		end = put(subject, key, end);
		key[end++] = '}';
		key[end++] = ':';
		key[end++] = (byte) limit.algorithm().letter();
		key[end] = SCHEMA_VERSION;
		return key;
	}

	private static int put(String ascii, byte[] key, int from) {
		for (int i = 0; i < ascii.length(); i++) {
			key[from + i] = (byte) ascii.charAt(i);
		}
		return from + ascii.length();
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
