package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.CorsFilter;

/**
 * Finds the CORS filter in Spring Security's chain for a request. Its configuration may
 * be stored nowhere else.
 */
final class SecurityCors {

	private static final boolean SECURITY_PRESENT = ClassUtils
		.isPresent("org.springframework.security.web.SecurityFilterChain", SecurityCors.class.getClassLoader());

	private SecurityCors() {
	}

	/** The chains are looked up when the first CORS request is refused. */
	static Function<HttpServletRequest, Optional<Filter>> filters(ListableBeanFactory beanFactory) {
		return SECURITY_PRESENT ? Chains.filters(beanFactory) : (request) -> Optional.empty();
	}

	/** A separate class, so that Spring Security may be absent. */
	private static final class Chains {

		static Function<HttpServletRequest, Optional<Filter>> filters(ListableBeanFactory beanFactory) {
			SingletonSupplier<List<SecurityFilterChain>> chains = SingletonSupplier
				.of(() -> beanFactory.getBeanProvider(SecurityFilterChain.class).orderedStream().toList());
			return (request) -> chains.obtain()
				.stream()
				.filter((chain) -> chain.matches(request))
				.findFirst()
				.flatMap((chain) -> chain.getFilters().stream().filter(CorsFilter.class::isInstance).findFirst());
		}

	}

}
