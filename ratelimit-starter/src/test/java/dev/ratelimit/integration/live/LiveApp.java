package dev.ratelimit.integration.live;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.RateLimited;
import dev.ratelimit.rule.live.RateLimitRulesChangedEvent;
import dev.ratelimit.rule.live.RateLimitRulesRefusedEvent;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application whose path, handlers and method of another bean are under rules that
 * change.
 */
@Configuration(proxyBeanMethods = false)
class LiveApp {

	/** Reached by a request in its handler, and by the test. */
	final CyclicBarrier inHandler = new CyclicBarrier(2);

	final List<Object> events = new CopyOnWriteArrayList<>();

	@EventListener({ RateLimitRulesChangedEvent.class, RateLimitRulesRefusedEvent.class })
	void onEvent(Object event) {
		this.events.add(event);
	}

	void meet() {
		try {
			this.inHandler.await(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Bean
	Service liveService() {
		return new Service();
	}

	@RestController
	static class Handlers {

		private final LiveApp app;

		private final Service service;

		Handlers(LiveApp app, Service service) {
			this.app = app;
			this.service = service;
		}

		@GetMapping("/live")
		@RateLimited("named")
		String live() {
			return "";
		}

		@GetMapping("/served")
		String served() {
			this.service.serve();
			return "";
		}

		@GetMapping("/slow")
		String slow() {
			this.app.meet();
			this.app.meet();
			return "";
		}

	}

	static class Service {

		@RateLimited("served")
		void serve() {
			// The rule decides.
		}

	}

}
