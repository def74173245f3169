package dev.ratelimit.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.queue.Acknowledgement;
import dev.ratelimit.queue.DeadLetter;
import dev.ratelimit.queue.DeadLetterTerms;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RedisScripts.Invocation;
import dev.ratelimit.spi.RedisScripts.LoadedScript;
import dev.ratelimit.spi.RedisScripts.Reply;
import dev.ratelimit.spi.Standing;

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

	private final RedisScripts redis;

	private final QueueScripts scripts;

	/**
	 * Create a queue.
	 * @param redis runs scripts
	 * @throws IllegalStateException if a script is missing from the class path
	 */
	public RedisItemQueue(RedisScripts redis) {
		this.redis = redis;
		this.scripts = QueueScripts.load(redis);
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
	public Standing backlog(QueuedSubject subject, Duration maxWait) {
		return QueueReply
			.standing(run(this.scripts.backlog(), List.of(keys(subject.rule()).stream(subject)), List.of(), maxWait));
	}

	@Override
	public List<Optional<QueueStatus>> statuses(List<String> rules, int most, Duration maxWait) {
		List<Invocation> calls = new ArrayList<>(rules.size());
		for (String rule : rules) {
			QueueKeys keys = keys(rule);
			calls.add(new Invocation(this.scripts.due(), List.of(keys.due(), keys.items(), keys.ages(), keys.dead()),
					arguments(most)));
		}
		return this.redis.run(calls, maxWait)
			.stream()
			.map((reply) -> QueueReply.of(reply).map(QueueReply::status))
			.toList();
	}

	@Override
	public HandOut start(QueuedSubject subject, String token, String worker, Duration lease, Duration maxWait) {
		QueueKeys keys = keys(subject.rule());
		Invocation call = new Invocation(this.scripts.start(),
				List.of(keys.due(), keys.items(), keys.ages(), keys.stream(subject), keys.sizes()),
				arguments(subject.text(), token, worker, micros(lease)),
				Optional.of((late) -> end(subject, token, late)));
		return QueueReply.of(this.redis.run(call, maxWait))
			.map((reply) -> reply.handOut(subject, token))
			.orElseGet(NoReply::new);
	}

	@Override
	public List<Acknowledgement> renew(List<LeasedItem> items, Duration lease, Duration maxWait) {
		List<Invocation> calls = new ArrayList<>(items.size());
		for (LeasedItem item : items) {
			QueueKeys keys = keys(item.subject().rule());
			calls.add(new Invocation(this.scripts.renew(), List.of(keys.due(), keys.items()),
					arguments(item.subject().text(), item.id(), item.token(), micros(lease))));
		}
		return this.redis.run(calls, maxWait).stream().map(QueueReply::acknowledged).toList();
	}

	@Override
	public Acknowledgement postpone(LeasedItem item, Duration wait, boolean counts, Duration maxWait) {
		return QueueReply.acknowledged(this.redis.run(postponed(item, wait, counts), maxWait));
	}

	private Invocation postponed(LeasedItem item, Duration wait, boolean counts) {
		QueueKeys keys = keys(item.subject().rule());
		return new Invocation(this.scripts.postpone(), List.of(keys.due(), keys.items()),
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
		return QueueKeys.of(this.redis.keyPrefix(), rule);
	}

	private List<byte[]> allKeys(QueuedSubject subject, String id) {
		QueueKeys keys = keys(subject.rule());
		return List.of(keys.due(), keys.items(), keys.ages(), keys.stream(subject), keys.ended(id), keys.sizes(),
				keys.dead(), keys.deadBytes());
	}

	private Reply run(LoadedScript script, List<byte[]> keys, List<byte[]> arguments, Duration maxWait) {
		return this.redis.run(new Invocation(script, keys, arguments), maxWait);
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
	 * End a lease of which the worker has not learned in time: the item is due again, and
	 * this was no attempt. A call of its own, as Redis may not know that script yet.
	 */
	private void end(QueuedSubject subject, String token, Object late) {
		if (late instanceof List<?> parts) {
			new QueueReply(parts).handOut(subject, token)
				.leased()
				.ifPresent((item) -> this.redis.start(postponed(item, Duration.ZERO, false), PATIENCE));
		}
	}

}
