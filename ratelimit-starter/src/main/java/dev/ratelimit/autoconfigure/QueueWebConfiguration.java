package dev.ratelimit.autoconfigure;

import java.security.SecureRandom;
import java.util.Base64;

import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.web.QueueAnswers;
import dev.ratelimit.queue.web.QueueStates;
import dev.ratelimit.queue.web.RequestQueue;
import dev.ratelimit.queue.web.StateReads;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Enqueues requests, and responds to clients about enqueued requests.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(name = QueueConfiguration.LIFECYCLE)
class QueueWebConfiguration {

	private static final int ID_BYTES = 16;

	@Bean
	@ConditionalOnBean(ItemQueue.class)
	RouterFunction<ServerResponse> rateLimitStarterQueueStates(ItemQueue queue, ActiveRules rules,
			RateLimitProperties properties) {
		return new QueueStates(queue, rules, properties.deadline(),
				new StateReads(properties.queue().maxStateReads(), System::nanoTime))
			.route(properties.queue().path());
	}

	/**
	 * Nothing is enqueued without a handler: {@link QueueCheck} fails the start then.
	 */
	@Bean
	@ConditionalOnBean(ItemQueue.class)
	RequestQueue rateLimitStarterRequestQueue(ItemQueue queue, RequestLimiter limiter, AllListeners listeners,
			QueueLifecycle lifecycle, RateLimitProperties properties) {
		SecureRandom random = new SecureRandom();
		return new RequestQueue(queue, limiter, listeners.decisions(), new QueueAnswers(properties.queue().path()),
				() -> id(random), lifecycle::wake, System::nanoTime);
	}

	private static String id(SecureRandom random) {
		byte[] id = new byte[ID_BYTES];
		random.nextBytes(id);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
	}

}
