package dev.ratelimit.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.queue.Acknowledgement;
import dev.ratelimit.queue.Backlog;
import dev.ratelimit.queue.DeadLetter;
import dev.ratelimit.queue.DeadLetterTerms;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Stores items in Redis: a stream per subject with a consumer group, of which one entry
 * at a time is pending, and per rule a sorted set of the subjects by the time when they
 * are due. Each step is one script call:
 *
 * <pre>
 * XADD rl:shop:{orders}:q1:of:hk3v... * id 5fQ... method POST path /v1/orders body ...
 * ZADD rl:shop:{orders}:q1:due 1795166420123456 hk3v...
 * </pre>
 *
 * None of these keys expires while it holds items, and each is deleted with its last one.
 */
public final class RedisItemQueue implements ItemQueue {

	/** For a call that ends a lease of which the worker has not learned. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final CallRunner runner;

	private final String keyPrefix;

	private final QueueScripts scripts;

	/**
	 * Create a queue.
	 * @param runner runs scripts in Redis
	 * @param keyPrefix the start of every key
	 * @throws IllegalStateException if a script is missing from the class path
	 */
	public RedisItemQueue(CallRunner runner, String keyPrefix) {
		this(runner, keyPrefix, QueueScripts.load());
	}

	RedisItemQueue(CallRunner runner, String keyPrefix, QueueScripts scripts) {
		this.runner = runner;
		this.keyPrefix = keyPrefix;
		this.scripts = scripts;
	}

	@Override
	public EnqueueResult enqueue(QueuedSubject subject, String id, Map<String, byte[]> fields, Room room,
			Duration maxWait) {
		QueueKeys keys = keys(subject.rule());
		List<byte[]> arguments = arguments(subject.text(), id, room.ofSubject(), room.ofRule(), room.bytesOfRule());
		fields.forEach((name, value) -> {
			arguments.add(bytes(name));
			arguments.add(value);
		});
		return QueueReply.enqueued(run(this.scripts.enqueue(),
				List.of(keys.due(), keys.items(), keys.ages(), keys.stream(subject), keys.ended(id), keys.sizes()),
				arguments, maxWait));
	}

	@Override
	public Backlog backlog(QueuedSubject subject, Duration maxWait) {
		return QueueReply
			.backlog(run(this.scripts.backlog(), List.of(keys(subject.rule()).stream(subject)), List.of(), maxWait));
	}

	@Override
	public List<Optional<QueueStatus>> statuses(List<String> rules, int most, Duration maxWait) {
		List<ScriptCall> calls = new ArrayList<>(rules.size());
		for (String rule : rules) {
			QueueKeys keys = keys(rule);
			calls.add(call(this.scripts.due(), List.of(keys.due(), keys.items(), keys.ages(), keys.dead()),
					arguments(most)));
		}
		this.runner.run(calls, maxWait);
		return calls.stream().map((call) -> QueueReply.of(call).map(QueueReply::status)).toList();
	}

	@Override
	public HandOut start(QueuedSubject subject, String token, String worker, Duration lease, Duration maxWait) {
		QueueKeys keys = keys(subject.rule());
		ScriptCall call = new ScriptCall(this.scripts.start(),
				List.of(keys.due(), keys.items(), keys.ages(), keys.stream(subject), keys.sizes()),
				arguments(subject.text(), token, worker, micros(lease)), new LateLease(subject, token));
		this.runner.run(List.of(call), maxWait);
		return QueueReply.of(call).map((reply) -> reply.handOut(subject, token)).orElseGet(NoReply::new);
	}

	@Override
	public List<Acknowledgement> renew(List<LeasedItem> items, Duration lease, Duration maxWait) {
		List<ScriptCall> calls = new ArrayList<>(items.size());
		for (LeasedItem item : items) {
			QueueKeys keys = keys(item.subject().rule());
			calls.add(call(this.scripts.renew(), List.of(keys.due(), keys.items()),
					arguments(item.subject().text(), item.id(), item.token(), micros(lease))));
		}
		this.runner.run(calls, maxWait);
		return calls.stream().map(QueueReply::acknowledged).toList();
	}

