package dev.ratelimit.integration.live;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.RateLimited;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.rule.live.RateLimitRulesChangedEvent;
import dev.ratelimit.rule.live.RateLimitRulesRefusedEvent;
import dev.ratelimit.rule.live.RuleRefresh;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Rules change while the application runs, over HTTP. Each test has a rule of its own.
 */
class LiveRulesTests {

	/** The rules that annotations of {@link LiveBeans} name. */
	private static final String NAMED = """
			    named: {thresholds: 1000/10m}
			    served: {thresholds: 1000/10m}
			""";

	@TempDir
	private static Path directory;

	private static Path file;

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		file = directory.resolve("limits.yml");
		write();
		app = start("", LiveBeans.class);
	}

	private static void write(String... rules) {
		replace("ratelimit:\n  rules:\n" + NAMED + "    " + String.join("\n    ", rules) + "\n");
	}

	private static void replace(String text) {
		RuleFiles.replace(file, text);
	}

	/** Reloads only when the test calls {@link #refresh}. */
	private static App start(String more, Class<?>... beans) {
		return App.start("""
				ratelimit:
				  store: memory
				  rule-source: {file: '%s', refresh: 1h}
				%s
				""".formatted(file, more), beans);
	}

	/** What a test begins with. */
	private static void begin(String... rules) {
		write(rules);
		app.bean(RuleRefresh.class).refresh();
		app.bean(LiveBeans.class).events.clear();
	}

	private static void refresh() {
		app.bean(RuleRefresh.class).refresh();
	}

	private static double reloads(App app, String source, String outcome) {
		return app.bean(MeterRegistry.class)
			.get("ratelimit.rules.reloads")
			.tags("source", source, "outcome", outcome)
			.counter()
			.count();
	}

	@Test
	@DisplayName("3.17 A threshold that is changed in a file holds with the next request, and usage is kept")
	void aThresholdChangesWithTheNextRequestAndUsageIsKept() {
		begin("changed: {paths: /open, thresholds: 2/10m}");
		assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 429);
		write("changed: {paths: /open, thresholds: 3/10m}");
		refresh();
		assertThat(app.statuses(2, "GET", "/open")).containsExactly(200, 429);
		write("changed: {paths: /open, thresholds: 1/10m}");
		refresh();
		assertThat(app.statuses(1, "GET", "/open")).containsExactly(429);
		assertThat(app.get("/actuator/ratelimits/changed").body()).contains("\"matched\":1");
	}

	@Test
	void theResponseOfARuleChangesWithTheNextRefusal() {
		begin("busy: {paths: /open, thresholds: 2/10m}");
		assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 429);
		write("busy: {paths: /open, refusal: {status: 503, body: Busy}, thresholds: 2/10m}");
		refresh();
		HttpResponse<String> refused = app.get("/open");
		assertThat(refused.statusCode()).isEqualTo(503);
		assertThat(refused.body()).isEqualTo("Busy");
	}

	@Test
	@DisplayName("3.26 The algorithm of a live rule is replaced, and the next request uses it")
	void anAlgorithmIsReplacedAndStartsAnew() {
		begin("bucket: {paths: /open, thresholds: 2/10m}");
		try (CapturedLog log = new CapturedLog(Level.INFO)) {
			assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 429);
			write("bucket: {paths: /open, algorithm: token-bucket, thresholds: [{threshold: 1, window: 10m, burst: 3}]}");
			refresh();
			assertThat(app.statuses(4, "GET", "/open")).containsExactly(200, 200, 200, 429);
			assertThat(log.events()).extracting(ILoggingEvent::getFormattedMessage)
				.contains("Rate limit rules have changed (file " + file
						+ "): changed [bucket]; rule 'bucket' starts anew, as it counts by token-bucket");
		}
	}

	@Test
	@DisplayName("3.17 A file is watched: its change is in force soon, without a call and before the next refresh")
	void aFileIsWatchedAndReloadedWithoutACall() {
		begin("watched: {paths: /open, thresholds: 2/10m}");
		assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 429);
		write("watched: {paths: /open, thresholds: 3/10m}", "more: {paths: /v1/product, thresholds: 1/10m}");
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(app.get("/v1/product").headers().map()).containsKey("ratelimit-policy"));
		assertThat(app.get("/v1/product").statusCode()).isEqualTo(429);
		assertThat(app.statuses(2, "GET", "/open")).containsExactly(200, 429);
	}

	@Test
	@DisplayName("3.17 A broken file keeps the last good rules, and the failure is reported")
	void aBrokenFileKeepsTheLastGoodRulesAndReportsWhatIsWrongAndWhere() {
		begin("good: {paths: /open, thresholds: 2/10m}");
		double failures = reloads(app, "file", "failure");
		double successes = reloads(app, "file", "success");
		List<Object> events = app.bean(LiveBeans.class).events;
		try (CapturedLog log = new CapturedLog(Level.INFO)) {
			write("good: {paths: /open, thresholds: 9/10m, algoritm: token-bucket}");
			refresh();
			refresh();
			assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 429);
			assertThat(reloads(app, "file", "failure") - failures).isGreaterThanOrEqualTo(2);
			String reason = "ratelimit.rules.good.algoritm 'token-bucket' (" + file
					+ " - 5:55) belongs to no key of this version. Did you mean algorithm?";
			assertThat(log.events()).filteredOn((event) -> event.getLevel() == Level.WARN)
				.singleElement()
				.satisfies((event) -> assertThat(event.getFormattedMessage()).contains(reason));
			assertThat(events).singleElement()
				.satisfies((event) -> assertThat(((RateLimitRulesRefusedEvent) event).reason()).contains(reason));
			assertThat(app.get("/actuator/ratelimits").body()).contains("\"source\":\"file\"", "algoritm");
			write("good: {paths: /open, thresholds: 3/10m}");
			refresh();
			assertThat(app.statuses(2, "GET", "/open")).containsExactly(200, 429);
			assertThat(app.get("/actuator/ratelimits").body()).doesNotContain("algoritm");
			assertThat(events).contains(new RateLimitRulesChangedEvent(Set.of(), Set.of("good"), Set.of()));
			assertThat(reloads(app, "file", "success") - successes).isEqualTo(1);
		}
	}

	@Test
	void rulesThatCannotBeEnforcedAreRefusedAsAWhole() {
		begin("kept: {paths: /open, thresholds: 2/10m}");
		for (String rule : List.of("a: {paths: /open, key: 'bean:nobody', thresholds: 1/10m}",
				"a: {paths: '/open/**/x', thresholds: 1/10m}",
				"a: {paths: /open, when: 'path ==', thresholds: 1/10m}")) {
			write("kept: {paths: /open, thresholds: 99/10m}", rule);
			refresh();
			assertThat(limit(app, "/open")).as(rule).isEqualTo("2");
			assertThat(app.get("/actuator/ratelimits").body()).contains("ratelimit.rules.a.");
		}
	}

	@Test
	void aRuleThatAnAnnotationNamesCannotBeRemoved() {
		begin("open: {paths: /open, thresholds: 2/10m}");
		replace("ratelimit.rules: {open: {paths: /open, thresholds: 99/10m}, served: {thresholds: 1/10m}}");
		refresh();
		assertThat(app.get("/actuator/ratelimits").body()).contains("\"failure\":\"@RateLimited", "named");
		assertThat(limit(app, "/open")).isEqualTo("2");
	}

	@Test
	void rulesThatHandlersAndMethodsNameChangeToo() {
		begin("handled: {paths: /open, thresholds: 2/10m}");
		assertThat(app.statuses(2, "GET", "/live")).containsExactly(200, 200);
		assertThat(app.statuses(2, "GET", "/served")).containsExactly(200, 200);
		replace("ratelimit.rules: {named: {thresholds: 3/10m}, served: {key: global, thresholds: 1/10m}}");
		refresh();
		assertThat(app.statuses(2, "GET", "/live")).containsExactly(200, 429);
		assertThat(app.statuses(2, "GET", "/served")).containsExactly(200, 429);
		assertThat(app.get("/open").headers().map()).doesNotContainKey("ratelimit-policy");
	}

	@Test
	void aRequestThatIsUnderWayEndsByTheRulesItBeganWith() throws Exception {
		String failures = "slow: {paths: /slow, thresholds: 1/10m, count-on: failure}";
		begin(failures);
		CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(() -> app.get("/slow").statusCode());
		LiveBeans live = app.bean(LiveBeans.class);
		live.meet();
		assertThat(app.get("/slow").statusCode()).as("the permit is held").isEqualTo(429);
		write("open: {paths: /open, thresholds: 1/10m}");
		refresh();
		live.meet();
		assertThat(slow.get(1, TimeUnit.MINUTES)).isEqualTo(200);
		write(failures);
		refresh();
		CompletableFuture<Integer> next = CompletableFuture.supplyAsync(() -> app.get("/slow").statusCode());
		live.meet();
		live.meet();
		assertThat(next.get(1, TimeUnit.MINUTES)).as("the permit was released").isEqualTo(200);
	}

	@Test
	void metersComeAndGoWithTheirRules() {
		begin("metered: {paths: /open, thresholds: 2/10m}");
		List<Meter> before = meters();
		write("metered: {paths: /open, thresholds: 2/10m}", "more: {paths: /v1/product, thresholds: 1/10m}");
		refresh();
		assertThat(app.bean(MeterRegistry.class).get("ratelimit.usage").tag("rule", "more").summary().count()).isZero();
		write("metered: {paths: /open, thresholds: 2/10m}");
		refresh();
		assertThat(meters()).containsExactlyInAnyOrderElementsOf(before);
	}

	/** Without those that Boot registers after the last response of another test. */
	private static List<Meter> meters() {
		return app.bean(MeterRegistry.class)
			.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("ratelimit."))
			.toList();
	}

	@Test
	void aRuleIsTakenWholeFromABeanAFileOrTheConfigurationInThisOrder() {
		write("open: {paths: /open, thresholds: 2/10m}", "more: {paths: /v1/product, thresholds: 2/10m}");
		String configuration = "  rules: {open: {shadow: true, thresholds: 9/10m}, third: {paths: /v2/product, thresholds: 3/10m}}";
		try (App layered = start(configuration, LiveBeans.class, ChangingRules.class)) {
			assertThat(limit(layered, "/open")).isEqualTo("1");
			assertThat(limit(layered, "/v1/product")).isEqualTo("2");
			assertThat(limit(layered, "/v2/product")).isEqualTo("3");
			layered.bean(ChangingRules.class).change("7/10m");
			layered.bean(RuleRefresh.class).refresh();
			assertThat(limit(layered, "/open")).isEqualTo("7");
			layered.bean(ChangingRules.class).change("wrong");
			layered.bean(RuleRefresh.class).refresh();
			assertThat(limit(layered, "/open")).isEqualTo("7");
			assertThat(reloads(layered, "bean", "failure")).isEqualTo(1);
		}
	}

	private static String limit(App app, String path) {
		return app.get(path).headers().firstValue("x-ratelimit-limit").orElseThrow();
	}

	@Test
	void aBrokenFileStopsTheStart() {
		write("open: {paths: /open, thresholds: 2}");
		Throwable failure = catchThrowable(() -> start("", LiveBeans.class).close());
		assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
			.hasMessageContainingAll("ratelimit.rules.open.thresholds '2' (" + file + " - 5:38)");
	}

	@Test
	void oneThreadRefreshesWhileTheApplicationRuns() {
		begin();
		List<Thread> others = refreshing(List.of());
		try (App started = start("")) {
			assertThat(refreshing(others)).singleElement()
				.satisfies((thread) -> assertThat(thread.isDaemon()).isTrue());
			started.context().stop();
			Awaitility.await().until(() -> refreshing(others).isEmpty());
			started.context().start();
			assertThat(refreshing(others)).hasSize(1);
		}
		Awaitility.await().until(() -> refreshing(others).isEmpty());
		try (App fixed = App.start("ratelimit: {store: memory, rules: {open: {paths: /open, thresholds: 1/10m}}}")) {
			assertThat(refreshing(others)).as("nothing can change").isEmpty();
			assertThat(fixed.get("/open").statusCode()).isEqualTo(200);
		}
	}

	private static List<Thread> refreshing(List<Thread> others) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ratelimit-rules") && !others.contains(thread))
			.toList();
	}

	@Test
	void rulesByAddressAreRefusedWhereClientsCanForgeTheirAddress() {
		replace("ratelimit.rules: {named: {key: global, thresholds: 9/10m}, served: {key: global, thresholds: 9/10m}}");
		try (App forwarded = start("server.forward-headers-strategy: framework", LiveBeans.class)) {
			write("open: {paths: /open, thresholds: 2/10m}");
			forwarded.bean(RuleRefresh.class).refresh();
			assertThat(forwarded.get("/open").headers().map()).doesNotContainKey("x-ratelimit-limit");
			assertThat(forwarded.get("/actuator/ratelimits").body())
				.contains("server.forward-headers-strategy is framework");
		}
	}

	/** Handlers, and a method of another bean, under rules that change. */
	@Configuration(proxyBeanMethods = false)
	static class LiveBeans {

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

			private final LiveBeans beans;

			private final Service service;

			Handlers(LiveBeans beans, Service service) {
				this.beans = beans;
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
				this.beans.meet();
				this.beans.meet();
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

}
