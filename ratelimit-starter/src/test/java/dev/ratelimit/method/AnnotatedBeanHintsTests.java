package dev.ratelimit.method;

import dev.ratelimit.RateLimitExempt;
import dev.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.stereotype.Controller;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a native image keeps of annotated beans.
 */
class AnnotatedBeanHintsTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final ReflectionHintsPredicates reflection = RuntimeHintsPredicates.reflection();

	private boolean isProcessed(Class<?> type) {
		this.beans.registerBeanDefinition("bean", new RootBeanDefinition(type));
		RegisteredBean bean = RegisteredBean.of(this.beans, "bean");
		return AotServices.factories()
			.load(BeanRegistrationAotProcessor.class)
			.stream()
			.filter(AnnotatedBeanHints.class::isInstance)
			.anyMatch((processor) -> processor.processAheadOfTime(bean) != null);
	}

	@Test
	void annotatedBeansAreFound() {
		assertThat(isProcessed(Orders.class)).isTrue();
		assertThat(isProcessed(Plain.class)).isFalse();
		assertThat(isProcessed(Exempt.class)).isFalse();
		assertThat(isProcessed(Desk.class)).as("decided at its handlers").isFalse();
	}

	@Test
	void membersThatAreReachedByNameAreKept() throws NoSuchMethodException {
		RuntimeHints hints = new RuntimeHints();
		new AnnotatedBeanHints().register(hints, Orders.class);
		assertThat(this.reflection.onMethodInvocation(Orders.class.getDeclaredMethod("later", Order.class)))
			.as("the fallback")
			.accepts(hints);
		assertThat(this.reflection.onMethodInvocation(Order.class.getMethod("isLarge"))).as("a method of an argument")
			.accepts(hints);
		assertThat(this.reflection.onMethodInvocation(Customer.class.getMethod("name")))
			.as("a property of a property of an argument")
			.accepts(hints);
	}

	@Controller
	@RateLimited("orders")
	static class Desk {

		public void call(Order order) {
		}

	}

	record Customer(String name) {
	}

	record Order(Customer customer) {

		public boolean isLarge() {
			return true;
		}

	}

	static class Orders {

		@RateLimited(thresholds = "1/1s", key = "#order.customer.name", when = "#order.isLarge()",
				fallbackMethod = "later")
		void place(Order order) {
		}

		void later(Order order) {
		}

	}

	static class Plain {

	}

	@RateLimited("orders")
	static class Exempt {

		@RateLimitExempt
		public void place(Order order) {
		}

	}

}
