package dev.ratelimit.autoconfigure;

import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.rules.RuleSetListener;
import dev.ratelimit.method.LimitedMethods;
import dev.ratelimit.method.RateLimitedBeanPostProcessor;
import dev.ratelimit.method.RequestKeys;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.method.annotated.RateLimitedAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the rules of annotated methods for every rule set.
 */
final class LimitedMethodsSupplier implements Supplier<LimitedMethods>, RuleSetListener {

	private final SubjectEncoder subjects;

	private final RequestKeys requestKeys;

	private final AnnotatedBeans annotated;

	private final RateLimitedBeanPostProcessor postProcessor;

	private volatile @Nullable LimitedMethods methods;

	LimitedMethodsSupplier(SubjectEncoder subjects, RequestKeys requestKeys, AnnotatedBeans annotated,
			RateLimitedBeanPostProcessor postProcessor) {
		this.subjects = subjects;
		this.requestKeys = requestKeys;
		this.annotated = annotated;
		this.postProcessor = postProcessor;
	}

	/** Check the methods of all types at the start, and warn of what is doubtful. */
	void check() {
		check(get());
		types().forEach(get()::warnOfAdvice);
	}

	@Override
	public Runnable prepare(CompiledRules rules) {
		LimitedMethods next = new LimitedMethods(rules, this.subjects, this.requestKeys);
		check(next);
		return () -> this.methods = next;
	}

	private void check(LimitedMethods methods) {
		SettingErrors.explain(() -> {
			types().forEach(methods::check);
			return methods;
		});
	}

	/** The types that are known so far. */
	private Stream<Class<?>> types() {
		return Stream
			.concat(this.annotated.types().stream().filter((type) -> !RateLimitedAnnotations.isController(type)),
					this.postProcessor.intercepted().stream())
			.distinct();
	}

	@Override
	public LimitedMethods get() {
		return Objects.requireNonNull(this.methods);
	}

}
