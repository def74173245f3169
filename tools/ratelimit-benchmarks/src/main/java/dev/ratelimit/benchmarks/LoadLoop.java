package dev.ratelimit.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.management.JMException;
import javax.management.ObjectName;

import org.HdrHistogram.Histogram;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Threads that send one request after the other: each thread as soon as it has its
 * response, or at the pace of the workload.
 */
final class LoadLoop {

	private static final long LONGEST_LATENCY_NANOS = Duration.ofMinutes(1).toNanos();

	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private final Workload workload;

	private final Contender contender;

	private final RedisAdmin redis;

	LoadLoop(Workload workload, Contender contender, RedisAdmin redis) {
		this.workload = workload;
		this.contender = contender;
		this.redis = redis;
	}

	/**
	 * Run for a while; decisions before all threads run do not count.
	 */
	Sample run(Duration time) throws InterruptedException {
		AtomicBoolean over = new AtomicBoolean();
		CountDownLatch ready = new CountDownLatch(this.workload.threads());
		List<CompletableFuture<Tally>> tallies = new ArrayList<>();
		try (SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("load-")) {
			executor.setVirtualThreads(this.workload.virtual());
			for (int i = 0; i < this.workload.threads(); i++) {
				long seed = i;
				tallies.add(CompletableFuture.supplyAsync(() -> acquire(seed, ready, over), executor));
			}
			ready.await();
			RedisUsage before = this.redis.usage();
			ProcessorTime processorsBefore = ProcessorTime.now();
			long heapBefore = allocatedBytes();
			long serverBefore = serverNanos();
			long start = System.nanoTime();
			Thread.sleep(time.toMillis());
			over.set(true);
			Tally all = tallies.stream().map(CompletableFuture::join).reduce(Tally.none(), Tally::plus);
			double seconds = (System.nanoTime() - start) / 1e9;
			long heap = allocatedBytes() - heapBefore;
			long server = serverNanos() - serverBefore;
			double stolen = ProcessorTime.now().stolenShareSince(processorsBefore);
			return new Sample(all.decisions(), all.admitted(), seconds, all.latencies(), heap, server,
					this.redis.usage().since(before), stolen);
		}
	}

	/**
	 * Read as an attribute, because the JDK 17 interface does not have it, although newer
	 * versions do.
	 */
	private static long allocatedBytes() {
		try {
			return (Long) ManagementFactory.getPlatformMBeanServer()
				.getAttribute(new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME), "TotalThreadAllocatedBytes");
		}
		catch (JMException ex) {
			throw new IllegalStateException("This JVM does not count the bytes that its threads allocate", ex);
		}
	}

	/** The processor time of the threads of Tomcat, in which a request is handled. */
	private static long serverNanos() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().contains("-exec-"))
			.mapToLong((thread) -> THREADS.getThreadCpuTime(thread.getId()))
			.filter((nanos) -> nanos > 0)
			.sum();
	}

	private Tally acquire(long seed, CountDownLatch ready, AtomicBoolean over) {
		SplittableRandom random = new SplittableRandom(seed);
		List<String> keys = this.workload.keys();
		Histogram latencies = new Histogram(LONGEST_LATENCY_NANOS, 2);
		long decisions = 0;
		long admitted = 0;
		ready.countDown();
		Pace pace = Pace.of(this.workload, seed);
		while (!over.get()) {
			String key = keys.get(random.nextInt(keys.size()));
			long start = pace.await();
			boolean yes = this.contender.tryAcquire(key);
			latencies.recordValue(Math.min(LONGEST_LATENCY_NANOS, System.nanoTime() - start));
			decisions++;
			if (yes) {
				admitted++;
			}
		}
		return new Tally(decisions, admitted, latencies);
	}

	private record Tally(long decisions, long admitted, Histogram latencies) {

		static Tally none() {
			return new Tally(0, 0, new Histogram(LONGEST_LATENCY_NANOS, 2));
		}

		Tally plus(Tally other) {
			Histogram both = this.latencies.copy();
			both.add(other.latencies);
			return new Tally(this.decisions + other.decisions, this.admitted + other.admitted, both);
		}

	}

}
