package dev.ratelimit.autoconfigure;

import java.io.IOException;

import dev.ratelimit.limiter.IpAddress;
import dev.ratelimit.web.key.ClientAddresses;
import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Adds to Tomcat what no filter can do.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ ConfigurableTomcatWebServerFactory.class, ValveBase.class })
class TomcatConfiguration {

	@Bean
	WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> rateLimitStarterTomcat(Environment environment) {
		return (factory) -> {
			if (RateLimitWebAutoConfiguration.isForwardingHandled(environment)) {
				factory.addEngineValves(new PeerValve());
			}
		};
	}

	/**
	 * Tomcat accepts any text in a forwarding header as an address. Boot adds Tomcat's
	 * valve first; this one runs behind it, and adds the socket's peer to requests whose
	 * address is not valid.
	 */
	private static final class PeerValve extends ValveBase {

		PeerValve() {
			super(true);
		}

		@Override
		public void invoke(Request request, Response response) throws IOException, ServletException {
			String address = request.getRemoteAddr();
			if (address == null || IpAddress.parse(address).isEmpty()) {
				request.setAttribute(ClientAddresses.PEER_ATTRIBUTE, request.getPeerAddr());
			}
			getNext().invoke(request, response);
		}

	}

}
