package dev.ratelimit.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.ratelimit.queue.Acknowledgement;
import dev.ratelimit.queue.DeadLetter;
import dev.ratelimit.queue.DeadLetterTerms;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.ItemState.Progress;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.spi.Standing;

/**
 * Stores items on the heap, on an injected clock, for tests without Redis. The scripts of
 * Redis are tested against it. The results of ended items are never removed.
 */
final class MemoryItemQueue implements ItemQueue, TestState {

	private final InstantSource clock;

	private final Map<QueuedSubject, List<Item>> items = new LinkedHashMap<>();

	private final Map<QueuedSubject, Instant> due = new HashMap<>();

	/** When the due subjects of a rule were last written. */
	private final Map<String, Instant> written = new HashMap<>();

	private final Map<String, ItemState> ended = new HashMap<>();

	private final List<Map.Entry<DeadLetter, Item>> dead = new ArrayList<>();

	private int letters;

	MemoryItemQueue(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public synchronized void clear() {
		this.items.clear();
		this.due.clear();
		this.written.clear();
		this.ended.clear();
		this.dead.clear();
	}

	/**
	 * The time. Where the clock has stepped back, whatever is due is due as much earlier,
	 * so nothing waits longer than when it was last written.
	 */
	private Instant now(String rule) {
		Instant now = this.clock.instant();
		Instant last = this.written.getOrDefault(rule, Instant.MIN);
		if (last.isAfter(now)) {
			Duration ahead = Duration.between(now, last);
			this.due.replaceAll((of, due) -> of.rule().equals(rule) ? due.minus(ahead) : due);
			this.written.put(rule, now);
		}
		return now;
	}

	private void due(QueuedSubject subject, Instant at, Instant now) {
		this.due.put(subject, at);
		this.written.put(subject.rule(), now);
	}

	private List<Item> of(QueuedSubject subject) {
		return this.items.getOrDefault(subject, List.of());
	}

	private List<Item> all(String rule) {
		return this.items.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().rule().equals(rule))
			.flatMap((entry) -> entry.getValue().stream())
			.toList();
	}

	@Override
	public synchronized EnqueueResult enqueue(QueuedSubject subject, String id, Map<String, byte[]> fields, Room room,
			Duration maxWait) {
		Instant now = now(subject.rule());
		if (this.ended.containsKey(ended(subject.rule(), id))
				|| all(subject.rule()).stream().anyMatch((item) -> item.id.equals(id))) {
			return EnqueueResult.ENQUEUED;
		}
		if (of(subject).size() >= room.ofSubject()) {
			return EnqueueResult.SUBJECT_FULL;
		}
		Item item = new Item(id, fields, now);
		if (all(subject.rule()).size() >= room.ofRule() || bytes(subject) + item.bytes() > room.bytesOfRule()) {
			return EnqueueResult.RULE_FULL;
		}
		append(subject, item, now);
		return EnqueueResult.ENQUEUED;
	}

	/** The bytes that its rule takes, if it has items. */
	private long bytes(QueuedSubject subject) {
		long subjects = this.due.keySet().stream().filter((one) -> one.rule().equals(subject.rule())).count();
		return all(subject.rule()).stream().mapToLong(Item::bytes).sum()
				+ (subjects + (of(subject).isEmpty() ? 1 : 0)) * Room.SUBJECT_BYTES;
	}

	private void append(QueuedSubject subject, Item item, Instant now) {
		this.items.computeIfAbsent(subject, (missing) -> new ArrayList<>()).add(item);
		if (!this.due.containsKey(subject)) {
			due(subject, now, now);
		}
	}

	@Override
	public synchronized Standing backlog(QueuedSubject subject, Duration maxWait) {
		return of(subject).isEmpty() ? Standing.FREE : Standing.BEHIND_OTHERS;
	}

	@Override
	public synchronized List<Optional<QueueStatus>> statuses(List<String> rules, int most, Duration maxWait) {
		return rules.stream().map((rule) -> Optional.of(status(rule, most))).toList();
	}

	private QueueStatus status(String rule, int most) {
		Instant now = now(rule);
		List<QueuedSubject> subjects = this.due.keySet()
			.stream()
			.filter((of) -> of.rule().equals(rule))
			.sorted(Comparator.comparing((QueuedSubject subject) -> due(subject)).thenComparing(QueuedSubject::text))
			.toList();
		List<String> first = subjects.stream()
			.filter((of) -> !due(of).isAfter(now))
			.limit(most)
			.map(QueuedSubject::text)
			.toList();
		Optional<Duration> next = subjects.stream()
			.skip(first.size())
			.findFirst()
			.map((of) -> Duration.between(now, due(of)))
			.map((wait) -> wait.isNegative() ? Duration.ZERO : wait);
		Duration oldest = all(rule).stream()
			.map((item) -> item.age(now))
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
		return new QueueStatus(first, next, all(rule).size(), dead(rule).size(), oldest);
	}

	@Override
	public synchronized HandOut start(QueuedSubject subject, String token, String worker, Duration lease,
			Duration maxWait) {
		Instant now = now(subject.rule());
		if (of(subject).isEmpty() || due(subject).isAfter(now)) {
			return new Nothing();
		}
		Item item = of(subject).get(0);
		item.attempts++;
		item.token = token;
		due(subject, now.plus(lease), now);
		return new Handed(new LeasedItem(subject, item.id, token, item.attempts, item.age(now), item.at, item.fields));
	}

	private Optional<Item> leased(LeasedItem leased) {
		return of(leased.subject()).stream()
			.filter((item) -> item.id.equals(leased.id()) && item.token.equals(leased.token()))
			.findFirst();
	}

