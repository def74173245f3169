package dev.ratelimit.harm;

import java.nio.file.Path;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.harm.ClassPaths.Arrangement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One row of {@link HarmProof}: an application that caches, and has no Redis.
 */
@Tag("proof-slow")
class HarmlessProof {

	private static final List<String> CACHING = List.of("org.springframework.boot:spring-boot-starter-webmvc",
			"org.springframework.boot:spring-boot-starter-cache",
			"org.springframework.boot:spring-boot-starter-actuator");

	@Test
	void anApplicationWithoutRulesIsTheSameWithAndWithoutTheStarter(@TempDir Path directory) throws Exception {
		ClassPaths paths = ClassPaths.resolve(directory, List.of(CACHING));
		try (RedisServer redis = RedisServer.start()) {
			List<String> arguments = List.of("--caching", "--spring.data.redis.port=" + redis.port());
			Facts without = Facts.of(directory, paths.of(CACHING, Arrangement.ABSENT), redis, arguments);
			Facts with = Facts.of(directory, paths.of(CACHING, Arrangement.LAST), redis, arguments);
			assertThat(without.facts()).contains(
					"bean cacheManager org.springframework.cache.concurrent.ConcurrentMapCacheManager", "health 200");
			assertThat(with.ofTheApplication()).containsExactlyElementsOf(without.ofTheApplication());
			assertThat(with.ofTheLimiter()).hasSizeBetween(1, 24).allMatch((fact) -> fact.startsWith("ours, made"));
		}
	}

}
