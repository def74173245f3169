package dev.ratelimit.datacenters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.datacenters.PooledWindow.Message;
import dev.ratelimit.datacenters.PooledWindow.Outcome;
import dev.ratelimit.datacenters.PooledWindow.Peer;
import dev.ratelimit.datacenters.PooledWindow.Slot;
import dev.ratelimit.datacenters.PooledWindow.Taken;
import dev.ratelimit.datacenters.PooledWindow.Terms;

/**
 * What one data centre should store and reply, computed by {@link PooledWindow}, in the
 * numbers of the scripts.
 * <p>
 * Some things are added to it. The terms of a window are those of its last admission
 * here, or of its last decision while a peer has others; old ones are not sent. Terms of
 * 0 are unknown and close nothing. A message stores nothing, and a refusal nothing but
 * these terms. Messages of windows that are not asked for close the pool for some time.
 */
final class PooledTwin {

	private static final String UNKNOWN = "0 0 0";

	private static final long SOON_MICROS = 1_000_000;

	private static final long LATELY_MICROS = 10_000_000;

	/** Above every threshold. */
	private static final long TOO_MUCH = 1_000_000_000_000_000L;

	private final String name;

	private final Map<Long, Kept> windows = new TreeMap<>();

	PooledTwin(String name) {
		this.name = name;
	}

	/** Lose all data. */
	void clear() {
		this.windows.clear();
	}

	/** Lose one window. */
	void clear(long length) {
		this.windows.remove(length);
	}

	private Kept rolled(long length, long now) {
		long clock = now / (length * 1000);
		Kept kept = this.windows.get(length);
		return (kept != null) ? kept.with(kept.window.roll(clock))
				: new Kept(PooledWindow.empty(clock, Long.toString(now)), Map.of(), 0, 0);
	}

	private boolean hasOthers(List<Asked> asked, long now) {
		Set<Long> lengths = asked.stream().map(Asked::length).collect(Collectors.toSet());
		return this.windows.entrySet()
			.stream()
			.filter((entry) -> !lengths.contains(entry.getKey()))
			.anyMatch((entry) -> entry.getValue().receivedMicros > now - LATELY_MICROS);
	}

	/** What the script of a decision should reply. */
	List<Long> take(long now, long cost, List<Asked> asked, Set<String> listed, boolean mayOpen) {
		boolean open = mayOpen && !hasOthers(asked, now);
		List<Decided> decided = asked.stream()
			.map((each) -> Decided.of(each, rolled(each.length, now), cost, listed, open))
			.toList();
		boolean admitted = decided.stream().allMatch((each) -> each.taken.admitted());
		List<Long> reply = new ArrayList<>();
		for (Decided each : decided) {
			reply.addAll(admitted ? each.admission(now) : each.refusal(now));
		}
		reply.add(admitted ? admissionNeed(decided, listed) : refusalNeed(decided, listed));
		if (admitted) {
			decided.forEach((each) -> this.windows.put(each.asked.length, each.after(now)));
		}
		else if (decided.stream().anyMatch((each) -> each.hasNewTerms(now))) {
			decided.forEach((each) -> this.windows.put(each.asked.length, each.withTerms(now)));
		}
		else {
			return reply;
		}
		removeEnded(now);
		return reply;
	}

	private static long admissionNeed(List<Decided> decided, Set<String> listed) {
		boolean soon = decided.stream()
			.anyMatch((each) -> each.fromPool() > 0 && each.taken.after().current().own()
					- least(each.taken.after().current(), listed) > each.asked.terms.overshoot() * 3 / 4.0);
		return soon ? 2
				: decided.stream().anyMatch((each) -> each.differs || each.taken.after().needsExchange(listed)) ? 1 : 0;
	}

	private static long refusalNeed(List<Decided> decided, Set<String> listed) {
		boolean lacks = decided.stream()
			.filter((each) -> !each.taken.admitted())
			.allMatch((each) -> each.taken.outcome() == Outcome.LACKS_ACKNOWLEDGEMENT);
		return lacks ? 3
				: decided.stream().anyMatch((each) -> each.differs || each.before.window.needsExchange(listed)) ? 1 : 0;
	}

	private static long least(Slot slot, Set<String> listed) {
		return listed.stream().mapToLong((name) -> peer(slot, name).acked()).min().orElse(0);
	}

	private static Peer peer(Slot slot, String name) {
		return slot.peers().getOrDefault(name, Peer.UNKNOWN);
	}

