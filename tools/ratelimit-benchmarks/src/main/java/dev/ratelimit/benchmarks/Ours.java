package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import dev.ratelimit.memcached.autoconfigure.RateLimitMemcachedAutoConfiguration;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.resp.RedisAddress.HostPort;
import dev.ratelimit.store.redis.resp.RedisAddress.SingleServer;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.redis.resp.UnsharedConnections;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The limiter as an application uses it: auto-configured, called through
 * {@link RateLimiter}, with everything between that and Redis.
 */
final class Ours {

	private static final String DOCUMENTATION = "../README.md";

	private Ours() {
	}

	static List<Peer> all() {
		return List.of(peer("sliding-window-log", "a log: exact"),
				peer("sliding-window-counter", "two counters: an estimate"),
				peer("fixed-window", "exact from edge to edge"), peer("token-bucket", "token bucket, exact"));
	}

	/** Each decision is one of two rules, whose keys mostly have different slots. */
	static List<Peer> withTwoRules() {
		return List.of(withTwoRules("sliding-window-log", "a log: exact"),
				withTwoRules("fixed-window", "exact from edge to edge"));
	}

	/** The modes that do not call Redis for every decision. */
	static List<Peer> local() {
		return List.of(peer("fixed-window", "leased", "never above the limit"),
				peer("fixed-window", "synced", "above the limit by what arrives in an interval"));
	}

	/** Measures refusals that are not repeated from memory. */
	static Peer withoutDenyCache() {
		return new Peer("ratelimit-starter, sliding-window-log, deny-cache 0", "a log: exact", DOCUMENTATION,
				(redis, workload) -> open(redis, workload, "sliding-window-log", "--ratelimit.deny-cache=0"));
	}

	/** Measures the effect of sharing round trips. */
	static Peer withoutSharing() {
		return new Peer("ratelimit-starter, sliding-window-log, no sharing", "a log: exact", DOCUMENTATION,
				(redis, workload) -> contender(start(Unshared.class, "sliding-window-log", workload.quota().text(),
						arguments(redis, workload))));
	}

	private static Peer peer(String algorithm, String counts) {
		return new Peer("ratelimit-starter, " + algorithm, counts, DOCUMENTATION,
				(redis, workload) -> open(redis, workload, algorithm));
	}

	private static Peer withTwoRules(String algorithm, String counts) {
		return new Peer("ratelimit-starter, %s, two rules".formatted(algorithm), counts, "annotation.md",
				(redis, workload) -> {
					ConfigurableApplicationContext context = start(TwoRules.class, algorithm, workload.quota().text(),
							arguments(redis, workload, "--ratelimit.rules.second.key=principal",
									"--ratelimit.rules.second.algorithm=" + algorithm,
									"--ratelimit.rules.second.thresholds=" + workload.quota().text()));
					return contender(context, context.getBean(LimitedByTwoRules.class)::isAllowed);
				});
	}

	private static Peer peer(String algorithm, String mode, String counts) {
		return new Peer("ratelimit-starter, %s, %s".formatted(algorithm, mode), counts, "modes.md",
				(redis, workload) -> open(redis, workload, algorithm, "--ratelimit.rules.bench.mode=" + mode));
	}

	/** The same in Memcached, under a prefix. */
	static Contender inMemcached(Memcached server, Workload workload, String algorithm, String prefix) {
		return contender(start(InMemcached.class, algorithm, workload.quota().text(), "--ratelimit.store=memcached",
				"--ratelimit.memcached.nodes=127.0.0.1:" + server.port(), "--ratelimit.instances=1",
				"--ratelimit.deadline=10s", "--ratelimit.memcached.max-connections=" + workload.threads(),
				"--ratelimit.key-prefix=" + prefix));
	}

	private static Contender open(Redis redis, Workload workload, String algorithm, String... more) {
		return contender(start(algorithm, workload.quota().text(), arguments(redis, workload, more)));
	}

	private static String[] arguments(Redis redis, Workload workload, String... more) {
		List<String> arguments = new ArrayList<>(List.of(more));
		arguments.addAll(redis.properties());
		Collections.addAll(arguments, "--ratelimit.deadline=10s",
				"--ratelimit.redis.max-connections=" + workload.threads());
		return arguments.toArray(String[]::new);
	}

	private static Contender contender(ConfigurableApplicationContext context) {
		RateLimiter limiter = context.getBean(RateLimiter.class);
		return contender(context, (key) -> limiter.tryAcquire("bench", key).isAllowed());
	}

	private static Contender contender(ConfigurableApplicationContext context, Predicate<String> limiter) {
		return new Contender() {

			@Override
			public boolean tryAcquire(String key) {
				return limiter.test(key);
			}

			@Override
			public void close() {
				context.close();
			}

		};
	}

	/** An application that counts in its own memory. */
	static ConfigurableApplicationContext inMemory(String algorithm, String threshold) {
		return start(algorithm, threshold, "--ratelimit.store=memory");
	}

	/** An application whose limits are never used up, and whose leases last a second. */
	static ConfigurableApplicationContext inMode(String mode, Redis redis) {
		List<String> arguments = new ArrayList<>(redis.properties());
		Collections.addAll(arguments, "--ratelimit.deadline=10s", "--ratelimit.key-prefix=" + mode,
				"--ratelimit.rules.bench.mode=" + mode);
		return start("fixed-window", "100000000000/1m", arguments.toArray(String[]::new));
	}

	/** An application with one rule. */
	static ConfigurableApplicationContext start(String algorithm, String threshold, String... more) {
		return start(Application.class, algorithm, threshold, more);
	}

	private static ConfigurableApplicationContext start(Class<?> source, String algorithm, String threshold,
			String... more) {
		SpringApplication application = new SpringApplication(source);
		application.setWebApplicationType(WebApplicationType.NONE);
		List<String> arguments = new ArrayList<>(List.of(more));
		Collections.addAll(arguments, "--spring.main.banner-mode=off", "--logging.level.root=error",
				"--ratelimit.log-memory-warning=1GB", "--ratelimit.rules.bench.key=principal",
				"--ratelimit.rules.bench.algorithm=" + algorithm, "--ratelimit.rules.bench.thresholds=" + threshold);
		return application.run(arguments.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RateLimitAutoConfiguration.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RateLimitAutoConfiguration.class, RateLimitMethodAutoConfiguration.class })
	@Import(LimitedByTwoRules.class)
	static class TwoRules {

	}

	static class LimitedByTwoRules {

		@RateLimited(value = "bench", key = "#key", fallbackMethod = "isRefused")
		@RateLimited(value = "second", key = "#key", fallbackMethod = "isRefused")
		boolean isAllowed(String key) {
			return true;
		}

		boolean isRefused(String key) {
			return false;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RateLimitAutoConfiguration.class, RateLimitMemcachedAutoConfiguration.class })
	static class InMemcached {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RateLimitAutoConfiguration.class)
	static class Unshared {

		@Bean
		RedisStore unsharedStore(@Value("${spring.data.redis.host}") String host,
				@Value("${spring.data.redis.port}") int port,
				@Value("${ratelimit.redis.max-connections}") int maxConnections) {
			RedisDetails details = () -> new SingleServer(new HostPort(host, port), 0);
			RedisStoreSettings settings = new RedisStoreSettings("unshared", Duration.ofSeconds(2), maxConnections,
					10_000);
			return new RedisStore(UnsharedConnections.open(details, settings), settings.keyPrefix(),
					(rule, acknowledged) -> {
					}, Optional.empty());
		}

	}

}
