package dev.ratelimit.queue.autoconfigure;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitWebAutoConfiguration;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.RulesNotEnforceableException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rule that enqueues requests stops the start if nothing would store or handle them,
 * and so does a wrong setting of the queue.
 */
class QueueCheckTests {

	private final ApplicationContextRunner withoutHandler = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitQueueAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.port=1", "ratelimit.rules.orders.paths=/orders",
				"ratelimit.rules.orders.thresholds=1/1s", "ratelimit.rules.orders.on-limit=enqueue");

	@AutoConfiguration(after = RateLimitQueueAutoConfiguration.class)
	static class LateHandler extends Handler {

	}

	@Configuration(proxyBeanMethods = false)
	static class Handler {

		@Bean
		QueuedRequestHandler handler() {
			return (request) -> {
			};
		}

	}

	@Test
	@DisplayName("the handler is registered too late: the start fails with the cure")
	void requestsAreNotSilentlyRefusedIfNothingWouldEnqueueThem() {
		this.withoutHandler.withConfiguration(AutoConfigurations.of(LateHandler.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(RulesNotEnforceableException.class)
				.hasMessageContaining("Rule 'orders' has on-limit enqueue")
				.hasMessageContaining("QueuedRequestHandler was registered after the limiter had looked for it")
				.hasMessageContaining("@AutoConfiguration(before = RateLimitQueueAutoConfiguration.class)"));
		this.withoutHandler.withUserConfiguration(Handler.class)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(QueueLifecycle.class));
	}

	@Test
	void nothingOfAQueueExistsWithoutAHandler() {
		this.withoutHandler.withPropertyValues("ratelimit.rules.orders.on-limit=reject")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(QueueLifecycle.class));
	}

	@ParameterizedTest
	@CsvSource({ "path, /later/, is no plain path", "path, '/{x}', is no plain path", "workers, 0, is out of range",
			"lease, 999ms, is out of range", "max-tries, 0, is out of range", "backoff, 0ms, is out of range",
			"max-backoff, 2d, is out of range", "max-state-reads, 0, is out of range",
			"keep-state, 0s, is out of range", "keep-dead, 401d, is out of range" })
	void aWrongSettingStopsTheStart(String name, String value, String reason) {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitQueueAutoConfiguration.class))
			.withPropertyValues("ratelimit.store=memory", "ratelimit.queue." + name + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("ratelimit.queue." + name, reason));
	}

	@Test
	void statesAreServedOnlyWhereRequestsCanBeEnqueued() {
		WebApplicationContextRunner web = new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitQueueAutoConfiguration.class,
							WebMvcAutoConfiguration.class, RateLimitWebAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=1", "ratelimit.rules.all.paths=/**",
					"ratelimit.rules.all.thresholds=1/1s");
		web.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RouterFunction.class));
		web.withUserConfiguration(Handler.class)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RouterFunction.class));
		web.withUserConfiguration(Handler.class)
			.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RouterFunction.class));
	}

	@Test
	void aRuleThatIsOffOrDoesNotEnqueueNeedsNoQueue() {
		this.withoutHandler.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		this.withoutHandler.withPropertyValues("ratelimit.rules.orders.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		this.withoutHandler.withPropertyValues("ratelimit.rules.orders.on-limit=reject")
			.run((context) -> assertThat(context).hasNotFailed().hasBean("rateLimitStarterQueueRules"));
	}

	@Test
	void aQueueNeedsNoLibraryThatAnApplicationMayNotHave() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitQueueAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=1", "ratelimit.rules.orders.thresholds=1/1s",
					"ratelimit.rules.orders.on-limit=enqueue")
			.withUserConfiguration(Handler.class)
			.withClassLoader(new FilteredClassLoader("io.micrometer", "org.apache.catalina", "org.springframework.web",
					"org.springframework.boot.tomcat", "org.springframework.boot.actuate", "jakarta.servlet"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(QueueLifecycle.class));
	}

	@Test
	void anotherWebStackHasNoStateRoute() {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitQueueAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=1", "ratelimit.rules.orders.thresholds=1/1s",
					"ratelimit.rules.orders.on-limit=enqueue")
			.withUserConfiguration(Handler.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(QueueLifecycle.class)
				.doesNotHaveBean(RouterFunction.class)
				.doesNotHaveBean(LaterHandler.class));
	}

}
