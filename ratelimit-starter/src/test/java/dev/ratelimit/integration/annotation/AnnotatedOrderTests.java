package dev.ratelimit.integration.annotation;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.Size;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.concurrent.DelegatingSecurityContextRunnable;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Annotated beans that count in Redis: a refused call begins no transaction, starts no
 * task and is not retried; and the annotation is found on inherited and overridden
 * methods too.
 */
@ExtendWith({ SharedCluster.class, OutputCaptureExtension.class })
class AnnotatedOrderTests {

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + """
				ratelimit.rules:
				  transfers: {key: 'arg:account', thresholds: 1/10m}
				  failures: {key: 'arg:to', thresholds: 1/10m, count-on: failure}
				  successes: {key: 'arg:to', thresholds: 1/10m, count-on: success}
				""", Beans.class, RecordingListener.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	@Test
	void aRefusedCallBeginsNoTransaction() {
		Transactions transactions = app.bean(Transactions.class);
		Accounts accounts = app.bean(Accounts.class);
		accounts.transfer("a");
		assertThat(transactions.log).containsExactly("begin", "commit");
		refused(() -> accounts.transfer("a"));
		assertThat(transactions.log).containsExactly("begin", "commit");
	}

	@Test
	void theBeanCountsInRedisInTheBucketOfItsRule() {
		app.bean(Accounts.class).transfer("shared");
		RateLimitDecision decision = app.bean(RateLimiter.class).tryAcquire("transfers", "shared");
		assertThat(decision.isAllowed()).isFalse();
		assertThat(decision.source()).isEqualTo(RateLimitDecision.Source.STORE);
		assertThat(SharedCluster.keys(app.prefix())).isNotEmpty().noneMatch((key) -> key.contains("shared"));
	}

	@Test
	void aRefusedCallStartsNoTaskAndThrowsToItsCaller() {
		Accounts accounts = app.bean(Accounts.class);
		assertThat(accounts.report().join()).isNotEqualTo(Thread.currentThread().getName());
		refused(() -> accounts.report().join());
	}

	/** One that does not end keeps its permit. */
	@ParameterizedTest
	@CsvSource({ "failures, succeeds, false", "failures, fails, true", "failures, is cancelled, true",
			"successes, succeeds, true", "successes, fails, false", "successes, is cancelled, false" })
	void aFutureCountsByHowItEnds(String rule, String end, boolean counts) {
		Deliveries deliveries = app.bean(Deliveries.class);
		String to = rule + " " + end;
		CompletableFuture<String> delivery = new CompletableFuture<>();
		assertThat(deliveries.start(rule, to, delivery)).isSameAs(delivery);
		refused(() -> deliveries.start(rule, to, delivery));
		events().clear();
		switch (end) {
			case "succeeds" -> delivery.complete("delivered");
			case "fails" -> delivery.completeExceptionally(new IllegalStateException());
			default -> delivery.cancel(true);
		}
		if (counts) {
			refused(() -> deliveries.start(rule, to, delivery));
			assertThat(events()).doesNotContain(rule + " released");
		}
		else {
			await().atMost(Patience.LONG).untilAsserted(() -> assertThat(events()).contains(rule + " released"));
			deliveries.start(rule, to, delivery);
		}
	}

	@Test
	void aFutureThatHasEndedIsSettledBeforeTheCallReturns() {
		Deliveries deliveries = app.bean(Deliveries.class);
		for (String rule : List.of("failures", "successes")) {
			events().clear();
			deliveries.start(rule, "ended", rule.equals("failures") ? CompletableFuture.completedFuture("delivered")
					: CompletableFuture.failedFuture(new IllegalStateException()));
			assertThat(events()).contains(rule + " released");
		}
	}

	@Test
	void anAsynchronousCallCountsByTheOutcomeOfItsTask() {
		Deliveries deliveries = app.bean(Deliveries.class);
		events().clear();
		assertThat(deliveries.later("ann", true).join()).isEqualTo("delivered");
		await().atMost(Patience.LONG).untilAsserted(() -> assertThat(events()).contains("failures released"));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(deliveries.later("ann", false)::join);
		refused(() -> deliveries.later("ann", true).join());
	}

