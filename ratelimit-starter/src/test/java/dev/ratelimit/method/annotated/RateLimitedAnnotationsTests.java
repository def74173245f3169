package dev.ratelimit.method.annotated;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;

import dev.ratelimit.RateLimitExempt;
import dev.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.support.ApplicationObjectSupport;
import org.springframework.core.OverridingClassLoader;
import org.springframework.samples.Clinic;
import org.springframework.web.servlet.DispatcherServlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

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

	/** An application may define such a bean without ever creating it. */
	@Test
	void aTypeWithAMethodThatNamesAMissingClassHasNone() throws ClassNotFoundException {
		Class<?> type = new OverridingClassLoader(new FilteredClassLoader(Missing.class)) {

			@Override
			protected boolean isEligibleForOverriding(String name) {
				return name.equals(NamesMissing.class.getName());
			}

		}.loadClass(NamesMissing.class.getName());
		assertThatThrownBy(type::getDeclaredMethods).isInstanceOf(NoClassDefFoundError.class);
		assertThat(RateLimitedAnnotations.of(type)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(classes = { Exempt.class, ExemptByComposed.class, ExemptByInterface.class, ExemptByGeneric.class,
			ExemptBySuperclass.class, OfExemptClass.class, ExemptFromSuperclass.class })
	void anExemptionIsFoundWhereverItStands(Class<?> type) {
		assertThat(RateLimitedAnnotations.of(type)).isEmpty();
	}

	@Test
	void anExemptionIsOfItsMethodAlone() {
		assertThat(RateLimitedAnnotations.of(WithOther.class).keySet()).extracting(Method::getName)
			.containsExactly("other");
	}

	@Test
	void theNearestMethodThatIsAnnotatedDecides() {
		assertThat(RateLimitedAnnotations.of(LimitedAgain.class).values()).singleElement(LIST)
			.map((annotation) -> ((RateLimitedAnnotation) annotation).rule())
			.containsExactly("a", "b");
		assertThat(RateLimitedAnnotations.of(ExemptAgain.class)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(classes = { LimitedBesideExempt.class, ExemptBesideLimited.class })
	void annotationsOfUnrelatedTypesContradictEachOther(Class<?> type) {
		assertThatThrownBy(() -> RateLimitedAnnotations.of(type)).isInstanceOf(InvalidAnnotationException.class)
			.hasMessageContaining(
					"contradicts @RateLimitExempt on that method of " + ExemptingInterface.class.getName());
	}

	/**
	 * A bean may be declared by its interface; the class that implements it is limited.
	 */
	@Test
	void anExemptionOfAnInterfaceNeedsNothingToBeExemptFrom() {
		assertThat(RateLimitedAnnotations.of(ExemptingInterface.class)).isEmpty();
	}

	/** It may have been made for other classes. */
	@Test
	void anInheritedExemptionMayHaveNoEffect() {
		assertThat(RateLimitedAnnotations.of(PlainWithExempt.class)).isEmpty();
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

	@RateLimited("a")
	static class Exempt {

		@RateLimitExempt
		public void call() {
		}

	}

	@RateLimited("a")
	static class WithOther {

		@RateLimitExempt
		public void call() {
		}

		public void other() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@RateLimitExempt
	@interface Free {

	}

	@RateLimited("a")
	static class ExemptByComposed {

		@Free
		public void call() {
		}

	}

	interface WithExempt {

		@RateLimitExempt
		void call();

	}

	@RateLimited("a")
	static class ExemptByInterface implements WithExempt {

		@Override
		public void call() {
		}

	}

	static class PlainWithExempt implements WithExempt {

		@Override
		public void call() {
		}

	}

	interface GenericExempt<T> {

		@RateLimitExempt
		void call(T value);

	}

	@RateLimited("a")
	static class ExemptByGeneric implements GenericExempt<String> {

		@Override
		public void call(String value) {
		}

	}

	static class ExemptBySuperclass extends Exempt {

		@Override
		public void call() {
		}

	}

	static class OfExemptClass extends Exempt {

	}

	static class ExemptFromSuperclass extends OnClass {

		@Override
		@RateLimitExempt
		public void call() {
		}

	}

	static class LimitedAgain extends Exempt {

		@Override
		@RateLimited("b")
		public void call() {
		}

	}

	static class ExemptAgain extends LimitedAgain {

		@Override
		@RateLimitExempt
		public void call() {
		}

	}

	interface ExemptingInterface {

		@RateLimitExempt
		void call();

	}

	interface LimitingInterface {

		@RateLimited("y")
		void call();

	}

	static class LimitedBesideExempt implements LimitingInterface, ExemptingInterface {

		@Override
		public void call() {
		}

	}

	static class ExemptBesideLimited implements ExemptingInterface, LimitingInterface {

		@Override
		public void call() {
		}

	}

	static class Missing {

	}

	static class NamesMissing {

		public void call(Missing missing) {
		}

	}

}
