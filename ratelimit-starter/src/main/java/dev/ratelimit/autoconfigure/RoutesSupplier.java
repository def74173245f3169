package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.live.CodeRules;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.web.ActuatorPaths;
import dev.ratelimit.web.HandlerRoutes;
import dev.ratelimit.web.RouteTable;
import dev.ratelimit.web.Routes;
import dev.ratelimit.web.key.RequestBeans;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Compiles the routes of every rule set, the first when all beans exist. The filter
 * itself is created long before MVC's handler mapping, whose pattern parser the routes
 * must share.
 */
final class RoutesSupplier implements Supplier<Routes>, SmartInitializingSingleton, RequestBeans {

	private static final boolean ACTUATOR_PRESENT = ClassUtils.isPresent(
			"org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType",
			RoutesSupplier.class.getClassLoader());

	private final ActiveRules rules;

	private final CodeRules code;

	private final AnnotatedBeans annotated;

	private final List<String> exemptPaths;

	private final SubjectEncoder subjects;

	private final ListableBeanFactory beanFactory;

	private final Environment environment;

	private final AllListeners listeners;

	private volatile @Nullable Routes routes;

	RoutesSupplier(ActiveRules rules, CodeRules code, AnnotatedBeans annotated, List<String> exemptPaths,
			SubjectEncoder subjects, ListableBeanFactory beanFactory, Environment environment, AllListeners listeners) {
		this.rules = rules;
		this.code = code;
		this.annotated = annotated;
		this.exemptPaths = exemptPaths;
		this.subjects = subjects;
		this.beanFactory = beanFactory;
		this.environment = environment;
		this.listeners = listeners;
	}

	@Override
	public void afterSingletonsInstantiated() {
		PathPatternParser parser = parser();
		ActuatorPaths actuator = ACTUATOR_PRESENT ? Actuator.paths(this.beanFactory, this.environment)
				: ActuatorPaths.NONE;
		AnnotatedHandlers annotations = SettingErrors
			.explain(() -> new AnnotatedHandlers(this.annotated, this.beanFactory));
		this.rules.follow((rules) -> {
			Routes next = SettingErrors.explain(() -> routes(rules, parser, actuator, annotations));
			return () -> this.routes = next;
		});
		PartlyCoveredHandlers.log(this.beanFactory.getBeansOfType(RequestMappingHandlerMapping.class).values(),
				get().byPath());
	}

	private Routes routes(CompiledRules rules, PathPatternParser parser, ActuatorPaths actuator,
			AnnotatedHandlers annotations) {
		RouteTable byPath = new RouteTable(rules, (id) -> this.code.find(id).isPresent(), parser, this.exemptPaths,
				actuator, this, this.subjects, System::nanoTime);
		HandlerRoutes byHandler = new HandlerRoutes(this, this.subjects, System::nanoTime);
		annotations.addTo(rules, byHandler);
		return new Routes(byPath, byHandler);
	}

	private PathPatternParser parser() {
		String name = "requestMappingHandlerMapping";
		if (this.beanFactory.containsBean(name)) {
			PathPatternParser parser = this.beanFactory.getBean(name, RequestMappingHandlerMapping.class)
				.getPatternParser();
			if (parser == null) {
				throw new RulesNotEnforceableException(
						"Spring MVC matches paths with an AntPathMatcher, which routes spellings that no rule covers",
						"Set spring.mvc.pathmatch.matching-strategy to path_pattern_parser, its default");
			}
			return parser;
		}
		return PathPatternParser.defaultInstance;
	}

	@Override
	public <T> T find(String property, String name, Class<T> type) {
		if (!this.beanFactory.containsBean(name) || !this.beanFactory.isTypeMatch(name, type)) {
			throw new InvalidRuleException(property, "bean:" + name, "names no bean of type " + type.getSimpleName(),
					"The %s beans are %s".formatted(type.getSimpleName(),
							List.of(this.beanFactory.getBeanNamesForType(type))));
		}
		return this.beanFactory.getBean(name, type);
	}

	@Override
	public void failed(String rule, String property) {
		this.listeners.decisions().beanFailed(rule, property);
	}

	@Override
	public Routes get() {
		return find().orElseThrow(() -> new IllegalStateException("A request came before the application had started"));
	}

	/** The routes; empty until all beans exist. */
	Optional<Routes> find() {
		return Optional.ofNullable(this.routes);
	}

	/** A separate class, so that Actuator may be absent. */
	private static final class Actuator {

		static ActuatorPaths paths(ListableBeanFactory beanFactory, Environment environment) {
			PathMappedEndpoints endpoints = beanFactory.getBeanProvider(PathMappedEndpoints.class).getIfAvailable();
			if (endpoints == null) {
				return ActuatorPaths.NONE;
			}
			boolean onThisPort = ManagementPortType.get(environment) == ManagementPortType.SAME;
			String basePath = onThisPort ? endpoints.getBasePath() : "";
			List<String> patterns = new ArrayList<>(onThisPort ? endpoints.getAllPaths() : List.of());
			// Below an endpoint at the root is the whole application.
			patterns.removeIf((path) -> path.endsWith("/"));
			patterns.replaceAll((path) -> path + "/**");
			if (!basePath.isEmpty()
					&& environment.getProperty("management.endpoints.web.discovery.enabled", Boolean.class, true)) {
				patterns.add(basePath);
			}
			for (PathMappedEndpoint endpoint : endpoints) {
				for (String path : endpoint.getAdditionalPaths(WebServerNamespace.SERVER)) {
					patterns.add(path.startsWith("/") ? path : "/" + path);
				}
			}
			return new ActuatorPaths(basePath, patterns);
		}

	}

}
