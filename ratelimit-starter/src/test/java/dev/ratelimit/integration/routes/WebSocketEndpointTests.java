package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RawHttp;
import dev.ratelimit.integration.support.TimedStore;
import jakarta.servlet.ServletContext;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.OnError;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import org.apache.tomcat.websocket.server.WsContextListener;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Endpoints of Jakarta WebSocket: a filter of the container serves them, by the path that
 * the container mapped to MVC.
 */
class WebSocketEndpointTests {

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start("""
				ratelimit.rules:
				  chat: {paths: /ws/chat, thresholds: 3/10m}
				  halls: {paths: '/halls/{hall}', key: 'path:hall', thresholds: 1/10m}
				  rooms: {paths: '/rooms/{room}', thresholds: 2/10m}
				""", TimedStore.class, Chat.class);
	}

	@Test
	void aHandshakeIsCountedWhateverTheSpellingOfItsPath() {
		assertThat(handshakes("/ws/chat", "//ws/chat", "/x/../ws/chat", "/ws/./chat", "/ws//chat", "/ws/%63hat"))
			.containsExactly(101, 101, 101, 429, 429, 429);
	}

	@Test
	void aVariableOfThePathIsReadFromTheFormThatMatches() {
		assertThat(handshakes("//halls/great", "/halls/great", "//halls/other")).containsExactly(101, 429, 404);
	}

	/** Tomcat ignores it for an endpoint whose path has a variable. */
	@Test
	void aSlashAtTheEndOfAHandshakeChangesNothing() {
		assertThat(handshakes("/rooms/a/", "//rooms/b/", "/rooms/c/")).containsExactly(101, 101, 429);
	}

	private static List<Integer> handshakes(String... paths) {
		return Stream.of(paths).map(WebSocketEndpointTests::handshake).toList();
	}

	/** Reads the status only, as the connection of a successful handshake stays open. */
	private static int handshake(String path) {
		try (Socket socket = RawHttp.connect(app.port())) {
			socket.getOutputStream()
				.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
						+ "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
			return Integer.parseInt(line.substring(9));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Chat {

		/** As Boot does. */
		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> webSockets() {
			return (factory) -> factory
				.addContextCustomizers((context) -> context.addApplicationListener(WsContextListener.class.getName()));
		}

		/** As {@code ServerEndpointExporter} does. */
		@Bean
		SmartInitializingSingleton endpoint(ServletContext context) {
			return () -> {
				try {
					ServerContainer container = (ServerContainer) context.getAttribute(ServerContainer.class.getName());
					container.addEndpoint(Conversation.class);
					container.addEndpoint(Hall.class);
					container.addEndpoint(Room.class);
				}
				catch (DeploymentException ex) {
					throw new IllegalStateException(ex);
				}
			};
		}

	}

	@ServerEndpoint("/ws/chat")
	public static class Conversation {

		/** The client leaves without closing. */
		@OnError
		public void failed(Throwable failure) {
		}

	}

	@ServerEndpoint("/halls/great")
	public static class Hall extends Conversation {

	}

	@ServerEndpoint("/rooms/{room}")
	public static class Room extends Conversation {

	}

}
