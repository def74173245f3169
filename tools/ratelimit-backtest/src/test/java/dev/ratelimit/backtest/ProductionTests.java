package dev.ratelimit.backtest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.ratelimit.backtest.log.LogFormat;
import dev.ratelimit.backtest.log.LogReader;
import dev.ratelimit.backtest.replay.LogClock;
import dev.ratelimit.backtest.replay.LogReplay;
import dev.ratelimit.backtest.replay.RuleFile;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A replay of a log refuses the same requests as an application with the same rules. The
 * application runs on a real Tomcat, and its clock is set to the time of each line.
 */
class ProductionTests {

	private static final String RULES = """
			store: memory
			trusted-proxies: 127.0.0.1, 10.0.0.0/8
			ipv6-prefix: 56
			exempt:
			  addresses: 198.51.100.0/24
			  paths: /free/**
			rules:
			  log: { paths: /**, thresholds: "12/10s, 40/1m" }
			  impatient: { paths: /a/**, algorithm: sliding-window-log, count-rejected: true, thresholds: 9/20s }
			  window: { paths: "/{first}/{second}", key: path:second, algorithm: fixed-window, thresholds: 7/10s }
			  counter: { paths: /b/**, methods: "GET, POST", key: "header:X-Api-Key", algorithm: sliding-window-counter, thresholds: 9/10s }
			  bucket:
			    paths: /c/**
			    key: [ip, "query:q"]
			    on-missing-key: shared
			    algorithm: token-bucket
			    thresholds: [{ threshold: 3, window: 5s, burst: 6 }]
			  keyed: { paths: /d/**, key: "header:X-Api-Key", on-missing-key: deny, thresholds: 1000/1h }
			  failures: { paths: /**, key: "cookie:shop", on-missing-key: skip, count-on: "402,5xx", thresholds: 3/30s }
			  costly: { paths: /a/**, cost: 3, when: "query['q'] != null and method != 'POST'", thresholds: 20/30s }
			  plans:
			    paths: /b/**
			    thresholds: 6/20s
			    plan-key: header:X-Plan
			    plans: { gold: 30/20s, staff: unlimited }
			    overrides: [{ key: 192.0.2.2/32, thresholds: blocked }]
			  watched: { paths: /**, shadow: true, thresholds: 2/1m }
			""";

	@TempDir
	private Path directory;

	private final Random random = new Random(20261010);

	private final JsonMapper mapper = new JsonMapper();

	@Test
	void theReplayRefusesTheSameRequestsAsTheApplication() throws Exception {
		Path rules = new Runs(this.directory).rules("application.yml", RULES);
		List<Map<String, Object>> log = log(1500);
		List<Long> replayed = replayed(RuleFile.read(rules), log);
		assertThat(replayed).hasSizeBetween(300, 1200);
		assertThat(served(rules, log)).isEqualTo(replayed);
	}

	private List<Map<String, Object>> log(int lines) {
		List<Map<String, Object>> log = new ArrayList<>();
		long millis = Instant.parse("2026-10-10T00:00:00Z").toEpochMilli();
		for (int i = 0; i < lines; i++) {
			millis += this.random.nextInt(300);
			String path = "/" + one("a", "b", "c", "d", "free", "%61", "B")
					+ one("", "/x", "/y", "/x/z", "/%78", "/x;v=1");
			log.add(Map.of("time", millis, "remote_addr",
					one("192.0.2.1", "192.0.2.2", "198.51.100.9", "2001:db8:0:1::1", "2001:db8:0:ff::2"),
					"request_method", one("GET", "GET", "POST", "HEAD"), "request_uri",
					path + one("", "", "?q=1", "?q=%31&r", "?r=2"), "status", one("200", "200", "402", "503"),
					"http_x_api_key", one("", "k1", "k2"), "http_cookie", one("", "a=b; shop=s1", "shop=s2"),
					"http_x_plan", one("", "Gold", "staff", "none")));
		}
		return log;
	}

	private String one(String... choices) {
		return choices[this.random.nextInt(choices.length)];
	}

	private List<Long> replayed(RuleFile rules, List<Map<String, Object>> log) throws IOException {
		List<Long> refused = new ArrayList<>();
		LogReplay replay = new LogReplay(rules);
		String text = String.join("\n", log.stream().map(this.mapper::writeValueAsString).toList());
		new LogReader(LogFormat.JSON, (now, line) -> {
			if (replay.replay(now, line)
				.stream()
				.anyMatch((one) -> one.outcome().filter(Outcome.REJECTED::equals).isPresent()
						&& !one.rule().enforcement().shadow())) {
				refused.add(line.number());
			}
		}).read("log", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), () -> {
		});
		return refused;
	}

	private static List<Long> served(Path rules, List<Map<String, Object>> log) throws Exception {
		List<Long> refused = new ArrayList<>();
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Shop.class).run(
				"--spring.config.location=" + rules.toUri(), "--server.port=0", "--logging.level.root=warn",
				"--spring.main.banner-mode=off")) {
			int port = ((WebServerApplicationContext) application).getWebServer().getPort();
			HttpClient client = HttpClient.newHttpClient();
			LogClock clock = application.getBean(LogClock.class);
			for (int i = 0; i < log.size(); i++) {
				clock.set(Instant.ofEpochMilli((Long) log.get(i).get("time")));
				int status = client.send(request(port, log.get(i)), HttpResponse.BodyHandlers.discarding())
					.statusCode();
				if (status == 429 || status == 403) {
					refused.add(i + 1L);
				}
			}
		}
		return refused;
	}

	private static HttpRequest request(int port, Map<String, Object> line) {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + port + line.get("request_uri")))
			.method(line.get("request_method").toString(), HttpRequest.BodyPublishers.noBody())
			.header("X-Forwarded-For", line.get("remote_addr").toString())
			.header("X-Status", line.get("status").toString());
		Map.of("X-Api-Key", "http_x_api_key", "Cookie", "http_cookie", "X-Plan", "http_x_plan")
			.forEach((header, field) -> {
				String value = line.get(field).toString();
				if (!value.isEmpty()) {
					request.header(header, value);
				}
			});
		return request.build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		LogClock logClock() {
			return new LogClock();
		}

		@Bean(defaultCandidate = false)
		InstantSource rateLimitClock(LogClock clock) {
			return clock;
		}

		@RestController
		static class Everything {

			@RequestMapping("/**")
			void respond(HttpServletRequest request, HttpServletResponse response) {
				response.setStatus(Integer.parseInt(request.getHeader("X-Status")));
			}

		}

	}

}
