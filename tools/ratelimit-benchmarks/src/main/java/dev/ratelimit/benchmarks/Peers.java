package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.DelayParameters;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.distributed.serialization.Mapper;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.clients.jedis.UnifiedJedis;

/**
 * Other rate limiters on Redis, each used as its documentation shows.
 */
final class Peers {

	private static final String GATEWAY_SCRIPT = "/META-INF/scripts/request_rate_limiter.lua";

	/** The reference for comparisons with others. */
	static final Peer BUCKET4J_JEDIS = new Peer("bucket4j, Jedis",
			"token bucket, exact; compare-and-swap in two round trips",
			"https://bucket4j.com/8.17.0/toc.html#bucket4j-redis", Peers::bucket4jOnJedis);

	/** The reference for decisions from memory. */
	static final Peer BUCKET4J_DELAYING = new Peer("bucket4j, Jedis, delaying",
			"above the limit by a fifth per instance and second", "https://bucket4j.com/8.17.0/toc.html",
			Peers::delaying);

	private Peers() {
	}

	static List<Peer> all() {
		return List.of(BUCKET4J_JEDIS,
				new Peer("bucket4j, Lettuce", "token bucket, exact; compare-and-swap in two round trips",
						"https://bucket4j.com/8.17.0/toc.html#bucket4j-redis", Peers::bucket4jOnLettuce),
				new Peer("bucket4j, Jedis, batching", "token bucket, exact; requests that come together share a call",
						"https://bucket4j.com/8.17.0/toc.html", Peers::bucket4jBatching),
				BUCKET4J_DELAYING,
				new Peer("Redisson RRateLimiter", "permits of a window, on the clients' clocks",
						"https://redisson.pro/docs/data-and-services/objects/#ratelimiter", Peers::redisson),
				new Peer("Spring Cloud Gateway's script, Jedis", "token bucket in whole seconds",
						"https://docs.spring.io/spring-cloud-gateway/reference/spring-cloud-gateway-server-webflux/gatewayfilter-factories/requestratelimiter-factory.html",
						Peers::gateway),
				new Peer("the article's script, Jedis", "a log, but one request per client and millisecond",
						"articles.md", Peers::article));
	}

	private static BucketConfiguration bucket(Quota quota) {
		return BucketConfiguration.builder()
			.addLimit((limit) -> limit.capacity(quota.permits()).refillGreedy(quota.permits(), quota.window()))
			.build();
	}

	private static Contender bucket4jOnJedis(Redis redis, Workload workload) {
		UnifiedJedis client = redis.pooled(workload.threads());
		return bucket4j(onJedis(client, workload), workload, client);
	}

	private static ProxyManager<String> onJedis(UnifiedJedis client, Workload workload) {
		return Bucket4jJedis.casBasedBuilder(client)
			.keyMapper(Mapper.STRING)
			.expirationAfterWrite(
					ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(workload.quota().window()))
			.build();
	}

	private static Contender bucket4jBatching(Redis redis, Workload workload) {
		return bucket4jOptimized(redis, workload, Optimizations.batching());
	}

	/** As much as a synced rule may admit beyond its limit. */
	static Contender delaying(Redis redis, Workload workload) {
		DelayParameters fifthPerSecond = new DelayParameters(Math.max(1, workload.quota().permits() / 5),
				Duration.ofSeconds(1));
		return bucket4jOptimized(redis, workload, Optimizations.delaying(fifthPerSecond));
	}

	/** An optimized bucket has a state of its own, so each is made once. */
	private static Contender bucket4jOptimized(Redis redis, Workload workload, Optimization optimization) {
		UnifiedJedis client = redis.pooled(workload.threads());
		ProxyManager<String> manager = onJedis(client, workload);
		BucketConfiguration configuration = bucket(workload.quota());
		Map<String, Bucket> buckets = workload.keys()
			.stream()
			.collect(Collectors.toMap((key) -> key,
					(key) -> manager.builder()
						.withOptimization(optimization)
						.build("b4j-optimized:" + key, () -> configuration)));
		return closing(client, (key) -> Objects.requireNonNull(buckets.get(key)).tryConsume(1));
	}

