package dev.ratelimit.memcached;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application on Tomcat that counts in Memcached, and requests of its clients.
 */
final class TestApplication implements AutoCloseable {

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ConfigurableApplicationContext context;

	TestApplication(MemcachedServer server, String... settings) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--spring.application.name=shop", "--ratelimit.store=memcached",
						"--ratelimit.instances=1", "--ratelimit.memcached.nodes=127.0.0.1:" + server.port()));
		for (String setting : settings) {
			arguments.add("--" + setting);
		}
		this.context = run(arguments);
	}

	/** An application with a configuration of its own, apart from its ports. */
	TestApplication(MemcachedServer server, Path configuration) {
		this.context = run(List.of("--server.port=0", "--spring.config.location=" + configuration.toUri(),
				"--ratelimit.memcached.nodes=127.0.0.1:" + server.port()));
	}

	private static ConfigurableApplicationContext run(List<String> arguments) {
		// A busy machine must not decide without the server.
		return new SpringApplicationBuilder(Application.class).properties("ratelimit.deadline=10s")
			.run(arguments.toArray(String[]::new));
	}

	HttpResponse<String> get(String path, String name) {
		return send(HttpRequest.newBuilder().header("Client", name), path);
	}

	HttpResponse<String> delete(String path) {
		return send(HttpRequest.newBuilder().DELETE(), path);
	}

	private HttpResponse<String> send(HttpRequest.Builder request, String path) {
		int port = ((WebServerApplicationContext) this.context).getWebServer().getPort();
		try {
			return this.client.send(request.uri(URI.create("http://127.0.0.1:" + port + path)).build(),
					HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@RestController
	static class Application {

		@GetMapping("/{rule}")
		String rule(@PathVariable String rule) {
			return rule;
		}

	}

}
