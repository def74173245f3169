package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Applications on a real Tomcat, and the filters that limit them, each configured as its
 * documentation shows. Clients use persistent connections.
 */
final class HttpPeers {

	/** The lower bound for every limiter. */
	static final Peer NO_LIMITER = floor("no limiter", "/");

	/** The same again: what differs from the first is noise. */
	private static final Peer CONTROL = floor("no limiter, once more", "/");

	/** The lower bound for a limiter that reports what is left. */
	private static final Peer FIELDS = new Peer("no limiter, but the header fields", "no limit: a floor", "headers.md",
			(redis, workload) -> start(List.of(HttpApplication.WithFields.class), "/", redis));

	/** The lower bound for every refusal. */
	static final Peer ALWAYS_REFUSED = floor("an empty 429", "/refused");

	private HttpPeers() {
	}

	static List<Peer> all() {
		return List.of(ours("sliding-window-log", "strict", "a log: exact"),
				ours("token-bucket", "strict", "token bucket, exact"),
				ours("fixed-window", "leased", "never above the limit"),
				ours("fixed-window", "synced", "above the limit by what arrives in an interval"), bucket4j());
	}

	/** All limiters, a control, and what the header fields alone cost. */
	static List<Peer> withControl() {
		List<Peer> peers = new ArrayList<>(List.of(CONTROL, FIELDS));
		peers.addAll(all());
		return peers;
	}

	private static Peer floor(String title, String path) {
		return new Peer(title, "no limit: a floor", "https://spring.io/projects/spring-boot",
				(redis, workload) -> start(List.of(), path, redis));
	}

	private static Peer ours(String algorithm, String mode, String counts) {
		String title = "ratelimit-starter, " + algorithm + (mode.equals("strict") ? "" : ", " + mode);
		return new Peer(title, counts, "../README.md",
				(redis, workload) -> start(List.of(HttpApplication.WithOurs.class), "/", redis,
						"--ratelimit.deadline=10s", "--ratelimit.log-memory-warning=1GB",
						"--ratelimit.redis.max-connections=" + workload.threads(), "--ratelimit.rules.bench.paths=/",
						"--ratelimit.rules.bench.key=header:X-Client", "--ratelimit.rules.bench.algorithm=" + algorithm,
						"--ratelimit.rules.bench.mode=" + mode,
						"--ratelimit.rules.bench.thresholds=" + workload.quota().text()));
	}

	private static Peer bucket4j() {
		return new Peer("bucket4j-spring-boot-starter, Jedis", "token bucket, exact",
				"https://github.com/MarcGiffing/bucket4j-spring-boot-starter#readme",
				(redis, workload) -> start(List.of(HttpApplication.WithBucket4j.class), "/", redis,
						"--bucket4j.cache-to-use=redis-jedis", "--bucket4j.filters[0].cache-name=buckets",
						"--bucket4j.filters[0].url=.*",
						"--bucket4j.filters[0].rate-limits[0].cache-key=getHeader('X-Client')",
						"--bucket4j.filters[0].rate-limits[0].bandwidths[0].capacity=" + workload.quota().permits(),
						"--bucket4j.filters[0].rate-limits[0].bandwidths[0].time="
								+ workload.quota().window().toSeconds(),
						"--bucket4j.filters[0].rate-limits[0].bandwidths[0].unit=seconds"));
	}

	private static Contender start(List<Class<?>> limiter, String path, Redis redis, String... more) {
		List<String> arguments = new ArrayList<>(List.of(more));
		arguments.addAll(List.of("--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=error",
				"--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port()));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(HttpApplication.class)
			.sources(limiter.toArray(Class<?>[]::new))
			.run(arguments.toArray(String[]::new));
		return new HttpClients(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class), path,
				context);
	}

}
