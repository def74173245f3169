package dev.ratelimit.integration.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The test application on a real Tomcat at a free port, configured by the YAML a user
 * would write, with a key prefix of its own.
 */
public final class App implements AutoCloseable {

	private static final AtomicInteger NUMBER = new AtomicInteger();

	public static final String NO_SECURITY = "--spring.autoconfigure.exclude="
			+ "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration";

	/** A client that waits longer for a response would wait for ever. */
	private static final Duration LONGEST = Duration.ofMinutes(2);

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ConfigurableApplicationContext context;

	private final String prefix;

	private App(ConfigurableApplicationContext context, String prefix) {
		this.context = context;
		this.prefix = prefix;
	}

	public static String newPrefix() {
		return "it" + NUMBER.incrementAndGet();
	}

	public static App start(String yaml, Class<?>... beans) {
		return start(newPrefix(), yaml, beans);
	}

	/** With Spring Security, and with passwords in plain text. */
	public static App startSecured(String yaml, Class<?>... beans) {
		Class<?>[] all = Arrays.copyOf(beans, beans.length + 1);
		all[beans.length] = PlainPasswords.class;
		return run(newPrefix(), yaml, all);
	}

	public static App start(String prefix, String yaml, Class<?>... beans) {
		return run(prefix, yaml, beans, NO_SECURITY);
	}

	/** With OpenAPI documents. */
	public static App startDocumented(String yaml, Class<?>... beans) {
		return run(newPrefix(), yaml, beans, NO_SECURITY, "--springdoc.api-docs.enabled=true");
	}

	private static App run(String prefix, String yaml, Class<?>[] beans, String... arguments) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(TestApplication.class).sources(beans)
			.initializers((context) -> add(context.getEnvironment().getPropertySources(), yaml))
			.properties("server.port=0", "spring.main.banner-mode=off", "spring.jmx.enabled=false",
					"management.endpoints.web.exposure.include=health,ratelimits", "logging.level.root=warn");
		String[] all = Arrays.copyOf(arguments, arguments.length + 1);
		all[arguments.length] = "--ratelimit.key-prefix=" + prefix;
		return new App(builder.run(all), prefix);
	}

	private static void add(MutablePropertySources sources, String yaml) {
		try {
			new YamlPropertySourceLoader()
				.load("test yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
				.forEach(sources::addLast);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	public ConfigurableApplicationContext context() {
		return this.context;
	}

	public String prefix() {
		return this.prefix;
	}

	public int handled() {
		return bean(TestApplication.Products.class).handled.get();
	}

	/** The class of its container. */
	public String server() {
		return ((ServletWebServerApplicationContext) this.context).getWebServer().getClass().getSimpleName();
	}

	public int port() {
		return ((ServletWebServerApplicationContext) this.context).getWebServer().getPort();
	}

	public HttpResponse<String> get(String path, String... headers) {
		return send("GET", path, headers);
	}

	public HttpResponse<String> send(String method, String path, String... headers) {
		return send(port(), method, path, headers);
	}

	public static HttpResponse<String> send(int port, String method, String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
			.method(method, BodyPublishers.noBody())
			.timeout(LONGEST);
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return CLIENT.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The statuses of {@code count} requests, sent one after the other. */
	public List<Integer> statuses(int count, String method, String path) {
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			statuses.add(send(method, path).statusCode());
		}
		return statuses;
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** Hashing a password properly takes as long as the rest of a request. */
	@Configuration(proxyBeanMethods = false)
	public static class PlainPasswords {

		@Bean
		PasswordEncoder plainPasswords() {
			return new PasswordEncoder() {

				@Override
				public String encode(CharSequence password) {
					return password.toString();
				}

				@Override
				public boolean matches(CharSequence password, String encoded) {
					return encoded.contentEquals(password);
				}

			};
		}

	}

}
