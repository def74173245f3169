package dev.ratelimit.queue.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.queue.DeadLetter;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.queue.actuate.QueueDescriptor.LetterDescriptor;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.spi.EndpointPart;
import dev.ratelimit.store.Subject;

/**
 * Inspects the requests that rules have enqueued, and retries dead letters. The contents
 * of the requests are not shown.
 */
public final class QueueEndpointPart implements EndpointPart {

	private static final int SHOWN = 20;

	/**
	 * The store reads whole letters and serves no other request meanwhile, so pages are
	 * small.
	 */
	private static final int PAGE = 50;

	/** Longer than for a request, because an operator can wait longer. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final ItemQueue queue;

	private final Function<Subject, String> hash;

	/**
	 * Create the part.
	 * @param queue stores the requests
	 * @param hash the hash by which a client is shown
	 */
	public QueueEndpointPart(ItemQueue queue, Function<Subject, String> hash) {
		this.queue = queue;
		this.hash = hash;
	}

	@Override
	public Optional<Object> describe(RLConfig rule) {
		if (!(rule.enforcement().onLimit() instanceof Enqueue)) {
			return Optional.empty();
		}
		return this.queue.statuses(List.of(rule.id()), 0, PATIENCE)
			.get(0)
			.flatMap((status) -> this.queue.dead(rule.id(), Optional.empty(), SHOWN, PATIENCE)
				.map((letters) -> describe(status, letters)));
	}

	private QueueDescriptor describe(QueueStatus status, List<DeadLetter> letters) {
		return new QueueDescriptor(status.queued(), status.dead(), status.oldestAge(),
				letters.stream().map(this::describe).toList());
	}

	private LetterDescriptor describe(DeadLetter letter) {
		return new LetterDescriptor(letter.id(), this.hash.apply(new Subject(letter.subject().text())), letter.reason(),
				letter.attempts(), letter.enqueuedAt());
	}

	/** Costs one call of the store for each page of letters before this one, plus one. */
	@Override
	public Retry retry(RLConfig rule, String id) {
		if (!(rule.enforcement().onLimit() instanceof Enqueue)) {
			return Retry.UNKNOWN;
		}
		Optional<String> after = Optional.empty();
		while (true) {
			Optional<List<DeadLetter>> page = this.queue.dead(rule.id(), after, PAGE, PATIENCE);
			if (page.isEmpty()) {
				return Retry.NO_REPLY;
			}
			List<DeadLetter> letters = page.get();
			Optional<DeadLetter> found = letters.stream().filter((letter) -> letter.id().equals(id)).findFirst();
			if (found.isPresent()) {
				return switch (this.queue.revive(found.get(), PATIENCE)) {
					case YES -> Retry.DONE;
					case NOT_YOURS -> Retry.UNKNOWN;
					case NO_REPLY -> Retry.NO_REPLY;
				};
			}
			if (letters.size() < PAGE) {
				return Retry.UNKNOWN;
			}
			after = Optional.of(letters.get(letters.size() - 1).entry());
		}
	}

}
