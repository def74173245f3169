package dev.ratelimit.integration.failure;

import java.time.Duration;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.remote.Breakers;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Circuit breakers that stay open until a test moves their clock. As the clock stands
 * still, two failures open them.
 */
@Configuration(proxyBeanMethods = false)
class TimedBreakers {

	static final Duration OPEN = Duration.ofSeconds(40);

	static final MovableClock CLOCK = new MovableClock();

	@Bean
	static BeanPostProcessor breakersOnAMovableClock() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof Breakers) ? new Breakers(5, OPEN, Duration.ZERO, CLOCK::nanoTime) : bean;
			}

		};
	}

}
