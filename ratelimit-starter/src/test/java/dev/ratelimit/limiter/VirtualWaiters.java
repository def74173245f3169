package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Watches;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.support.Waiter;
import org.awaitility.Awaitility;

/**
 * Virtual threads that all wait for a turn at once, in a process whose options limit the
 * scheduler to few carriers. No turn comes before the clock is moved, so a thread that
 * kept its carrier would keep the others from ever sending their request.
 */
final class VirtualWaiters {

	private static final Duration AGES = Duration.ofMinutes(1);

	private VirtualWaiters() {
	}

	/**
	 * Let the threads wait, then release them.
	 * @param args the port of Redis, and how many wait
	 */
	public static void main(String[] args) throws Exception {
		int count = Integer.parseInt(args[1]);
		MovableClock clock = new MovableClock();
		Set<Thread> waiting = ConcurrentHashMap.newKeySet();
		Set<String> carriers = ConcurrentHashMap.newKeySet();
		List<FutureTask<RateLimitDecision>> calls = new ArrayList<>();
		try (RateLimitStore store = SharedRedis.store(TestConnectionDetails.standalone("127.0.0.1:" + args[0]),
				new RedisStoreSettings("rl:virtual", AGES, 8, count), (rule, acknowledged) -> {
				})) {
			RateLimiter limiter = limiter(store, clock, new Waiter(clock::nanoTime, (nanos) -> {
				carriers.add(Thread.currentThread().toString().replaceAll(".*@", ""));
				waiting.add(Thread.currentThread());
				LockSupport.parkNanos(nanos);
			}));
			ThreadFactory threads = virtualThreads();
			for (int i = 0; i < count; i++) {
				FutureTask<RateLimitDecision> call = new FutureTask<>(
						() -> limiter.acquire("paced", new String[0], 1, RuleRequest.LONGEST_WAIT));
				calls.add(call);
				threads.newThread(call).start();
			}
			Awaitility.await().atMost(AGES).until(() -> waiting.size() == count - 1);
			clock.advance(RuleRequest.LONGEST_WAIT);
			waiting.forEach(LockSupport::unpark);
			long released = 0;
			for (FutureTask<RateLimitDecision> call : calls) {
				released += call.get().isAllowed() ? 1 : 0;
			}
			System.out.printf("%d waited at once on %d carriers, %d were released%n", waiting.size(), carriers.size(),
					released);
		}
	}

	private static RateLimiter limiter(RateLimitStore store, MovableClock clock, Waiter waiter) {
		CompiledRules rules = new CompiledRules(
				new RuleSet(List.of(RLConfig.builder("paced").key("global").thresholds("1/1h").build())), 64,
				NamedRules.NONE);
		return new RuleRateLimiter(() -> rules,
				TestLimiter.over(store)
					.fallback(Fallback.alone(store))
					.watch(Watches.quiet(clock::nanoTime))
					.deadline(AGES)
					.build(),
				new SubjectEncoder(64, ""), TestLimiter.inspector(store), waiter, true);
	}

	/** The code is compiled for a Java version without virtual threads. */
	private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
	}

}
