package dev.ratelimit.sample.datacentres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.actuate.RateLimitHealthIndicator;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.RLConfig;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;

/**
 * A data centre: an application with a Redis of its own, and a line to the Redis of the
 * other one.
 */
final class DataCentre implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final String name;

	private final String peer;

	private final ConfigurableApplicationContext application;

	private final URI shared;

	private final HttpClient http = HttpClient.newHttpClient();

	private DataCentre(String name, String peer, ConfigurableApplicationContext application) {
		this.name = name;
		this.peer = peer;
		this.application = application;
		int port = Objects.requireNonNull(((WebServerApplicationContext) application).getWebServer()).getPort();
		this.shared = URI.create("http://127.0.0.1:" + port + "/shared");
	}

	static DataCentre start(String name, RedisServer redis, String peer, Line line, List<String> options) {
		List<String> arguments = new ArrayList<>(options);
		arguments.addAll(List.of("--spring.config.name=datacentre", "--server.port=0", "--server.address=127.0.0.1",
				"--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
				"--ratelimit.datacenter.name=" + name, "--ratelimit.datacenter.peers." + peer + ".host=127.0.0.1",
				"--ratelimit.datacenter.peers." + peer + ".port=" + line.port()));
		SpringApplication application = new SpringApplication(DataCentreApplication.class);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setRegisterShutdownHook(false);
		return new DataCentre(name, peer, application.run(arguments.toArray(String[]::new)));
	}

	String name() {
		return this.name;
	}

	/** The resource whose limit the data centres share. */
	URI shared() {
		return this.shared;
	}

	/** Its rule, which is the only one. */
	RLConfig rule() {
		return this.application.getBean(ActiveRules.class).get().ruleSet().rules().get(0);
	}

	/** Send a request of a client to the shared resource. */
	Answer send(String client) {
		HttpRequest request = HttpRequest.newBuilder(this.shared).timeout(PATIENCE).header("X-Client", client).build();
		try {
			HttpResponse<String> response = this.http.send(request, BodyHandlers.ofString());
			List<String> headers = Stream.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "Retry-After")
				.flatMap((
						header) -> response.headers().firstValue(header).map((value) -> header + ": " + value).stream())
				.toList();
			return new Answer(response.statusCode(), headers,
					response.headers().firstValueAsLong("X-RateLimit-Reset").orElse(0));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** What its health reports about the other data centre, for example "exchanging". */
	String exchange() {
		Object states = Objects.requireNonNull(this.application.getBean(RateLimitHealthIndicator.class).health())
			.getDetails()
			.get("dataCenters");
		return (states instanceof Map<?, ?> byName && byName.get(this.peer) instanceof String state) ? state
				: "unknown";
	}

	/** The time since the other data centre has last replied; empty if it never has. */
	Optional<Long> exchangeAgeInMillis() {
		double millis = this.application.getBean(MeterRegistry.class)
			.get("ratelimit.exchange.age")
			.tag("peer", this.peer)
			.timeGauge()
			.value(TimeUnit.MILLISECONDS);
		return Double.isNaN(millis) ? Optional.empty() : Optional.of(Math.round(millis));
	}

	@Override
	public void close() {
		this.application.close();
	}

	/**
	 * The answer to a request.
	 *
	 * @param status the HTTP status
	 * @param headers the headers about the limit
	 * @param reset when the window ends, in seconds since 1970, possibly a second late
	 */
	record Answer(int status, List<String> headers, long reset) {

		boolean isAdmitted() {
			return this.status == HttpStatus.OK.value();
		}

	}

}
