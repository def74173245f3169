package dev.ratelimit.autoconfigure;

import java.io.IOException;

import dev.ratelimit.queue.web.SlowBodies;
import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Tomcat reads the body of an answered request to its end, on the thread of the request.
 * If a body was aborted as too slow, the connection is closed instead.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ ConfigurableTomcatWebServerFactory.class, ValveBase.class })
class TomcatBodiesConfiguration {

	@Bean
	WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> rateLimitStarterTomcatBodies() {
		return (factory) -> factory.addEngineValves(new BodiesValve());
	}

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
