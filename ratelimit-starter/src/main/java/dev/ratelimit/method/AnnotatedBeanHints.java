package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.util.Arrays;

import dev.ratelimit.method.annotated.RateLimitedAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Registers native image hints for what annotations reach only by name: fallback methods,
 * and the members of arguments that expressions read.
 */
final class AnnotatedBeanHints implements BeanRegistrationAotProcessor {

	private final BindingReflectionHintsRegistrar properties = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		if (RateLimitedAnnotations.of(type).isEmpty() || RateLimitedAnnotations.isController(type)) {
			return null;
		}
		return (context, code) -> register(context.getRuntimeHints(), type);
	}

	void register(RuntimeHints hints, Class<?> type) {
		hints.reflection().registerType(type, MemberCategory.INVOKE_DECLARED_METHODS);
		for (Method method : RateLimitedAnnotations.of(type).keySet()) {
			for (Class<?> argument : method.getParameterTypes()) {
				hints.reflection().registerType(argument, MemberCategory.INVOKE_PUBLIC_METHODS);
			}
			Arrays.stream(method.getGenericParameterTypes())
				.forEach((argument) -> this.properties.registerReflectionHints(hints.reflection(), argument));
		}
	}

}