	@Override
	public synchronized List<Acknowledgement> renew(List<LeasedItem> items, Duration lease, Duration maxWait) {
		return items.stream().map((leased) -> {
			Instant now = now(leased.subject().rule());
			return leased(leased).map((item) -> {
				due(leased.subject(), now.plus(lease), now);
				return Acknowledgement.YES;
			}).orElse(Acknowledgement.NOT_YOURS);
		}).toList();
	}

	@Override
	public synchronized Acknowledgement postpone(LeasedItem leased, Duration wait, boolean counts, Duration maxWait) {
		Instant now = now(leased.subject().rule());
		return leased(leased).map((item) -> {
			item.token = "";
			item.attempts -= counts ? 0 : 1;
			due(leased.subject(), now.plus(wait), now);
			return Acknowledgement.YES;
		}).orElse(Acknowledgement.NOT_YOURS);
	}

	@Override
	public synchronized Acknowledgement done(LeasedItem leased, Duration known, Duration maxWait) {
		return end(leased, Progress.DONE);
	}

	@Override
	public synchronized Acknowledgement bury(LeasedItem leased, Duration known, DeadLetterTerms burial,
			Duration maxWait) {
		leased(leased).ifPresent((item) -> {
			this.dead.add(Map.entry(new DeadLetter(leased.subject(), Integer.toString(++this.letters), item.id,
					burial.reason(), item.attempts, item.at), item));
			while (hasTooMany(dead(leased.subject().rule()), burial)) {
				this.dead.remove(dead(leased.subject().rule()).get(0));
			}
		});
		return end(leased, Progress.DEAD);
	}

	private static boolean hasTooMany(List<Map.Entry<DeadLetter, Item>> dead, DeadLetterTerms burial) {
		long bytes = dead.stream().mapToLong((letter) -> letter.getValue().bytes()).sum();
		return dead.size() > 1 && (dead.size() > burial.mostKept() || bytes > burial.mostBytes());
	}

	private Acknowledgement end(LeasedItem leased, Progress progress) {
		Instant now = now(leased.subject().rule());
		boolean known = of(leased.subject()).stream().anyMatch((item) -> item.id.equals(leased.id()));
		Optional<Item> item = leased(leased);
		item.ifPresent((ending) -> {
			of(leased.subject()).remove(ending);
			this.ended.put(ended(leased.subject().rule(), leased.id()), new ItemState(progress, ending.attempts));
			if (of(leased.subject()).isEmpty()) {
				this.due.remove(leased.subject());
			}
			else {
				due(leased.subject(), now, now);
			}
		});
		return (item.isPresent() || (!known && this.ended.containsKey(ended(leased.subject().rule(), leased.id()))))
				? Acknowledgement.YES : Acknowledgement.NOT_YOURS;
	}

	@Override
	public synchronized Optional<List<ItemState>> state(String rule, String id, Duration maxWait) {
		Optional<ItemState> queued = all(rule).stream()
			.filter((item) -> item.id.equals(id))
			.findFirst()
			.map((item) -> new ItemState(item.token.isEmpty() ? Progress.QUEUED : Progress.RUNNING, item.attempts));
		return Optional.of(queued.or(() -> Optional.ofNullable(this.ended.get(ended(rule, id)))).stream().toList());
	}

	private List<Map.Entry<DeadLetter, Item>> dead(String rule) {
		return this.dead.stream().filter((entry) -> entry.getKey().subject().rule().equals(rule)).toList();
	}

	@Override
	public synchronized Optional<List<DeadLetter>> dead(String rule, Optional<String> after, int most,
			Duration maxWait) {
		int last = after.map(MemoryItemQueue::number).orElse(0);
		return Optional.of(dead(rule).stream()
			.map(Map.Entry::getKey)
			.filter((letter) -> number(letter.entry()) > last)
			.limit(most)
			.toList());
	}

	private static int number(String entry) {
		return Integer.parseInt(entry);
	}

	@Override
	public synchronized Acknowledgement revive(DeadLetter letter, Duration maxWait) {
		Instant now = now(letter.subject().rule());
		Optional<Map.Entry<DeadLetter, Item>> found = this.dead.stream()
			.filter((entry) -> entry.getKey().id().equals(letter.id()))
			.findFirst();
		found.ifPresent((entry) -> {
			this.dead.remove(entry);
			this.ended.remove(ended(letter.subject().rule(), letter.id()));
			append(letter.subject(), new Item(letter.id(), entry.getValue().fields, now), now);
		});
		return found.isPresent() ? Acknowledgement.YES : Acknowledgement.NOT_YOURS;
	}

	private Instant due(QueuedSubject subject) {
		return Objects.requireNonNull(this.due.get(subject));
	}

	private static String ended(String rule, String id) {
		return rule + " " + id;
	}

	private static final class Item {

		private final String id;

		private final Map<String, byte[]> fields;

		private final Instant at;

		private int attempts;

		private String token = "";

		Item(String id, Map<String, byte[]> fields, Instant at) {
			this.id = id;
			this.fields = fields;
			this.at = at;
		}

		Duration age(Instant now) {
			return this.at.isAfter(now) ? Duration.ZERO : Duration.between(this.at, now);
		}

		long bytes() {
			return Room.ITEM_BYTES + this.fields.entrySet()
				.stream()
				.mapToLong((field) -> field.getKey().getBytes(StandardCharsets.UTF_8).length + field.getValue().length)
				.sum();
		}

	}

}