	/** A stranger that is denied can use up the limit of the owner. */
	@Test
	void aCallThatAuthorizationDeniesCounts() {
		Files files = app.bean(Files.class);
		List<Consumer<String>> methods = List.of(files::read, files::seen, files::secured, files::ofRole);
		for (Consumer<String> method : methods) {
			as("stranger",
					() -> assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> method.accept("a")));
			as("owner", () -> refused(() -> method.accept("a")));
		}
	}

	@Test
	void aCallThatAuthorizationDeniesCountsForItsCallerIfTheKeyNamesIt() {
		Files files = app.bean(Files.class);
		as("stranger", () -> {
			assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> files.write("a"));
			refused(() -> files.write("a"));
		});
		as("owner", () -> files.write("a"));
	}

	@Test
	void aCallThatTheCacheAnswersCounts() {
		Files files = app.bean(Files.class);
		assertThat(files.cached("a")).isEqualTo("content");
		refused(() -> files.cached("a"));
	}

	@Test
	void aCallThatIsNotValidCounts() {
		Forms forms = app.bean(Forms.class);
		assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> forms.fill("a", ""));
		refused(() -> forms.fill("a", "text"));
	}

	@Test
	void aCallThatIsNotValidIsFreeUnderARuleOfSuccesses() {
		Forms forms = app.bean(Forms.class);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> forms.submit("form", ""));
		}
		forms.submit("form", "text");
		refused(() -> forms.submit("form", "text"));
	}

	@Test
	void theStartWarnsOfMethodsThatCountByAnArgumentBeforeOtherAdvice(CapturedOutput output) {
		assertThat(output.getOut().lines().filter((line) -> line.contains("Order of advice"))).hasSize(6)
			.anyMatch((line) -> line.contains("Files.read by [arg:file] before @PreAuthorize:"))
			.anyMatch((line) -> line.contains("Files.seen by [arg:file] before @PostAuthorize:"))
			.anyMatch((line) -> line.contains("Files.secured by [arg:file] before @Secured:"))
			.anyMatch((line) -> line.contains("Files.ofRole by [arg:file] before @RolesAllowed:"))
			.anyMatch((line) -> line.contains("Files.cached by [#file] before @Cacheable:"))
			.anyMatch((line) -> line.contains("Forms.fill by [arg:to] before @Validated:"));
	}

	private static void as(String user, Runnable call) {
		new DelegatingSecurityContextRunnable(call,
				new SecurityContextImpl(UsernamePasswordAuthenticationToken.authenticated(user, "", List.of())))
			.run();
	}

	private static List<String> events() {
		return app.bean(RecordingListener.class).events();
	}

	@Test
	void aCallThatIsRetriedCountsOnce() {
		Accounts accounts = app.bean(Accounts.class);
		assertThat(accounts.flaky()).isEqualTo(3);
		refused(accounts::flaky);
		assertThat(accounts.tries()).isEqualTo(3);
	}

	@Test
	void aMethodOfASuperclassAndOneThatOverridesAGenericOneAreAnnotatedToo() {
		Specific specific = app.bean(Specific.class);
		Generic<String> generic = specific;
		generic.handle("a");
		refused(() -> generic.handle("a"));
		refused(() -> specific.handle("a"));
		specific.inherited();
		refused(specific::inherited);
		generic.annotatedAbove("a");
		refused(() -> specific.annotatedAbove("a"));
	}

	private static void refused(Runnable call) {
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::run);
	}

	static class Accounts {

		private final AtomicInteger tries = new AtomicInteger();

		public int tries() {
			return this.tries.get();
		}

		@Transactional
		@RateLimited("transfers")
		public void transfer(String account) {
		}

		@Async
		@RateLimited(thresholds = "1/10m")
		public CompletableFuture<String> report() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

		@Retryable(maxRetries = 5, delay = 1)
		@RateLimited(thresholds = "1/10m")
		public int flaky() {
			if (this.tries.incrementAndGet() < 3) {
				throw new IllegalStateException("once more");
			}
			return this.tries.get();
		}

	}

	static class Deliveries {

		@RateLimited(value = "failures", when = "#rule == 'failures'")
		@RateLimited(value = "successes", when = "#rule == 'successes'")
		public CompletionStage<String> start(String rule, String to, CompletableFuture<String> delivery) {
			return delivery;
		}

		@Async
		@RateLimited("failures")
		public CompletableFuture<String> later(String to, boolean succeeds) {
			return succeeds ? CompletableFuture.completedFuture("delivered")
					: CompletableFuture.failedFuture(new IllegalStateException());
		}

	}

	static class Files {

		@PreAuthorize("authentication.name == 'owner'")
		@RateLimited(thresholds = "1/10m", key = "arg:file")
		public void read(String file) {
		}

		@PostAuthorize("authentication.name == 'owner'")
		@RateLimited(thresholds = "1/10m", key = "arg:file")
		public void seen(String file) {
		}

		@Secured("ROLE_OWNER")
		@RateLimited(thresholds = "1/10m", key = "arg:file")
		public void secured(String file) {
		}

		@RolesAllowed("OWNER")
		@RateLimited(thresholds = "1/10m", key = "arg:file")
		public void ofRole(String file) {
		}

		@PreAuthorize("authentication.name == 'owner'")
		@RateLimited(thresholds = "1/10m", key = { "principal", "arg:file" })
		public void write(String file) {
		}

		@Cacheable("files")
		@RateLimited(thresholds = "1/10m", key = "#file")
		public String cached(String file) {
			return "content";
		}

	}

	@Validated
	static class Forms {

		@RateLimited(thresholds = "1/10m", key = "arg:to")
		public void fill(String to, @Size(min = 1) String text) {
		}

		@RateLimited("successes")
		public void submit(String to, @Size(min = 1) String text) {
		}

	}

	abstract static class Generic<T> {

		abstract void handle(T value);

		@RateLimited(value = "above", thresholds = "1/10m")
		void annotatedAbove(T value) {
		}

		@RateLimited(value = "inherited", thresholds = "1/10m")
		public void inherited() {
		}

	}

	static class Specific extends Generic<String> {

		@Override
		@RateLimited(value = "specific", thresholds = "1/10m", key = "arg:value")
		public void handle(String value) {
		}

		@Override
		public void annotatedAbove(String value) {
		}

	}

	/** Only records its calls. */
	static class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient List<String> log = new CopyOnWriteArrayList<>();

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.log.add("begin");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.log.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.log.add("rollback");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableCaching
	@EnableMethodSecurity(securedEnabled = true, jsr250Enabled = true)
	@EnableResilientMethods
	@EnableTransactionManagement
	static class Beans {

		@Bean
		Transactions transactionManager() {
			return new Transactions();
		}

		@Bean
		Accounts accounts() {
			return new Accounts();
		}

		@Bean
		Deliveries deliveries() {
			return new Deliveries();
		}

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

		@Bean
		static MethodValidationPostProcessor methodValidation() {
			return new MethodValidationPostProcessor();
		}

		@Bean
		Files files() {
			return new Files();
		}

		@Bean
		Forms forms() {
			return new Forms();
		}

		@Bean
		Specific specific() {
			return new Specific();
		}

	}

}
