package dev.ratelimit.datacenters;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.datacenters.PooledTwin.Asked;
import dev.ratelimit.datacenters.PooledWindow.Terms;
import dev.ratelimit.store.redis.SharedRedis;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A random history of one client in two or three data centres, in which the scripts have
 * to reply and store what their twin does, after every step. All data centres use one
 * Redis, with a key each and a clock each.
 */
final class PooledHistory {

	private static final int STEPS = 200;

	private static final long HOUR = 3_600_000;

	private static final long DAY = 24 * HOUR;

	/** 2026-11-25 12:20 UTC, in microseconds. */
	private static final long START = 1_795_609_200_000_000L;

	private static final List<Long> THRESHOLDS = List.of(1L, 3L, 10L, 40L, 100L, 101L, 1000L, 999_999_999_999_999L);

	private static final List<Integer> SHARES = List.of(0, 10, 10, 50, 100);

	private static final List<Integer> OVERSHOOTS = List.of(0, 20, 20, 5, 100);

	private final Jedis redis;

	private final PooledScripts scripts;

	private final Random random;

	private final boolean isFaulty;

	private final Map<String, Center> centers = new LinkedHashMap<>();

	private final List<Flight> flights = new ArrayList<>();

	/** What is admitted in all data centres, by length and number of the window. */
	private final Map<List<Long>, Long> admitted = new HashMap<>();

	private final String id;

	private long now = START;

	private long hourly;

	private long daily;

	private final int share;

	private final int overshoot;

	/**
	 * Begin a history.
	 * @param redis where everything is stored
	 * @param scripts the scripts
	 * @param seed the same seed makes the same history
	 * @param isFaulty whether data get lost, and data centres are configured differently;
	 * if not, the bound holds
	 */
	PooledHistory(Jedis redis, PooledScripts scripts, long seed, boolean isFaulty) {
		this.redis = redis;
		this.scripts = scripts;
		this.random = new Random(seed);
		this.isFaulty = isFaulty;
		this.id = "seed" + seed + (isFaulty ? "faulty" : "");
		this.hourly = oneOf(THRESHOLDS);
		this.daily = oneOf(THRESHOLDS);
		this.share = oneOf(SHARES);
		this.overshoot = oneOf(OVERSHOOTS);
		List<String> names = List.of("a", "b", "c").subList(0, 2 + this.random.nextInt(2));
		for (int i = 0; i < names.size(); i++) {
			this.centers.put(names.get(i), new Center(names.get(i), i, names));
		}
	}

