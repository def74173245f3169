package dev.ratelimit.queue.memory;

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

/**
 * Stores items on the heap of this instance, on an injected clock. It is the reference
 * that the scripts of Redis are tested against, and is used by tests without Redis. Its
 * items do not outlive the process, and the results of ended items are never removed, so
 * no store offers it to an application.
 */
public final class MemoryItemQueue implements ItemQueue {

	private final InstantSource clock;

	private final Map<QueuedSubject, List<Item>> items = new LinkedHashMap<>();

	private final Map<QueuedSubject, Instant> due = new HashMap<>();

	/** When the due subjects of a rule were last written. */
	private final Map<String, Instant> written = new HashMap<>();

	private final Map<String, ItemState> ended = new HashMap<>();

	private final List<Map.Entry<DeadLetter, Item>> dead = new ArrayList<>();

	private int letters;

	/**
	 * Create a queue.
	 * @param clock supplies the time
	 */
	public MemoryItemQueue(InstantSource clock) {
		this.clock = clock;
	}

	/** Remove everything. */
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

	private void due(QueuedSubject of, Instant at, Instant now) {
		this.due.put(of, at);
		this.written.put(of.rule(), now);
	}

	private List<Item> of(QueuedSubject of) {
		return this.items.getOrDefault(of, List.of());
	}

	private List<Item> all(String rule) {
		return this.items.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().rule().equals(rule))
			.flatMap((entry) -> entry.getValue().stream())
			.toList();
	}

	@Override
	public synchronized EnqueueResult enqueue(QueuedSubject of, String id, Map<String, byte[]> fields, Room room,
			Duration maxWait) {
		Instant now = now(of.rule());
		if (this.ended.containsKey(ended(of.rule(), id))
				|| all(of.rule()).stream().anyMatch((item) -> item.id.equals(id))) {
			return EnqueueResult.ENQUEUED;
		}
		if (of(of).size() >= room.ofSubject()) {
			return EnqueueResult.SUBJECT_FULL;
		}
		Item item = new Item(id, fields, now);
		if (all(of.rule()).size() >= room.ofRule() || bytes(of) + item.bytes() > room.bytesOfRule()) {
			return EnqueueResult.RULE_FULL;
		}
		append(of, item, now);
		return EnqueueResult.ENQUEUED;
	}

	/** The bytes that its rule takes, if it has items. */
	private long bytes(QueuedSubject of) {
		long subjects = this.due.keySet().stream().filter((one) -> one.rule().equals(of.rule())).count();
		return all(of.rule()).stream().mapToLong(Item::bytes).sum()
				+ (subjects + (of(of).isEmpty() ? 1 : 0)) * Room.SUBJECT_BYTES;
	}

	private void append(QueuedSubject of, Item item, Instant now) {
		this.items.computeIfAbsent(of, (missing) -> new ArrayList<>()).add(item);
		if (!this.due.containsKey(of)) {
			due(of, now, now);
		}
	}

	@Override
	public synchronized Optional<Boolean> hasItems(QueuedSubject of, Duration maxWait) {
		return Optional.of(!of(of).isEmpty());
	}

	@Override
	public synchronized List<Optional<QueueStatus>> look(List<String> rules, int most, Duration maxWait) {
		return rules.stream().map((rule) -> Optional.of(look(rule, most))).toList();
	}

	private QueueStatus look(String rule, int most) {
		Instant now = now(rule);
		List<QueuedSubject> subjects = this.due.keySet()
			.stream()
			.filter((of) -> of.rule().equals(rule))
			.sorted(Comparator.comparing((QueuedSubject of) -> due(of)).thenComparing(QueuedSubject::subject))
			.toList();
		List<String> first = subjects.stream()
			.filter((of) -> !due(of).isAfter(now))
			.limit(most)
			.map(QueuedSubject::subject)
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
	public synchronized HandOut start(QueuedSubject of, String token, String worker, Duration lease, Duration maxWait) {
		Instant now = now(of.rule());
		if (of(of).isEmpty() || due(of).isAfter(now)) {
			return new Nothing();
		}
		Item item = of(of).get(0);
		item.attempts++;
		item.token = token;
		due(of, now.plus(lease), now);
		return new Handed(new LeasedItem(of, item.id, token, item.attempts, item.age(now), item.at, item.fields));
	}

	private Optional<Item> leased(LeasedItem leased) {
		return of(leased.of()).stream()
			.filter((item) -> item.id.equals(leased.id()) && item.token.equals(leased.token()))
			.findFirst();
	}

	@Override
	public synchronized List<Acknowledgement> renew(List<LeasedItem> items, Duration lease, Duration maxWait) {
		return items.stream().map((leased) -> {
			Instant now = now(leased.of().rule());
			return leased(leased).map((item) -> {
				due(leased.of(), now.plus(lease), now);
				return Acknowledgement.YES;
			}).orElse(Acknowledgement.NOT_YOURS);
		}).toList();
	}

	@Override
	public synchronized Acknowledgement postpone(LeasedItem leased, Duration wait, boolean counts, Duration maxWait) {
		Instant now = now(leased.of().rule());
		return leased(leased).map((item) -> {
			item.token = "";
			item.attempts -= counts ? 0 : 1;
			due(leased.of(), now.plus(wait), now);
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
			this.dead.add(Map.entry(new DeadLetter(leased.of(), Integer.toString(++this.letters), item.id,
					burial.reason(), item.attempts, item.at), item));
			while (hasTooMany(dead(leased.of().rule()), burial)) {
				this.dead.remove(dead(leased.of().rule()).get(0));
			}
		});
		return end(leased, Progress.DEAD);
	}

	private static boolean hasTooMany(List<Map.Entry<DeadLetter, Item>> dead, DeadLetterTerms burial) {
		long bytes = dead.stream().mapToLong((letter) -> letter.getValue().bytes()).sum();
		return dead.size() > 1 && (dead.size() > burial.mostKept() || bytes > burial.mostBytes());
	}

	private Acknowledgement end(LeasedItem leased, Progress progress) {
		Instant now = now(leased.of().rule());
		boolean known = of(leased.of()).stream().anyMatch((item) -> item.id.equals(leased.id()));
		Optional<Item> item = leased(leased);
		item.ifPresent((ending) -> {
			of(leased.of()).remove(ending);
			this.ended.put(ended(leased.of().rule(), leased.id()), new ItemState(progress, ending.attempts));
			if (of(leased.of()).isEmpty()) {
				this.due.remove(leased.of());
			}
			else {
				due(leased.of(), now, now);
			}
		});
		return (item.isPresent() || (!known && this.ended.containsKey(ended(leased.of().rule(), leased.id()))))
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
		return this.dead.stream().filter((entry) -> entry.getKey().of().rule().equals(rule)).toList();
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
		Instant now = now(letter.of().rule());
		Optional<Map.Entry<DeadLetter, Item>> found = this.dead.stream()
			.filter((entry) -> entry.getKey().id().equals(letter.id()))
			.findFirst();
		found.ifPresent((entry) -> {
			this.dead.remove(entry);
			this.ended.remove(ended(letter.of().rule(), letter.id()));
			append(letter.of(), new Item(letter.id(), entry.getValue().fields, now), now);
		});
		return found.isPresent() ? Acknowledgement.YES : Acknowledgement.NOT_YOURS;
	}

	private Instant due(QueuedSubject of) {
		return Objects.requireNonNull(this.due.get(of));
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
