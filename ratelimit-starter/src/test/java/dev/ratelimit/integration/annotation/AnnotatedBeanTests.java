package dev.ratelimit.integration.annotation;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.TimedStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.concurrent.DelegatingSecurityContextRunnable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * {@code @RateLimited} on beans that are no controllers: calls are counted, and refused
 * by an exception or a fallback.
 */
class AnnotatedBeanTests {

	private static final String YAML = """
			ratelimit.rules:
			  sms: {key: 'arg:phone', thresholds: 2/1d}
			  customer: {paths: '/customers/{id}', key: 'path:id', thresholds: 3/10m}
			  tries: {key: global, thresholds: 1/10m, count-on: failure}
			  skipping: {key: principal, on-missing-key: skip, thresholds: 1/10m}
			  insisting: {key: 'arg:name', on-missing-key: deny, thresholds: 5/10m}
			""";

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(YAML, TimedStore.class, AnnotatedBeans.Beans.class, AnnotatedBeans.Web.class,
				AnnotatedBeans.Handling.class, AnnotatedBeans.Repositories.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	/** Nothing that earlier tests counted counts any more. */
	@BeforeEach
	void passTime() {
		app.bean(MovableClock.class).advance(Duration.ofDays(2));
	}

	private static AnnotatedBeans.Messages messages() {
		return app.bean(AnnotatedBeans.Messages.class);
	}

	@Test
	void anArgumentIsTheKeyAndARefusedCallThrows() {
		messages().sms("1", "a");
		messages().sms("1", "b");
		messages().sms("2", "c");
		int sent = messages().sent().get();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> messages().sms("1", "d"))
			.satisfies((refused) -> {
				assertThat(refused).hasMessage("Rate limit reached: sms");
				assertThat(refused.retryAfter()).hasValue(Duration.ofDays(1));
				assertThat(refused.refusals()).singleElement().isInstanceOf(RateLimitDecision.Rejected.class);
			});
		assertThat(messages().sent()).hasValue(sent);
	}