	@Override
	public Acknowledgement postpone(LeasedItem item, Duration wait, boolean counts, Duration maxWait) {
		ScriptCall call = postponed(item, wait, counts);
		this.runner.run(List.of(call), maxWait);
		return QueueReply.acknowledged(call);
	}

	private ScriptCall postponed(LeasedItem item, Duration wait, boolean counts) {
		QueueKeys keys = keys(item.subject().rule());
		return call(this.scripts.postpone(), List.of(keys.due(), keys.items()),
				arguments(item.subject().text(), item.id(), item.token(), micros(wait), counts ? 1 : 0));
	}

	@Override
	public Acknowledgement done(LeasedItem item, Duration known, Duration maxWait) {
		return end(item, arguments(item.subject().text(), item.id(), item.token(), known.toMillis()), maxWait);
	}

	@Override
	public Acknowledgement bury(LeasedItem item, Duration known, DeadLetterTerms burial, Duration maxWait) {
		return end(item, arguments(item.subject().text(), item.id(), item.token(), known.toMillis(), burial.reason(),
				burial.mostKept(), burial.keptFor().toMillis(), burial.mostBytes()), maxWait);
	}

	private Acknowledgement end(LeasedItem item, List<byte[]> arguments, Duration maxWait) {
		return QueueReply.acknowledged(run(this.scripts.end(), allKeys(item.subject(), item.id()), arguments, maxWait));
	}

	@Override
	public Optional<List<ItemState>> state(String rule, String id, Duration maxWait) {
		QueueKeys keys = keys(rule);
		return QueueReply.of(run(this.scripts.state(), List.of(keys.items(), keys.ended(id)), arguments(id), maxWait))
			.map(QueueReply::states);
	}

	@Override
	public Optional<List<DeadLetter>> dead(String rule, Optional<String> after, int most, Duration maxWait) {
		String from = after.map((entry) -> "(" + entry).orElse("-");
		return QueueReply.of(run(this.scripts.dead(), List.of(keys(rule).dead()), arguments(from, most), maxWait))
			.map((reply) -> reply.letters(rule));
	}

	@Override
	public Acknowledgement revive(DeadLetter letter, Duration maxWait) {
		return QueueReply.acknowledged(run(this.scripts.revive(), allKeys(letter.subject(), letter.id()),
				arguments(letter.subject().text(), letter.id(), letter.entry()), maxWait));
	}

	private QueueKeys keys(String rule) {
		return QueueKeys.of(this.keyPrefix, rule);
	}

	private List<byte[]> allKeys(QueuedSubject subject, String id) {
		QueueKeys keys = keys(subject.rule());
		return List.of(keys.due(), keys.items(), keys.ages(), keys.stream(subject), keys.ended(id), keys.sizes(),
				keys.dead(), keys.deadBytes());
	}

	private ScriptCall run(Script script, List<byte[]> keys, List<byte[]> arguments, Duration maxWait) {
		ScriptCall call = call(script, keys, arguments);
		this.runner.run(List.of(call), maxWait);
		return call;
	}

	private static ScriptCall call(Script script, List<byte[]> keys, List<byte[]> arguments) {
		return new ScriptCall(script, keys, arguments, NodeCall.Afterwards.NOTHING);
	}

	private static List<byte[]> arguments(Object... values) {
		List<byte[]> arguments = new ArrayList<>(values.length);
		for (Object value : values) {
			arguments.add(bytes(value.toString()));
		}
		return arguments;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

	/**
	 * Ends a lease of which the worker has not learned in time: the item is due again,
	 * and this was no attempt.
	 */
	private final class LateLease implements NodeCall.Afterwards {

		private final QueuedSubject subject;

		private final String token;

		LateLease(QueuedSubject subject, String token) {
			this.subject = subject;
			this.token = token;
		}

		@Override
		public Optional<NodeCall> ran(Object reply) {
			if (reply instanceof List<?> parts) {
				new QueueReply(parts).handOut(this.subject, this.token).leased().ifPresent(this::end);
			}
			return Optional.empty();
		}

		/** A call of its own, as Redis may not know this script yet. */
		private void end(LeasedItem item) {
			RedisItemQueue.this.runner.start(List.of(postponed(item, Duration.ZERO, false)), PATIENCE, () -> {
			});
		}

		@Override
		public void didNotRun() {
		}

		@Override
		public void lost() {
		}

	}

}
