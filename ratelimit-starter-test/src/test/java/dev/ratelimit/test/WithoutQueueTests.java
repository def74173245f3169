package dev.ratelimit.test;

import dev.ratelimit.RateLimiter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.FilteredClassLoader.ClassPathResourceFilter;
import org.springframework.boot.test.context.FilteredClassLoader.PackageFilter;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

class WithoutQueueTests {

	@Test
	void rulesAreTestedWithoutTheModuleOfTheQueue() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withClassLoader(new FilteredClassLoader(PackageFilter.of("dev.ratelimit.queue"),
					ClassPathResourceFilter.of(new ClassPathResource("META-INF/spring.factories"))))
			.withPropertyValues("ratelimit.rules.login.thresholds=1/1m", "ratelimit.rules.login.key=global")
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("testRateLimitQueue");
				RateLimiter limiter = context.getBean(RateLimiter.class);
				assertThat(limiter.tryAcquire("login").isAllowed()).isTrue();
				assertThat(limiter.tryAcquire("login").isAllowed()).isFalse();
				context.getBeanProvider(TestState.class).forEach(TestState::clear);
				assertThat(limiter.tryAcquire("login").isAllowed()).isTrue();
			});
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureTestRateLimits
	static class Application {

	}

}
