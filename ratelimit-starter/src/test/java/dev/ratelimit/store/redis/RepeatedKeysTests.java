package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeTry;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.Tuple;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests of one client that share a command: a log decides them as if each had come
 * alone, forgets nothing else, and lives no shorter.
 */
class RepeatedKeysTests {

	private static final String TAKE = InjectedTime.script(StoredFormat.SLIDING_WINDOW_LOG);

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	private final MovableClock clock = new MovableClock();

	private final RedisStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX);

	private final Jedis redis = SharedRedis.inspection();

	/** The client whose requests share commands. */
	private Subject together = new Subject("together");

	/** The same client, each of whose requests has a command of its own. */
	private Subject alone = new Subject("alone");

	private int permits;

	@BeforeTry
	void haveNewClients() {
		int number = SUBJECTS.incrementAndGet();
		this.together = new Subject("together-" + number);
		this.alone = new Subject("alone-" + number);
	}

	@Example
	void aTurnThatIsDueIsRemembered() {
		Limit limit = Limits.of("repeated-turn", "5/1s");
		giveTurn(limit, Duration.ofSeconds(60).toMillis() * 1000);
		assertAgreement(limit, List.of(one(), one(), one()));
		assertThat(this.redis.pttl(key(limit, this.together))).isGreaterThan(60_000);
	}

	@Example
	void entriesThatALongerPlanNeedsAreRememberedBesideCountedRefusals() {
		List<Limit> plans = plans(true);
		assertAgreement(plans.get(2), List.of(one()));
		assertAgreement(plans.get(1), List.of(one()));
		assertAgreement(plans.get(0), List.of(one(), one(), one(), one()));
		assertThat(this.redis.pttl(key(plans.get(0), this.together))).isGreaterThan(Duration.ofHours(23).toMillis());
		this.clock.advance(Duration.ofMinutes(2));
		assertAgreement(plans.get(1), List.of(one(), new Take("refused", 9), new Take("refused too", 9)));
		assertThat(this.redis.pttl(key(plans.get(0), this.together))).isGreaterThan(Duration.ofHours(23).toMillis());
	}

	@Example
	void admissionsReadTheKeyOnce() {
		Limit limit = Limits.of("repeated-read", "9/60s");
		decided(limit, this.together, List.of(one(), one()));
		this.redis.configResetStat();
		decided(limit, this.together, List.of(one(), one(), one()));
		assertThat(this.redis.info("commandstats")).contains("cmdstat_zcard:calls=1,", "cmdstat_zcount:calls=1,",
				"cmdstat_pttl:calls=1,", "cmdstat_zadd:calls=3,");
	}

	@Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
	void aCommandAgreesWithOneForEachRequest(@ForAll long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		boolean countsRefusals = random.nextBoolean();
		List<Limit> limits = random.nextBoolean() ? plans(countsRefusals) : List.of(ofOnePlan(countsRefusals));
		for (int round = 0; round < 12; round++) {
			this.clock.advanceMicros(random.nextBoolean() ? random.nextLong(5) : random.nextLong(90_000_000));
			Limit limit = limits.get(random.nextInt(limits.size()));
			if (!countsRefusals && random.nextInt(3) == 0) {
				giveTurn(limit, random.nextLong(120_000_000));
			}
			List<Take> takes = new ArrayList<>();
			int size = 1 + random.nextInt(5);
			while (takes.size() < size) {
				takes.add((random.nextInt(4) > 0) ? new Take("p" + ++this.permits, 1 + random.nextInt(3))
						: new Take("again" + round + "-" + random.nextInt(2), 1));
			}
			assertAgreement(limit, takes);
		}
	}

	private static Limit ofOnePlan(boolean countsRefusals) {
		return countsRefusals ? Limits.countingRefusals("repeated", "4/20s", "7/60s")
				: Limits.of("repeated", "4/20s", "7/60s");
	}

	/** Of a minute, an hour and a day. */
	private static List<Limit> plans(boolean countsRefusals) {
		Map<String, Allowance> plans = new LinkedHashMap<>();
		plans.put("hour", new Allowance.Limited(List.of(new RLThreshold(4, Duration.ofHours(1)))));
		plans.put("day", new Allowance.Limited(List.of(new RLThreshold(7, Duration.ofDays(1)))));
		return Limits.ofPlans(RLConfig.builder("repeated-plans")
			.thresholds("2/1m")
			.countRejected(countsRefusals)
			.plans(Plans.by("principal", plans))
			.build());
	}

	private Take one() {
		return new Take("p" + ++this.permits, 1);
	}

	private void giveTurn(Limit limit, long notBeforeMicros) {
		PermitId permit = new PermitId("turn" + ++this.permits);
		Optional<WaitRange> wait = Optional
			.of(new WaitRange(notBeforeMicros, notBeforeMicros + Duration.ofDays(2).toMillis() * 1000));
		List<AcquireResult> results = new ArrayList<>();
		for (Subject subject : List.of(this.together, this.alone)) {
			results.addAll(
					this.store.acquire(List.of(new AcquireRequest(limit, subject, 1, permit, 1, wait)), Patience.LONG)
						.await());
		}
		assertThat(results.get(0)).isInstanceOf(AcquireResult.Turn.class).isEqualTo(results.get(1));
	}

	/**
	 * With several plans, entries beyond those that are enough are removed once per
	 * command, so some may be left, and no id is used again later. A key may live up to a
	 * quarter longer than it must.
	 */
	private void assertAgreement(Limit limit, List<Take> takes) {
		List<Long> expected = takes.stream()
			.flatMap((take) -> decided(limit, this.alone, List.of(take)).stream())
			.toList();
		assertThat(decided(limit, this.together, takes)).as("replies to " + takes).isEqualTo(expected);
		Map<String, Double> ofOne = entries(limit, this.alone);
		Map<String, Double> ofAll = entries(limit, this.together);
		assertThat(ofAll).as("entries after " + takes).containsAllEntriesOf(ofOne);
		if (limit.longerWindow().isEmpty()) {
			assertThat(ofAll).hasSameSizeAs(ofOne);
		}
		assertThat(this.redis.pttl(key(limit, this.together))).as("expiry after " + takes)
			.isGreaterThan(this.redis.pttl(key(limit, this.alone)) * 4 / 5 - 1000);
	}

	private Map<String, Double> entries(Limit limit, Subject subject) {
		Map<String, Double> entries = new TreeMap<>();
		for (Tuple entry : this.redis.zrangeWithScores(key(limit, subject), 0, -1)) {
			entries.put(entry.getElement(), entry.getScore());
		}
		return entries;
	}

	/** The numbers of the reply to one command. */
	private List<Long> decided(Limit limit, Subject subject, List<Take> takes) {
		List<String> limitArguments = LimitArguments.of(limit)
			.stream()
			.map((argument) -> new String(argument, StandardCharsets.US_ASCII))
			.toList();
		List<String> keys = new ArrayList<>();
		List<String> arguments = new ArrayList<>(List.of("", String.valueOf(limitArguments.size())));
		arguments.addAll(limitArguments);
		for (Take take : takes) {
			keys.add(key(limit, subject));
			arguments.add(take.permit());
			arguments.add(String.valueOf(take.cost()));
		}
		if (takes.size() == 1) {
			arguments = new ArrayList<>(List.of(takes.get(0).permit(), String.valueOf(takes.get(0).cost())));
			arguments.addAll(limitArguments);
		}
		arguments.add(String.valueOf(this.clock.micros()));
		List<Long> numbers = new ArrayList<>();
		((List<?>) this.redis.eval(TAKE, keys, arguments)).forEach((number) -> numbers.add((Long) number));
		numbers.remove(numbers.size() - 1);
		if (takes.size() == 1) {
			numbers.add(0, (long) numbers.size());
		}
		return numbers;
	}

	private static String key(Limit limit, Subject subject) {
		return StoreRequests.key(new AcquireRequest(limit, subject, 1, new PermitId("p")));
	}

	@AfterProperty
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeysWithTurns();
	}

	/** A request of the client. */
	private record Take(String permit, long cost) {
	}

}
