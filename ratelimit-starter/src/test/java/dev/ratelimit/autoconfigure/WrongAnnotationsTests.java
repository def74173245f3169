package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimitExempt;
import dev.ratelimit.RateLimited;
import dev.ratelimit.fixture.Golden;
import dev.ratelimit.method.RateLimitedInterceptor;
import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.spi.RulesNotEnforceableException;
import kotlin.Metadata;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.samples.LateAsyncAutoConfiguration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An annotation that cannot be enforced stops the start, and the error names the method
 * and the cure.
 */
class WrongAnnotationsTests {

	private static final AutoConfigurations OURS = AutoConfigurations.of(RateLimitAutoConfiguration.class,
			RateLimitWebAutoConfiguration.class, RateLimitMethodAutoConfiguration.class);

	private static final String[] RULES = { "ratelimit.store=memory", "ratelimit.rules.known.thresholds=5/1m",
			"ratelimit.rules.by-argument.thresholds=5/1m", "ratelimit.rules.by-argument.key=arg:id",
			"ratelimit.rules.failures.thresholds=5/1m", "ratelimit.rules.failures.count-on=failure" };

	private static final List<Class<?>> BEANS = List.of(UnknownRule.class, UnknownArgument.class, Type.class,
			NoExpression.class, NoOwner.class, ArrayKey.class, BadThreshold.class, BadAlgorithm.class, NoFallback.class,
			WrongFallback.class, Private.class, Final.class, Static.class, FinalClass.class, OfKafka.class,
			OfRabbit.class, OfMono.class, OfFuture.class, OfAsync.class, Suspending.class, Twice.class,
			ExemptAndLimited.class, OtherContent.class, TwoParts.class, TooMuch.class, TooMuchOfALog.class,
			ExemptFromNothing.class, ExemptAndNotPublic.class);

	private static final List<Class<?>> CONTROLLERS = List.of(WrongHandlers.UnknownRuleOfHandler.class,
			WrongHandlers.ArgumentOfHandler.class, WrongHandlers.ArgumentRuleOfHandler.class,
			WrongHandlers.ExpressionOfHandler.class, WrongHandlers.VariableOfHandler.class,
			WrongHandlers.FallbackOfHandler.class, WrongHandlers.KeyOfNamedRule.class, WrongHandlers.NoHandler.class,
			WrongHandlers.NoHandlers.class);

	private final ApplicationContextRunner beans = new ApplicationContextRunner().withConfiguration(OURS)
		.withPropertyValues(RULES);

	private final WebApplicationContextRunner web = new WebApplicationContextRunner().withConfiguration(OURS)
		.withConfiguration(
				AutoConfigurations.of(WebMvcAutoConfiguration.class, DispatcherServletAutoConfiguration.class))
		.withPropertyValues(RULES);

	/** A call has no plan. */
	@Test
	void aCostOfAMethodMayBeAboveAPlan() {
		this.beans.withUserConfiguration(AbovePlan.class)
			.withPropertyValues("ratelimit.rules.known.plan-key=header:X-Plan", "ratelimit.rules.known.plans.free=2/1m")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theErrorsOfWrongAnnotationsAreUnchanged() {
		List<String> errors = new ArrayList<>();
		BEANS.forEach((bean) -> this.beans.withUserConfiguration(bean).run((context) -> errors.add(error(context))));
		CONTROLLERS.forEach((controller) -> this.web.withUserConfiguration(controller)
			.run((context) -> errors.add(error(context))));
		Golden.assertUnchanged("wrong-annotations.txt", String.join("\n", errors) + "\n");
	}

	@Test
	void anAnnotatedControllerThatNothingWouldEnforceStopsTheStart() {
		new ReactiveWebApplicationContextRunner().withConfiguration(OURS)
			.withPropertyValues(RULES)
			.withUserConfiguration(Controller.class)
			.run((context) -> assertThat(failure(context)).isInstanceOf(RulesNotEnforceableException.class)
				.hasMessageContaining(Controller.class.getName()));
	}

	@Test
	void anAsyncCallIsDecidedBeforeItIsSubmittedWhereverAsyncIsEnabled() {
		this.beans.withConfiguration(AutoConfigurations.of(LateAsyncAutoConfiguration.class))
			.withUserConfiguration(Task.class)
			.run((context) -> {
				context.getBean(Task.class).call("a");
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> context.getBean(Task.class).call("a"));
			});
	}

	static class OfKafka {

		@KafkaListener(topics = "orders")
		@RateLimited("known")
		public void call(String message) {
		}

	}

	static class OfRabbit {

		@RabbitListener(queues = "orders")
		@RateLimited("known")
		public void call(String message) {
		}

	}

	static class Task {

		@Async
		@RateLimited(thresholds = "1/1h", key = "arg:id")
		public void call(String id) {
		}

	}

