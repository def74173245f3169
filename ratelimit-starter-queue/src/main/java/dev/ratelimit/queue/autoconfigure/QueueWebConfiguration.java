package dev.ratelimit.queue.autoconfigure;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Base64;

import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.web.EnqueuedRequests;
import dev.ratelimit.queue.web.QueueAnswers;
import dev.ratelimit.queue.web.QueueStates;
import dev.ratelimit.queue.web.SlowBodies;
import dev.ratelimit.queue.web.StateReads;
import dev.ratelimit.queue.worker.QueueRules;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.ModuleContext;
import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * What enqueues requests, and responds to clients about them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBean(value = ItemQueue.class, name = QueueConfiguration.LIFECYCLE)
class QueueWebConfiguration {

	private static final int ID_BYTES = 16;

	@Bean
	RouterFunction<ServerResponse> rateLimitStarterQueueStates(ItemQueue queue, QueueRules rules, ModuleContext context,
			RateLimitQueueProperties properties) {
		return new QueueStates(queue, rules::enqueues, context.deadline(),
				new StateReads(properties.maxStateReads(), System::nanoTime))
			.route(properties.path());
	}

	/**
	 * Nothing is enqueued without a handler: {@link QueueCheck} fails the start then.
	 */
	@Bean
	LaterHandler rateLimitStarterEnqueuedRequests(ItemQueue queue, QueueLifecycle lifecycle,
			RateLimitQueueProperties properties) {
		SecureRandom random = new SecureRandom();
		return new EnqueuedRequests(queue, new QueueAnswers(properties.path()), () -> id(random), lifecycle::wake,
				System::nanoTime);
	}

	private static String id(SecureRandom random) {
		byte[] id = new byte[ID_BYTES];
		random.nextBytes(id);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
	}

	/** Adds to Tomcat what no filter can do. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ConfigurableTomcatWebServerFactory.class, ValveBase.class })
	static class TomcatConfiguration {

		@Bean
		WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> rateLimitStarterQueueTomcat() {
			return (factory) -> factory.addEngineValves(new BodiesValve());
		}

		/**
		 * Tomcat reads the body of an answered request to its end, on the thread of the
		 * request. If a body was aborted as too slow, the connection is closed instead.
		 */
		private static final class BodiesValve extends ValveBase {

			BodiesValve() {
				super(true);
			}

			@Override
			public void invoke(Request request, Response response) throws IOException, ServletException {
				getNext().invoke(request, response);
				if (SlowBodies.isGivenUp(request) && !request.isAsync() && request.getProtocol().startsWith("HTTP/1")) {
					response.finishResponse();
					request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
				}
			}

		}

	}

}
