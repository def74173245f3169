package dev.ratelimit.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.queue.Acknowledgement;
import dev.ratelimit.queue.DeadLetter;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue.HandOut;
import dev.ratelimit.queue.ItemQueue.Handed;
import dev.ratelimit.queue.ItemQueue.Nothing;
import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.spi.RedisScripts.Reply;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.store.StoreFailure;

/**
 * A reply of a queue script. A reply of another form counts as none.
 *
 * @param parts numbers and texts
 */
record QueueReply(List<?> parts) {

	private static final int PARTS_OF_LETTER = 6;

	/** The reply to a call, if there is one. */
	static Optional<QueueReply> of(Reply reply) {
		if (reply.value() instanceof Long number) {
			return Optional.of(new QueueReply(List.of(number)));
		}
		return reply.list().map(QueueReply::new);
	}

	static EnqueueResult enqueued(Reply reply) {
		return of(reply).map((parts) -> switch ((int) parts.number(0)) {
			case 1 -> EnqueueResult.ENQUEUED;
			case 0 -> EnqueueResult.SUBJECT_FULL;
			default -> EnqueueResult.RULE_FULL;
		}).orElse(EnqueueResult.NO_REPLY);
	}

	static Standing standing(Reply reply) {
		if (reply.failure() == StoreFailure.OVERLOADED) {
			return Standing.OVERLOADED;
		}
		return of(reply).map((parts) -> (parts.number(0) == 1) ? Standing.BEHIND_OTHERS : Standing.FREE)
			.orElse(Standing.NO_REPLY);
	}

	static Acknowledgement acknowledged(Reply reply) {
		return of(reply).map((parts) -> (parts.number(0) == 1) ? Acknowledgement.YES : Acknowledgement.NOT_YOURS)
			.orElse(Acknowledgement.NO_REPLY);
	}

	QueueStatus status() {
		List<String> due = new ArrayList<>(this.parts.size());
		for (int i = 4; i < this.parts.size(); i++) {
			due.add(text(i));
		}
		Optional<Duration> untilNext = (number(0) < 0) ? Optional.empty() : Optional.of(micros(number(0)));
		return new QueueStatus(due, untilNext, number(1), number(2), micros(number(3)));
	}

	HandOut handOut(QueuedSubject of, String token) {
		if (this.parts.isEmpty()) {
			return new Nothing();
		}
		Map<String, byte[]> fields = new LinkedHashMap<>();
		for (int i = 4; i + 1 < this.parts.size(); i += 2) {
			fields.put(text(i), (byte[]) this.parts.get(i + 1));
		}
		return new Handed(
				new LeasedItem(of, text(0), token, (int) number(1), micros(number(2)), instant(number(3)), fields));
	}

	List<ItemState> states() {
		return this.parts.isEmpty() ? List.of()
				: List.of(new ItemState(ItemState.Progress.valueOf(text(0).toUpperCase(Locale.ROOT)), (int) number(1)));
	}

	List<DeadLetter> letters(String rule) {
		List<DeadLetter> letters = new ArrayList<>();
		for (int i = 0; i < this.parts.size(); i += PARTS_OF_LETTER) {
			letters.add(new DeadLetter(new QueuedSubject(rule, text(i + 1)), text(i), text(i + 4), text(i + 2),
					(int) number(i + 3), instant(number(i + 5))));
		}
		return letters;
	}

	private long number(int index) {
		return (Long) this.parts.get(index);
	}

	private String text(int index) {
		return new String((byte[]) this.parts.get(index), StandardCharsets.UTF_8);
	}

	private static Duration micros(long micros) {
		return Duration.of(micros, ChronoUnit.MICROS);
	}

	private static Instant instant(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

}