	/** What the script that only looks should reply. */
	List<Long> peek(long now, List<Asked> asked, Set<String> listed, boolean mayOpen) {
		boolean open = mayOpen && !hasOthers(asked, now);
		List<Decided> one = asked.stream()
			.map((each) -> Decided.of(each, rolled(each.length, now), 1, listed, open))
			.toList();
		List<Long> reply = new ArrayList<>();
		boolean full = one.stream().anyMatch((each) -> !each.taken.admitted());
		for (Decided each : one) {
			List<Long> numbers = each.refusal(now);
			reply.add(numbers.get(0));
			reply.add(numbers.get(1));
			reply.add(full ? Math.min(numbers.get(1), numbers.get(2)) : 0);
		}
		return reply;
	}

	/** The windows that the script of a release should credit. */
	List<Asked> release(long cost, List<Asked> asked, List<Long> receipts) {
		List<Asked> credited = new ArrayList<>();
		for (int i = 0; i < asked.size(); i++) {
			Kept kept = this.windows.get(asked.get(i).length);
			long number = receipts.get(i) / (asked.get(i).length * 1000) - 1;
			if (kept != null && kept.window.number() == number) {
				this.windows.put(asked.get(i).length, kept.with(kept.window.release(number, cost)));
				credited.add(asked.get(i));
			}
		}
		return credited;
	}

	/** Nine numbers per window. */
	List<Long> message(long now, String receiver, List<Asked> asked) {
		List<Long> numbers = new ArrayList<>();
		for (Asked each : asked) {
			Kept kept = rolled(each.length, now);
			Message message = kept.window.message(this.name, receiver, each.terms);
			numbers.addAll(kept.numbers(message, now));
			Peer peer = peer(kept.window.current(), receiver);
			boolean differ = !List.of("", UNKNOWN).contains(peer.terms())
					&& !Terms.isSame(kept.sent(message.number(), now), peer.terms());
			numbers.add((message.own() > peer.acked() || differ) ? 1L : 0L);
		}
		return numbers;
	}

	/** Eight numbers per window. */
	List<Long> receive(long now, String sender, List<Asked> asked, List<Long> numbers) {
		List<Long> reply = new ArrayList<>();
		for (int i = 0; i < asked.size(); i++) {
			Kept kept = rolled(asked.get(i).length, now);
			List<Long> sent = numbers.subList(8 * i, 8 * i + 8);
			PooledWindow.Received received = kept.window.receive(now / (asked.get(i).length * 1000),
					kept.message(sender, sent), this.name, asked.get(i).terms);
			boolean passed = sent.get(0) < kept.window.number();
			boolean isStored = !passed && received.reply().isPresent();
			this.windows.put(asked.get(i).length, new Kept(received.after(), kept.reported,
					isStored ? now : kept.receivedMicros, kept.decidedMicros));
			reply.addAll(received.reply()
				.map((message) -> passed
						? List.of(sent.get(0), message.own(), 0L, message.acked(), sent.get(2), 0L, 0L, 0L)
						: kept.numbers(message, now))
				.orElse(List.of(sent.get(0), 0L, 0L, 0L, 0L, 0L, 0L, 0L)));
		}
		removeEnded(now);
		return reply;
	}

	/** Whatever is written, windows whose next one has ended are not. */
	private void removeEnded(long now) {
		this.windows.entrySet()
			.removeIf((entry) -> (entry.getValue().window.number() + 2) * entry.getKey() * 1000 <= now);
	}

	/** What should be stored. */
	Set<String> dump() {
		Set<String> lines = new TreeSet<>();
		this.windows.forEach((length, kept) -> lines.add(kept.line(length)));
		return lines;
	}

	/**
	 * A window of a limit.
	 *
	 * @param length its length in milliseconds
	 * @param terms how it is divided
	 */
	record Asked(long length, Terms terms) {
	}

	/**
	 * What is stored of a window.
	 *
	 * @param window the window
	 * @param reported the terms that peers are reported, by the number of the window
	 * @param receivedMicros when the last message was stored
	 * @param decidedMicros when these terms were last stored
	 */
	private record Kept(PooledWindow window, Map<Long, String> reported, long receivedMicros, long decidedMicros) {

		private String reported(long number) {
			return this.reported.getOrDefault(number, UNKNOWN);
		}

		private String sent(long number, long now) {
			return (this.decidedMicros > now - LATELY_MICROS) ? reported(number) : UNKNOWN;
		}

		private Kept with(PooledWindow other) {
			return new Kept(other, this.reported, this.receivedMicros, this.decidedMicros);
		}

		private Kept reported(Terms terms, long now) {
			Map<Long, String> other = new HashMap<>(this.reported);
			other.put(this.window.number(), terms.text());
			return new Kept(this.window, other, this.receivedMicros, now);
		}

