package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.Subjects;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.RouteTable;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Compiles the routes when all beans exist: the filter itself is made long before MVC's
 * handler mapping, whose pattern parser the routes have to share.
 */
final class RouteTableSupplier implements Supplier<RouteTable>, SmartInitializingSingleton {

	private static final boolean ACTUATOR_PRESENT = ClassUtils.isPresent(
			"org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType",
			RouteTableSupplier.class.getClassLoader());

	private final CompiledRules rules;

	private final List<String> exemptPaths;

	private final Subjects subjects;

	private final ListableBeanFactory beanFactory;

	private final Environment environment;

	private volatile @Nullable RouteTable routes;

	RouteTableSupplier(CompiledRules rules, List<String> exemptPaths, Subjects subjects,
			ListableBeanFactory beanFactory, Environment environment) {
		this.rules = rules;
		this.exemptPaths = exemptPaths;
		this.subjects = subjects;
		this.beanFactory = beanFactory;
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.routes = InvalidSettings.explain(() -> new RouteTable(this.rules, parser(), this.exemptPaths,
				actuatorBasePath(), this::bean, this.subjects, System::nanoTime));
	}

	private PathPatternParser parser() {
		String name = "requestMappingHandlerMapping";
		if (this.beanFactory.containsBean(name)) {
			PathPatternParser parser = this.beanFactory.getBean(name, RequestMappingHandlerMapping.class)
				.getPatternParser();
			if (parser == null) {
				throw new RulesNotEnforceableException(
						"Spring MVC matches paths with an AntPathMatcher, which routes spellings that no rule covers.",
						"Set spring.mvc.pathmatch.matching-strategy to path_pattern_parser, its default.");
			}
			return parser;
		}
		return PathPatternParser.defaultInstance;
	}

	private String actuatorBasePath() {
		if (!ACTUATOR_PRESENT || !Actuator.isOnThisPort(this.environment)) {
			return "";
		}
		String basePath = this.environment.getProperty("management.endpoints.web.base-path", "/actuator");
		// Boot drops it too.
		return basePath.endsWith("/") ? basePath.substring(0, basePath.length() - 1) : basePath;
	}

	<T> T bean(String property, String name, Class<T> type) {
		if (!this.beanFactory.containsBean(name) || !this.beanFactory.isTypeMatch(name, type)) {
			throw new InvalidRuleException(property, "bean:" + name, "names no bean of type " + type.getSimpleName(),
					"The %s beans are %s".formatted(type.getSimpleName(),
							List.of(this.beanFactory.getBeanNamesForType(type))));
		}
		return this.beanFactory.getBean(name, type);
	}

	@Override
	public RouteTable get() {
		RouteTable routes = this.routes;
		if (routes == null) {
			throw new IllegalStateException("A request came before the application had started");
		}
		return routes;
	}

	/** Apart, so that Actuator may be absent. */
	private static final class Actuator {

		static boolean isOnThisPort(Environment environment) {
			return ManagementPortType.get(environment) == ManagementPortType.SAME;
		}

	}

}