	@Test
	void theInterfaceOfARepositoryMayBeAnnotated() {
		AnnotatedBeans.Repository repository = app.bean(AnnotatedBeans.Repository.class);
		assertThat(repository.find("a")).isEqualTo("found");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> repository.find("a"));
		assertThat(repository.find("b")).isEqualTo("found");
	}

	@Test
	void aScheduledMethodIsLimited() {
		Runnable task = app.bean(ScheduledTaskHolder.class)
			.getScheduledTasks()
			.stream()
			.map((scheduled) -> scheduled.getTask().getRunnable())
			.filter((scheduled) -> scheduled.toString().contains("Messages.scheduled"))
			.findFirst()
			.orElseThrow();
		task.run();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(task::run);
	}

	@Test
	void codeThatAcquiresFromTheRuleCountsInTheSameBucket() {
		messages().sms("1", "a");
		RateLimiter limiter = app.bean(RateLimiter.class);
		assertThat(limiter.tryAcquire("sms", "1").isAllowed()).isTrue();
		assertThat(limiter.tryAcquire("sms", "1").isAllowed()).isFalse();
	}

	@Test
	void anArgumentMayGiveTheKeyOfARuleThatCountsRequests() {
		assertThat(app.get("/customers/7").statusCode()).isEqualTo(200);
		messages().mail(new AnnotatedBeans.Message("7", true, 1));
		assertThat(app.get("/customers/7").headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
		assertThat(app.get("/customers/8").headers().firstValue("X-RateLimit-Remaining")).hasValue("2");
	}

	@Test
	void anExpressionDecidesWhetherARuleApplies() {
		messages().risky(new AnnotatedBeans.Message("7", false, 1));
		messages().risky(new AnnotatedBeans.Message("7", true, 1));
		messages().risky(new AnnotatedBeans.Message("7", false, 1));
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> messages().risky(new AnnotatedBeans.Message("7", true, 1)));
		messages().risky(new AnnotatedBeans.Message("8", true, 1));
	}

	@Test
	void anExpressionIsTheCost() {
		assertThat(messages().bulk(List.of("a", "b", "c"))).isEqualTo("sent 3");
		assertThat(messages().bulk(List.of("a", "b", "c"))).isEqualTo("refused 3 by messages-bulk");
		assertThat(messages().bulk(List.of("a", "b"))).isEqualTo("sent 2");
	}

	@Test
	void textOfAnArgumentIsNeverAnExpression() {
		String expression = "#{T(java.lang.Integer).valueOf(1)}";
		messages().sms(expression, "a");
		messages().sms(expression, "b");
		RateLimiter limiter = app.bean(RateLimiter.class);
		assertThat(limiter.tryAcquire("sms", expression).isAllowed()).isFalse();
		assertThat(limiter.tryAcquire("sms", "1").isAllowed()).isTrue();
	}

	@Test
	void outsideARequestOneBucketIsForAll() {
		messages().keyless();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> messages().keyless());
	}

	@Test
	void outsideARequestTheUserOfTheSecurityContextIsCounted() {
		List<Runnable> calls = List.of(messages()::own, messages()::ofTenant);
		for (Runnable call : calls) {
			for (String user : List.of("ann", "bob")) {
				as(token(user), call);
				as(token(user), call);
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> as(token(user), call))
					.withMessageStartingWith("Rate limit reached");
			}
		}
	}

	private static Authentication token(String user) {
		return new JwtAuthenticationToken(
				Jwt.withTokenValue("-").header("alg", "none").subject(user).claim("tenant", "of " + user).build(),
				List.of());
	}

	private static void as(Authentication user, Runnable call) {
		new DelegatingSecurityContextRunnable(call, new SecurityContextImpl(user)).run();
	}

	/** They would be one client otherwise, and use up the limit of each other. */
	@Test
	void outsideARequestCallsOfUnknownUsersAreRefusedAndTheLogNamesRuleAndMethod() {
		Authentication anonymous = new AnonymousAuthenticationToken("-", "anonymousUser",
				AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));
		try (CapturedLog log = new CapturedLog(Level.WARN)) {
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> messages().own())
				.withMessageContaining("without its key");
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> as(anonymous, messages()::own));
			messages().unlimited();
			messages().unlimited();
			assertThat(log.events()).extracting(ILoggingEvent::getFormattedMessage)
				.singleElement(InstanceOfAssertFactories.STRING)
				.contains("'messages-own'", AnnotatedBeans.Messages.class.getName() + ".own", "[principal]");
		}
	}

	@Test
	void insideARequestTheClientIsCountedAndARefusalGetsTheResponseOfTheFilter() {
		assertThat(app.get("/send").statusCode()).isEqualTo(200);
		HttpResponse<String> refused = app.get("/send");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.body()).contains("quota-exceeded", "\"violated-policies\":[\"messages-keyless\"]");
		assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(refused.headers().firstValue("Retry-After")).hasValue("600");
		assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"messages-keyless\";q=1;w=600");
		messages().keyless();
	}

	@Test
	void theApplicationMayHandleTheException() {
		app.get("/handled");
		assertThat(app.get("/handled").body()).isEqualTo("handled Rate limit reached: messages-keyless");
	}

	@Test
	void onlyOutcomesThatARuleCountsStayCounted() {
		messages().attempt(true);
		messages().attempt(true);
		assertThatIllegalStateException().isThrownBy(() -> messages().attempt(false));
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> messages().attempt(true));
	}

	@Test
	void aRuleCanRequireItsKey() {
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> messages().insisting(" "))
			.satisfies((refused) -> assertThat(refused.refusals()).isEmpty())
			.withMessageContaining("without its key");
		messages().insisting("me");
	}

	@Test
	void anAsynchronousCallIsCountedWhereItIsMade() {
		assertThat(messages().later().join()).isEqualTo("done");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> messages().later());
	}

	@Test
	void anInterfaceMayBeAnnotatedWhateverTheProxy() {
		AnnotatedBeans.Gateway gateway = app.bean(AnnotatedBeans.Gateway.class);
		gateway.pay("a");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> gateway.pay("a"));
		gateway.pay("b");
	}

	@Test
	void aBeanWhoseDefinitionHidesItsClassStopsTheStart() {
		assertThat(catchThrowable(() -> App.start(YAML, TimedStore.class, HidingBeans.class).close()))
			.hasMessageContainingAll("@RateLimited(thresholds)", "Hidden.call()", "does not name its class");
	}

	@Test
	void classMethodAndComposedAnnotationsApply() {
		AnnotatedBeans.Ledger ledger = app.bean(AnnotatedBeans.Ledger.class);
		ledger.costly();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(ledger::costly)
			.withMessage("Rate limit reached: costly");
		ledger.cheap();
		ledger.cheap();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(ledger::cheap)
			.withMessage("Rate limit reached: ledger");
	}

	@Test
	void aMethodThatIsExemptFromTheRuleOfItsClassIsNotCounted() {
		AnnotatedBeans.Ledger ledger = app.bean(AnnotatedBeans.Ledger.class);
		for (int i = 0; i < 4; i++) {
			ledger.free();
		}
		ledger.cheap();
		ledger.cheap();
		ledger.cheap();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(ledger::cheap);
	}

	static class Hidden implements Runnable {

		@Override
		public void run() {
		}

		@RateLimited(thresholds = "1/10m")
		public void call() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HidingBeans {

		@Bean
		Runnable runnable() {
			return new Hidden();
		}

	}

}