		/** A record that is not known counts as the one that was known before. */
		private Message message(String sender, List<Long> sent) {
			Slot slot = (sent.get(0) > this.window.number()) ? this.window.next() : this.window.current();
			Peer known = peer(slot, sender);
			String terms = sent.get(5) + " " + sent.get(6) + " " + sent.get(7);
			return new Message(sender, sent.get(0), sent.get(1),
					(sent.get(2) > 0) ? Long.toString(sent.get(2)) : known.born(), sent.get(3),
					Long.toString(sent.get(4)), terms);
		}

		private List<Long> numbers(Message message, long now) {
			List<Long> numbers = new ArrayList<>(List.of(message.number(), message.own(), number(message.born()),
					message.acked(), number(message.ackedBorn())));
			Stream.of(sent(message.number(), now).split(" ")).map(Long::valueOf).forEach(numbers::add);
			return numbers;
		}

		private static long number(String born) {
			return born.isEmpty() ? 0 : Long.parseLong(born);
		}

		private String line(long length) {
			return length + " " + this.window.number() + " " + this.window.born() + " "
					+ line(this.window.current(), this.window.number()) + " "
					+ line(this.window.next(), this.window.number() + 1) + " " + this.receivedMicros + " "
					+ this.decidedMicros;
		}

		private String line(Slot slot, long number) {
			StringBuilder line = new StringBuilder();
			line.append(slot.used()).append(' ').append(slot.own()).append(' ').append(reported(number)).append(' ');
			new TreeMap<>(slot.peers()).forEach((name, peer) -> line.append(
					"%s %d %d %d %s ".formatted(name, peer.own(), number(peer.born()), peer.acked(), peer.terms())));
			return line.append('|').toString();
		}

	}

	/**
	 * A decision on one window.
	 *
	 * @param asked the window
	 * @param before what was stored
	 * @param taken the decision
	 * @param remaining what was left before it
	 * @param differs whether a peer is not listed or has other terms
	 */
	private record Decided(Asked asked, Kept before, Taken taken, long remaining, boolean differs) {

		static Decided of(Asked asked, Kept before, long cost, Set<String> listed, boolean open) {
			PooledWindow known = with(before.window, agreeing(before.window.current(), asked.terms));
			long clock = known.number();
			Taken nothing = known.take(clock, TOO_MUCH, asked.terms, listed, open);
			Slot slot = known.current();
			long debt = Math.min(0, asked.terms.share() + slot.own() - slot.used());
			boolean differs = slot.peers()
				.entrySet()
				.stream()
				.anyMatch((peer) -> listed.contains(peer.getKey())
						&& !Terms.isSame(peer.getValue().terms(), asked.terms.text()));
			return new Decided(asked, before, known.take(clock, cost, asked.terms, listed, open),
					Math.max(0, nothing.remaining() + debt), differs);
		}

		/** What peers have not reported agrees with everything. */
		private static Slot agreeing(Slot slot, Terms terms) {
			Map<String, Peer> peers = new HashMap<>(slot.peers());
			peers.replaceAll((name, peer) -> peer.terms().equals(UNKNOWN)
					? new Peer(peer.own(), peer.born(), peer.acked(), terms.text()) : peer);
			return new Slot(slot.used(), slot.own(), peers);
		}

		private static PooledWindow with(PooledWindow window, Slot current) {
			return new PooledWindow(window.number(), window.born(), current, window.next());
		}

		long fromPool() {
			return this.taken.after().current().own() - this.before.window.current().own();
		}

		private long ends() {
			return (this.before.window.number() + 1) * this.asked.length * 1000;
		}

		List<Long> admission(long now) {
			return List.of(this.taken.remaining(), ends() - now, -ends());
		}

		List<Long> refusal(long now) {
			Slot slot = this.before.window.current();
			boolean used = slot.used() > 0 || slot.peers().values().stream().anyMatch((peer) -> peer.own() > 0);
			long left = ends() - now;
			long wait = switch (this.taken.outcome()) {
				case ADMITTED, ADMITTED_FROM_POOL -> 0;
				case LACKS_ACKNOWLEDGEMENT, CLOSED -> Math.min(SOON_MICROS, left);
				case REFUSED -> left;
				case NEVER -> -1;
			};
			return List.of(this.remaining, used ? left : 0, wait);
		}

		boolean hasNewTerms(long now) {
			return this.differs && (this.before.decidedMicros < now - LATELY_MICROS / 2
					|| !withTerms(now).reported.equals(this.before.reported));
		}

		Kept withTerms(long now) {
			return this.differs ? this.before.reported(this.asked.terms, now) : this.before;
		}

		Kept after(long now) {
			Slot slot = new Slot(this.taken.after().current().used(), this.taken.after().current().own(),
					this.before.window.current().peers());
			return this.before.with(with(this.taken.after(), slot)).reported(this.asked.terms, now);
		}

	}

}