	private <T> T oneOf(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

	/** Compare after every step. */
	void run() {
		for (int i = 0; i < STEPS; i++) {
			String step = "step " + i + " of " + this.id + ": ";
			Center center = oneOf(List.copyOf(this.centers.values()));
			if (this.isFaulty && this.random.nextInt(12) == 0) {
				center.windows = this.random.nextInt(3);
			}
			int dice = this.random.nextInt(100);
			if (dice < 40) {
				take(step + "take in ", center);
			}
			else if (dice < 58) {
				message(step + "message of ", center);
			}
			else if (dice < 80) {
				deliver(step + "delivery to ");
			}
			else if (dice < 85) {
				release(step + "release in ", center);
			}
			else if (dice < 88) {
				peek(step + "peek in ", center);
			}
			else if (dice < 94) {
				double most = (dice < 91) ? 0.005 : (dice < 93) ? 0.5 : 30;
				this.now += (long) (HOUR * 1000 * this.random.nextDouble() * most);
			}
			else if (dice < 95) {
				center.skew = (long) (HOUR * 1000 * 3 * (this.random.nextDouble() - 0.5));
			}
			else if (this.isFaulty) {
				fail(center);
			}
		}
		this.centers.values().forEach((center) -> {
			assertThat(this.redis.pttl(center.key)).as("expiry of " + center.key).isNotEqualTo(-1);
			this.redis.del(center.key);
		});
	}

	private List<Asked> asked(Center center) {
		Terms hour = Terms.of(center.hourly, this.centers.size(), center.place, center.share, center.overshoot);
		Terms day = Terms.of(center.daily, this.centers.size(), center.place, center.share, center.overshoot);
		List<Asked> both = List.of(new Asked(HOUR, hour), new Asked(DAY, day));
		return center.windows == 2 ? both : both.subList(center.windows, center.windows + 1);
	}

	private long cost(Terms terms) {
		return Math.max(1, oneOf(List.of(1L, 1L, 2L, terms.share(), terms.overshoot(), terms.overshoot() + 1,
				terms.share() + terms.overshoot(), terms.limit() / 7, terms.limit() / 3)));
	}

	private void take(String step, Center center) {
		List<Asked> asked = asked(center);
		for (int i = 0; i <= this.random.nextInt(3); i++) {
			long cost = cost(oneOf(asked).terms());
			String what = step + center + " of " + cost + " with " + asked;
			long clock = center.clock();
			List<Long> expected = center.twin.take(clock, cost, asked, center.listed, center.open);
			assertThat(this.scripts.take(center.key, clock, cost, asked, center.listed, center.open)).as(what)
				.isEqualTo(expected);
			compare(what, center);
			if (expected.get(2) < -1) {
				List<Long> receipts = new ArrayList<>();
				for (int j = 0; j < asked.size(); j++) {
					receipts.add(-expected.get(3 * j + 2));
					count(what, asked.get(j), receipts.get(j), cost);
				}
				center.permits.add(new Permits(cost, asked, receipts));
			}
		}
	}

	private void count(String what, Asked asked, long receipt, long cost) {
		long all = this.admitted.merge(List.of(asked.length(), receipt), cost, Long::sum);
		if (!this.isFaulty) {
			assertThat(all).as(what)
				.isLessThanOrEqualTo(asked.terms().limit() + (this.centers.size() - 1) * asked.terms().overshoot());
		}
	}

	private void release(String step, Center center) {
		if (!center.permits.isEmpty()) {
			Permits permits = center.permits.remove(this.random.nextInt(center.permits.size()));
			List<Asked> credited = center.twin.release(permits.cost, permits.asked, permits.receipts);
			assertThat(this.scripts.release(center.key, permits.cost, permits.asked, center.listed, permits.receipts))
				.as(step + center)
				.isEqualTo(credited.size());
			compare(step, center);
			credited
				.forEach((each) -> count(step, each, permits.receipts.get(permits.asked.indexOf(each)), -permits.cost));
		}
	}

	private void peek(String step, Center center) {
		List<Long> expected = center.twin.peek(center.clock(), asked(center), center.listed, center.open);
		List<Long> reply = this.scripts.peek(center.key, center.clock(), asked(center), center.listed, center.open);
		assertThat(reply.subList(0, expected.size())).as(step + center).isEqualTo(expected);
		compare(step, center);
	}

	private void message(String step, Center from) {
		String to = oneOf(this.centers.keySet().stream().filter((name) -> !name.equals(from.name)).toList());
		List<Asked> asked = asked(from);
		List<Long> expected = from.twin.message(from.clock(), to, asked);
		List<Long> lengths = asked.stream().map(Asked::length).toList();
		assertThat(this.scripts.message(from.key, from.clock(), to, lengths)).as(step + from + " to " + to)
			.isEqualTo(expected);
		compare(step, from);
		List<Long> numbers = new ArrayList<>();
		for (int i = 0; i < asked.size(); i++) {
			numbers.addAll(expected.subList(9 * i, 9 * i + 8));
		}
		this.flights.add(new Flight(from.name, to, asked, numbers, false));
	}

	/** Messages are delivered in any order, and some of them never or more than once. */
	private void deliver(String step) {
		if (this.flights.isEmpty()) {
			return;
		}
		int at = this.random.nextInt(this.flights.size());
		Flight flight = (this.random.nextInt(5) > 0) ? this.flights.remove(at) : this.flights.get(at);
		if (this.random.nextInt(10) == 0) {
			return;
		}
		Center to = this.centers.getOrDefault(flight.to, oneOf(List.copyOf(this.centers.values())));
		List<Long> lengths = flight.asked.stream().map(Asked::length).toList();
		String what = step + to + " of " + flight;
		List<Long> expected = to.twin.receive(to.clock(), flight.from, flight.asked, flight.numbers);
		assertThat(this.scripts.exchange(to.key, to.clock(), flight.from, lengths, flight.numbers)).as(what)
			.isEqualTo(expected);
		compare(what, to);
		if (!flight.isReply || this.random.nextInt(4) == 0) {
			this.flights.add(new Flight(flight.to, flight.from, flight.asked, expected, true));
		}
	}

	/** What the scripts do not do, but operators, programs and servers. */
	private void fail(Center center) {
		switch (this.random.nextInt(10)) {
			case 0 -> {
				this.redis.del(center.key);
				center.twin.clear();
			}
			case 1 -> foreign(center);
			case 2 -> center.hourly = oneOf(THRESHOLDS);
			case 3 -> center.daily = oneOf(THRESHOLDS);
			case 4 -> center.share = oneOf(SHARES);
			case 5 -> center.overshoot = oneOf(OVERSHOOTS);
			case 6, 7 -> {
				center.hourly = this.hourly;
				center.daily = this.daily;
				center.share = this.share;
				center.overshoot = this.overshoot;
				center.listed.addAll(center.all);
			}
			case 8 -> {
				center.listed.clear();
				center.listed.add(oneOf(center.all));
			}
			default -> center.open = this.random.nextInt(4) > 0;
		}
	}

	private void foreign(Center center) {
		center.twin.clear();
		switch (this.random.nextInt(4)) {
			case 0 -> this.redis.set(center.key, "foreign");
			case 1 -> {
				this.redis.del(center.key);
				this.redis.hset(center.key, "foreign", "1");
			}
			case 2 -> this.redis.set(center.key.getBytes(StandardCharsets.UTF_8), new byte[] { 7 });
			default -> this.redis.eval("""
					local slot = { -1, 0, {}, 0, 0, 0 }
					redis.call('SET', KEYS[1], cmsgpack.pack({ [3600000] = { 1, 2, {}, slot, 0, 0 },
						[86400000] = { 1, 2, slot, slot, 0, 0 }, [7] = 'x', y = {} }))
					""", List.of(center.key), List.of());
		}
		this.redis.pexpire(center.key, DAY);
	}

	private void compare(String step, Center center) {
		assertThat(this.scripts.stored()).as(step + center + " stores").isEqualTo(center.twin.dump());
	}

	/** One data centre. */
	private final class Center {

		private final String name;

		private final int place;

		private final String key;

		private final List<String> all;

		private final Set<String> listed;

		private final PooledTwin twin;

		private final List<Permits> permits = new ArrayList<>();

		private long hourly = PooledHistory.this.hourly;

		private long daily = PooledHistory.this.daily;

		private int share = PooledHistory.this.share;

		private int overshoot = PooledHistory.this.overshoot;

		private int windows = 2;

		private boolean open = true;

		private long skew;

		Center(String name, int place, List<String> names) {
			this.name = name;
			this.place = place;
			this.key = SharedRedis.PREFIX + ":{" + PooledHistory.this.id + ":" + name + "}:e1";
			this.all = names.stream().filter((other) -> !other.equals(name)).toList();
			this.listed = new TreeSet<>(this.all);
			this.twin = new PooledTwin(name);
		}

		long clock() {
			return PooledHistory.this.now + this.skew;
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	/**
	 * Messages on their way.
	 */
	private record Flight(String from, String to, List<Asked> asked, List<Long> numbers, boolean isReply) {
	}

	/**
	 * Permits of an admission.
	 */
	private record Permits(long cost, List<Asked> asked, List<Long> receipts) {
	}

}