	@ParameterizedTest
	@ValueSource(classes = { Plain.class, Exempt.class })
	void aBeanWithoutLimitedMethodsIsLeftAlone(Class<?> bean) {
		this.beans.withUserConfiguration(bean).run((context) -> {
			assertThat(AopUtils.isAopProxy(context.getBean(bean))).isFalse();
			assertThat(context).hasSingleBean(RateLimitedInterceptor.class);
		});
	}

	@Test
	void nothingIsRefusedWhereLimitingIsOff() {
		this.beans.withPropertyValues("ratelimit.enabled=false").withUserConfiguration(Right.class).run((context) -> {
			context.getBean(Right.class).call("a");
			assertThat(context.getBean(Right.class).call("a")).isEqualTo("a");
		});
	}

	private static String error(ApplicationContextAssertProvider<?> context) {
		Throwable failure = failure(context);
		assertThat(failure).isInstanceOf(InvalidAnnotationException.class);
		return failure.getMessage();
	}

	/** The exception itself: its cause has less detail. */
	private static Throwable failure(ApplicationContextAssertProvider<?> context) {
		Throwable failure = context.getStartupFailure();
		while (failure.getCause() != null && !(failure instanceof InvalidAnnotationException)) {
			failure = failure.getCause();
		}
		return failure;
	}

	static class Plain {

	}

	@RateLimited("known")
	static class Exempt {

		@RateLimitExempt
		public void call(String id) {
		}

	}

	static class Right {

		@RateLimited(thresholds = "1/1h")
		public String call(String id) {
			return id;
		}

	}

	static class UnknownRule {

		@RateLimited("nope")
		public void call(String id) {
		}

	}

	static class UnknownArgument {

		@RateLimited(thresholds = "1/1h", key = "arg:ID")
		public void call(String id) {
		}

	}

	static class Type {

		@RateLimited(thresholds = "1/1h", key = "#id + T(java.lang.Math).random()")
		public void call(String id) {
		}

	}

	static class NoExpression {

		@RateLimited(value = "known", when = "#id ==")
		public void call(String id) {
		}

	}

	static class NoOwner {

		@RateLimited(value = "known", when = "#id == name")
		public void call(String id) {
		}

	}

	static class ArrayKey {

		@RateLimited(thresholds = "1/1h", key = "arg:id")
		public void call(byte[] id) {
		}

	}

	static class BadThreshold {

		@RateLimited(thresholds = "1/1H")
		public void call(String id) {
		}

	}

	static class BadAlgorithm {

		@RateLimited(thresholds = "1/1h", algorithm = "bucket")
		public void call(String id) {
		}

	}

	static class NoFallback {

		@RateLimited(value = "known", fallbackMethod = "missing")
		public String call(String id) {
			return id;
		}

	}

	static class WrongFallback {

		@RateLimited(value = "known", fallbackMethod = "other")
		public String call(String id) {
			return id;
		}

		int other(String id, RateLimitExceededException refusal) {
			return 0;
		}

	}

	@SuppressWarnings("unused")
	static class Private {

		@RateLimited("known")
		private void call(String id) {
		}

	}

	static class Final {

		@RateLimited("known")
		public final void call(String id) {
		}

	}

	static class Static {

		@RateLimited("known")
		public static void call(String id) {
		}

	}

	static final class FinalClass {

		@RateLimited("known")
		public void call(String id) {
		}

	}

	static class OfMono {

		@RateLimited("failures")
		public Mono<String> call(String id) {
			return Mono.just(id);
		}

	}

	static class OfFuture {

		@RateLimited("failures")
		public Future<String> call(String id) {
			return new FutureTask<>(() -> id);
		}

	}

	@Async
	static class OfAsync {

		@RateLimited("failures")
		public void call(String id) {
		}

	}

	/** As the compiler of Kotlin writes it. */
	@Metadata
	static class Suspending {

		@RateLimited("failures")
		public Object call(String id, Continuation<? super String> rest) {
			return id;
		}

	}

	static class Twice {

		@RateLimited(thresholds = "1/1h")
		@RateLimited(thresholds = "2/1d")
		public void call(String id) {
		}

	}

	@RateLimited("known")
	static class ExemptAndLimited {

		@RateLimitExempt
		@RateLimited("by-argument")
		public void call(String id) {
		}

	}

	static class ExemptFromNothing {

		@RateLimitExempt
		public void call(String id) {
		}

	}

	@RateLimited("known")
	static class ExemptAndNotPublic {

		@RateLimitExempt
		void call(String id) {
		}

	}

	static class OtherContent {

		@RateLimited(value = "known", thresholds = "1/1h")
		public void call(String id) {
		}

	}

	static class TwoParts {

		@RateLimited(value = "known", key = { "#id", "#id" })
		public void call(String id) {
		}

	}

	static class TooMuch {

		@RateLimited(value = "known", cost = "6")
		public void call(String id) {
		}

	}

	static class AbovePlan {

		@RateLimited(value = "known", cost = "4")
		public void call(String id) {
		}

	}

	static class TooMuchOfALog {

		@RateLimited(thresholds = "20000/1m", cost = "101")
		public void call(String id) {
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/")
		@RateLimited("known")
		public void call() {
		}

	}

}
