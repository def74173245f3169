package dev.ratelimit.benchmarks;

import com.giffing.bucket4j.spring.boot.starter.config.cache.Bucket4jCacheConfiguration;
import com.giffing.bucket4j.spring.boot.starter.config.filter.servlet.Bucket4JAutoConfigurationServletFilter;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitWebAutoConfiguration;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that does almost nothing.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ TomcatServletWebServerAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
		WebMvcAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class, ErrorMvcAutoConfiguration.class })
@RestController
class HttpApplication {

	@GetMapping("/")
	String index() {
		return "ok";
	}

	@GetMapping("/refused")
	@ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
	void refused() {
	}

	/** Sends the header fields of an admission, always the same, and limits nothing. */
	@Configuration(proxyBeanMethods = false)
	static class WithFields {

		@Bean
		Filter fields() {
			return (request, response, chain) -> {
				HttpServletResponse http = (HttpServletResponse) response;
				http.setHeader("X-RateLimit-Limit", "1000000");
				http.setHeader("X-RateLimit-Remaining", "999999");
				http.setHeader("X-RateLimit-Reset", "10");
				http.setHeader("RateLimit-Policy", "\"bench\";q=1000000;w=10");
				http.setHeader("RateLimit", "\"bench\";r=999999;t=10");
				chain.doFilter(request, response);
			};
		}

	}

	/** Limited by this starter. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RateLimitAutoConfiguration.class, RateLimitWebAutoConfiguration.class })
	static class WithOurs {

	}

	/** Limited by bucket4j's starter, which needs a connection pool bean. */
	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(DataRedisProperties.class)
	@ImportAutoConfiguration({ Bucket4jCacheConfiguration.class, Bucket4JAutoConfigurationServletFilter.class })
	static class WithBucket4j {

		@Bean
		@SuppressWarnings("deprecation")
		JedisPool jedisPool(DataRedisProperties redis) {
			JedisPoolConfig config = new JedisPoolConfig();
			config.setMaxTotal(Workload.THREADS);
			config.setMaxIdle(Workload.THREADS);
			return new JedisPool(config, redis.getHost(), redis.getPort());
		}

	}

}
