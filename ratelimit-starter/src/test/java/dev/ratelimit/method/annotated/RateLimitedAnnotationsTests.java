package dev.ratelimit.method.annotated;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;

import dev.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.support.ApplicationObjectSupport;
import org.springframework.samples.Clinic;
import org.springframework.web.servlet.DispatcherServlet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where an annotation is found.
 */
class RateLimitedAnnotationsTests {

	@ParameterizedTest
	@ValueSource(classes = { Clinic.class, OnMethod.class, OnClass.class, OfSuperclass.class, OfInterface.class,
			OfFarInterface.class, Composed.class })
	void anAnnotationIsFoundWhereverItStands(Class<?> type) {
		assertThat(RateLimitedAnnotations.of(type)).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, Plain.class, DispatcherServlet.class })
	void aTypeWithoutHasNone(Class<?> type) {
		assertThat(RateLimitedAnnotations.of(type)).isEmpty();
	}

	/** As ApplicationObjectSupport, whose methods are final. */
	@Test
	void aMethodThatIsInheritedAndFinalIsNotOfTheClassThatIsAnnotated() {
		assertThat(RateLimitedAnnotations.of(OfFramework.class).keySet()).extracting(Method::getName)
			.containsExactly("call");
	}

	@RateLimited("a")
	static class OfFramework extends ApplicationObjectSupport {

		public void call() {
		}

	}

	static class Plain {

		@Deprecated
		void call() {
		}

	}

	static class OnMethod {

		@RateLimited("a")
		public void call() {
		}

	}

	@RateLimited("a")
	static class OnClass {

		public void call() {
		}

	}

	static class OfSuperclass extends OnMethod {

		@Override
		public void call() {
		}

	}

	interface Near {

		@RateLimited("a")
		void call();

	}

	interface Far extends Near {

	}

	static class OfInterface implements Near {

		@Override
		public void call() {
		}

	}

	static class OfFarInterface implements Far {

		@Override
		public void call() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited("a")
	@interface Gentle {

	}

	static class Composed {

		@Gentle
		public void call() {
		}

	}

}