	private static Contender bucket4jOnLettuce(Redis redis, Workload workload) {
		io.lettuce.core.RedisClient client = io.lettuce.core.RedisClient.create(RedisURI.create(redis.url()));
		StatefulRedisConnection<String, byte[]> connection = client
			.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
		ProxyManager<String> manager = Bucket4jLettuce.casBasedBuilder(connection)
			.expirationAfterWrite(
					ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(workload.quota().window()))
			.build();
		return bucket4j(manager, workload, client);
	}

	private static Contender bucket4j(ProxyManager<String> manager, Workload workload, AutoCloseable client) {
		BucketConfiguration configuration = bucket(workload.quota());
		return closing(client, (key) -> manager.builder().build("b4j:" + key, () -> configuration).tryConsume(1));
	}

	private static Contender redisson(Redis redis, Workload workload) {
		Config config = new Config();
		config.useSingleServer()
			.setAddress(redis.url())
			.setConnectionPoolSize(workload.threads())
			.setConnectionMinimumIdleSize(Math.min(workload.threads(), 16));
		RedissonClient client = Redisson.create(config);
		Map<String, RRateLimiter> limiters = new ConcurrentHashMap<>();
		for (String key : workload.keys()) {
			RRateLimiter limiter = client.getRateLimiter("redisson:" + key);
			limiter.trySetRate(RateType.OVERALL, workload.quota().permits(), workload.quota().window());
			limiters.put(key, limiter);
		}
		return closing(client::shutdown, (key) -> Objects.requireNonNull(limiters.get(key)).tryAcquire());
	}

	private static Contender gateway(Redis redis, Workload workload) {
		UnifiedJedis client = redis.pooled(workload.threads());
		String sha = client.scriptLoad(gatewayScript());
		long seconds = workload.quota().window().toSeconds();
		String perSecond = Long.toString(Math.max(1, workload.quota().permits() / seconds));
		String capacity = Long.toString(workload.quota().permits());
		Map<String, List<String>> keys = workload.keys()
			.stream()
			.collect(Collectors.toMap((key) -> key, (key) -> List.of("request_rate_limiter.{" + key + "}.tokens",
					"request_rate_limiter.{" + key + "}.timestamp")));
		List<String> arguments = List.of(perSecond, capacity, "", "1");
		return closing(client, (key) -> ((List<?>) client.evalsha(sha, keys.get(key), arguments)).get(0).equals(1L));
	}

	/**
	 * As published: sends the text of the script and the rule as JSON with every request.
	 */
	private static Contender article(Redis redis, Workload workload) {
		UnifiedJedis client = redis.pooled(workload.threads());
		Quota quota = workload.quota();
		return closing(client, (key) -> {
			String threshold = ScriptCases.articleThreshold(key, quota.permits(), quota.window().toSeconds(),
					System.currentTimeMillis());
			String rule = "{\"clientId\":\"%s\",\"rlThresholds\":[%s]}".formatted(key, threshold);
			return client.eval(ScriptCases.ARTICLE, List.of('{' + key + '}'), List.of(rule)).equals(1L);
		});
	}

	static String gatewayScript() {
		try (InputStream in = Peers.class.getResourceAsStream(GATEWAY_SCRIPT)) {
			if (in == null) {
				throw new IllegalStateException(GATEWAY_SCRIPT + " is missing from the class path");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Contender closing(AutoCloseable client, Contender contender) {
		return new Contender() {

			@Override
			public boolean tryAcquire(String key) {
				return contender.tryAcquire(key);
			}

			@Override
			public void close() {
				try {
					client.close();
				}
				catch (Exception ex) {
					throw new IllegalStateException("A peer does not close", ex);
				}
			}

		};
	}

}
