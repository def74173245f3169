package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.actuate.descriptor.QueueDescriptor;
import dev.ratelimit.actuate.descriptor.QueueDescriptor.LetterDescriptor;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.queue.DeadLetter;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Subject;

/**
 * Inspects the requests that rules have enqueued, and retries dead letters. The contents
 * of the requests are not shown.
 */
public final class QueueOperations {

	private static final int SHOWN = 20;

	/**
	 * The store reads whole letters and serves no other request meanwhile, so pages are
	 * small.
	 */
	private static final int PAGE = 50;

	private final Optional<ItemQueue> queue;

	private final SubjectEncoder subjects;

	private final Duration patience;

	/**
	 * Create the operations.
	 * @param queue stores the requests; empty if the store has no queues
	 * @param subjects makes hashes of clients
	 * @param patience the longest wait for the store at each step
	 */
	public QueueOperations(Optional<ItemQueue> queue, SubjectEncoder subjects, Duration patience) {
		this.queue = queue;
		this.subjects = subjects;
		this.patience = patience;
	}

	/** Empty if the rule enqueues no requests, or if the store does not respond. */
	Optional<QueueDescriptor> status(RLConfig rule) {
		if (this.queue.isEmpty() || !(rule.enforcement().onLimit() instanceof Enqueue)) {
			return Optional.empty();
		}
		ItemQueue queue = this.queue.get();
		return queue.statuses(List.of(rule.id()), 0, this.patience)
			.get(0)
			.flatMap((status) -> queue.dead(rule.id(), Optional.empty(), SHOWN, this.patience)
				.map((letters) -> describe(status, letters)));
	}

	private QueueDescriptor describe(QueueStatus status, List<DeadLetter> letters) {
		return new QueueDescriptor(status.queued(), status.dead(), status.oldestAge(),
				letters.stream().map(this::describe).toList());
	}

	private LetterDescriptor describe(DeadLetter letter) {
		return new LetterDescriptor(letter.id(), this.subjects.hash(new Subject(letter.subject().text())),
				letter.reason(), letter.attempts(), letter.enqueuedAt());
	}

	/** Costs one call of the store for each page of letters before this one, plus one. */
	void retry(RLConfig rule, String id) {
		if (this.queue.isEmpty() || !(rule.enforcement().onLimit() instanceof Enqueue)) {
			throw unknown();
		}
		ItemQueue queue = this.queue.get();
		DeadLetter letter = find(queue, rule.id(), id).orElseThrow(QueueOperations::unknown);
		switch (queue.revive(letter, this.patience)) {
			case YES -> {
			}
			case NOT_YOURS -> throw unknown();
			case NO_REPLY -> throw noReply();
		}
	}

	private Optional<DeadLetter> find(ItemQueue queue, String rule, String id) {
		Optional<DeadLetter> last = Optional.empty();
		List<DeadLetter> page;
		do {
			page = queue.dead(rule, last.map(DeadLetter::entry), PAGE, this.patience)
				.orElseThrow(QueueOperations::noReply);
			for (DeadLetter letter : page) {
				if (letter.id().equals(id)) {
					return Optional.of(letter);
				}
				last = Optional.of(letter);
			}
		}
		while (page.size() == PAGE);
		return Optional.empty();
	}

	private static OperatorException unknown() {
		return OperatorException.notFound("There is no such dead letter. GET /actuator/ratelimits/{rule} shows them");
	}

	private static OperatorException noReply() {
		return OperatorException.unavailable("The store does not answer. Try again");
	}

}
