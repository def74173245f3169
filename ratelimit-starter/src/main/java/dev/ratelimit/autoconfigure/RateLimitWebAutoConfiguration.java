package dev.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.method.RequestKeys;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.rule.ClientKey;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refusal;
import dev.ratelimit.rule.live.CodeRules;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.spi.SettingChecks;
import dev.ratelimit.web.LaterDecider;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RequestDecider;
import dev.ratelimit.web.RequestExplainer;
import dev.ratelimit.web.RouteExplainer;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.servlet.ActionExecutor;
import dev.ratelimit.web.servlet.CorsRejectionHandler;
import dev.ratelimit.web.servlet.CurrentRequest;
import dev.ratelimit.web.servlet.DelayedRequests;
import dev.ratelimit.web.servlet.HandlerCheck;
import dev.ratelimit.web.servlet.ProblemRejectionHandler;
import dev.ratelimit.web.servlet.RateLimitExceptionResolver;
import dev.ratelimit.web.servlet.RateLimitFilter;
import dev.ratelimit.web.servlet.RateLimitRejectionHandler;
import dev.ratelimit.web.servlet.ServletDispatchFilter;
import dev.ratelimit.web.servlet.UnwrittenResultResolver;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.handler.MappedInterceptor;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the filters and for the check at the handler. One filter is
 * behind Spring Security; if Spring Security is present, another one is before it.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = { "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
				"org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration" })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@Conditional(OnRules.class)
@Import({ RefusedAuthenticationsListener.class, TomcatConfiguration.class })
public final class RateLimitWebAutoConfiguration {

	/**
	 * The bean of Spring Security, and that of MVC, which supports {@code @CrossOrigin}.
	 */
	private static final List<String> CORS_BEANS = List.of("corsConfigurationSource", "mvcHandlerMappingIntrospector");

	/** The bean that determines the order of Spring Security's filter. */
	private static final String SECURITY_REGISTRATION = "securityFilterChainRegistration";

	/** The name of the routes' bean. */
	static final String ROUTES = "rateLimitStarterRoutes";

	private static final String FORWARDING = "server.forward-headers-strategy";

	private static final String INTERNAL_PROXIES = "server.tomcat.remoteip.internal-proxies";

	private static final Log logger = LogFactory.getLog(RateLimitWebAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	RateLimitRejectionHandler rateLimitStarterRejectionHandler(ActiveRules rules) {
		return new ProblemRejectionHandler((id) -> rules.get().find(id).map(CompiledRule::config));
	}

	@Bean
	RuleSetValidator rateLimitStarterWebCheck(RateLimitRejectionHandler handler, Environment environment,
			RateLimitProperties properties) {
		return (rules) -> {
			if (properties.enabled() && !(handler instanceof ProblemRejectionHandler)) {
				rules.enabled().forEach(RateLimitWebAutoConfiguration::requireNoRefusal);
			}
			if (properties.enabled() && isForwardingHandledBySpring(environment)) {
				requireNoAddresses(rules, properties.exempt());
			}
		};
	}

	/** A handler of the application would ignore it. */
	private static void requireNoRefusal(CompiledRule rule) {
		if (!rule.config().enforcement().refusal().equals(Refusal.PROBLEM)) {
			throw new RulesNotEnforceableException(
					"Rule '" + rule.id() + "' has a response of its own (refusal.*), but a bean of type "
							+ RateLimitRejectionHandler.class.getName() + " responds to all refused requests",
					"Remove refusal.* from the rules and from ratelimit.defaults, or remove the bean");
		}
	}

	private static void requireNoAddresses(CompiledRules rules, RateLimitProperties.Exempt exempt) {
		for (CompiledRule rule : rules.enabled()) {
			if (rule.config().key().has(KeySource.Kind.IP)) {
				throw chosenAddress("rule '" + rule.id() + "' counts by ip", "count by something else");
			}
		}
		if (!exempt.addresses().isEmpty() && !rules.enabled().isEmpty()) {
			throw chosenAddress("ratelimit.exempt.addresses exempts clients by it", "exempt paths instead");
		}
	}

	private static RulesNotEnforceableException chosenAddress(String use, String otherCure) {
		return new RulesNotEnforceableException(
				"server.forward-headers-strategy is framework, which takes the client's address from whatever "
						+ "any client writes into a forwarding header, and " + use,
				"Set server.forward-headers-strategy to none and name your proxies in "
						+ "ratelimit.trusted-proxies, or " + otherCure);
	}

	/** By default a rule counts requests without its key by address. */
	private static boolean mayCountByAddress(RLConfig rule) {
		ClientKey key = rule.key();
		return key.has(KeySource.Kind.IP) || (key.onMissing() == OnMissingKey.IP && !rule.requests().paths().isEmpty()
				&& key.sources().stream().anyMatch(RateLimitWebAutoConfiguration::mayBeMissing));
	}

	/** A part of the path is missing only if it is blank. */
	private static boolean mayBeMissing(KeySource source) {
		return source.kind() != KeySource.Kind.GLOBAL && source.kind() != KeySource.Kind.PATH;
	}

	@Bean
	ClientAddresses rateLimitStarterClientAddresses(RateLimitProperties properties, ActiveRules rules,
			Environment environment) {
		List<IpRange> trusted = ranges("trusted-proxies", properties.trustedProxies());
		if (trusted.stream().anyMatch(IpRange::isEverything)) {
			logger
				.warn("ratelimit.trusted-proxies trusts every address: any client can choose the address to be counted "
						+ "by. Name your proxies only.");
		}
		ClientAddresses addresses = new ClientAddresses(trusted,
				properties.forwardedHeader() == RateLimitProperties.ForwardedHeader.FORWARDED);
		if (!isForwardingHandled(environment) || isForwardingHandledBySpring(environment)) {
			return addresses.warning();
		}
		boolean mayCount = rules.get().enabled().stream().anyMatch((rule) -> mayCountByAddress(rule.config()));
		if (mayCount && !environment.containsProperty(INTERNAL_PROXIES)) {
			logger.warn("A rule counts by ip, perhaps only requests without its key, and " + FORWARDING
					+ " is native, set or by the cloud platform: the "
					+ "container takes the address from the forwarding headers of every peer that it trusts, by "
					+ "default (Tomcat) of every private address. A client that reaches the application from such an "
					+ "address chooses the address to be counted by. Name your proxies only in " + INTERNAL_PROXIES
					+ ", or set " + FORWARDING + " to none and name them in ratelimit.trusted-proxies.");
		}
		return addresses;
	}

	/**
	 * Whether the container or Spring replaces the address, decided as Boot does. What
	 * Spring replaces is not read: it is a wrapper of the request.
	 */
	static boolean isForwardingHandled(Environment environment) {
		String strategy = environment.getProperty(FORWARDING);
		return (strategy != null) ? !"none".equalsIgnoreCase(strategy) : CloudPlatform.getActive(environment) != null;
	}

	private static boolean isForwardingHandledBySpring(Environment environment) {
		return "framework".equalsIgnoreCase(environment.getProperty(FORWARDING));
	}

	private static List<IpRange> ranges(String property, List<String> texts) {
		List<IpRange> ranges = new ArrayList<>();
		for (int i = 0; i < texts.size(); i++) {
			String name = property + "[" + i + "]";
			String text = texts.get(i);
			ranges.add(SettingErrors.explain(() -> IpRange.parse(name, text)));
		}
		return ranges;
	}

	@Bean
	RoutesSupplier rateLimitStarterRoutes(ActiveRules rules, CodeRules code, AnnotatedBeans annotated,
			RateLimitProperties properties, SubjectEncoder subjects, ListableBeanFactory beanFactory,
			Environment environment, AllListeners listeners) {
		return new RoutesSupplier(rules, code, annotated, properties.exempt().paths(), subjects, beanFactory,
				environment, listeners);
	}

	@Bean
	@Lazy
	RequestExplainer rateLimitStarterRequestExplainer(ActiveRules rules, RoutesSupplier routes, SubjectEncoder subjects,
			RateLimitProperties properties) {
		return new RouteExplainer(rules, routes, ranges("exempt.addresses", properties.exempt().addresses()), subjects);
	}

	@Bean
	RateLimitExceptionResolver rateLimitStarterExceptionResolver(ActionExecutor executor) {
		return new RateLimitExceptionResolver(executor);
	}

	@Bean
	UnwrittenResultResolver rateLimitStarterUnwrittenResultResolver() {
		return new UnwrittenResultResolver();
	}

	@Bean
	@Lazy
	RequestKeys rateLimitStarterRequestKeys(RoutesSupplier routes, ClientAddresses addresses) {
		return new CurrentRequest(routes, addresses, System::nanoTime)::resolver;
	}

	@Bean
	FilterRegistrationBean<RateLimitFilter> rateLimitStarterFilter(RoutesSupplier routes, ActionExecutor executor,
			RateLimitProperties properties) {
		return registration(new RateLimitFilter(false, routes, executor), "rateLimitStarterFilter",
				properties.filter().afterSecurityOrder(), properties.enabled(), DispatcherType.REQUEST,
				DispatcherType.ASYNC, DispatcherType.FORWARD);
	}

	/** Directly behind the other one, which decides the path that the client sent. */
	@Bean
	FilterRegistrationBean<ServletDispatchFilter> rateLimitStarterServletDispatchFilter(ActionExecutor executor,
			RateLimitProperties properties) {
		int order = properties.filter().afterSecurityOrder();
		return registration(new ServletDispatchFilter(executor), "rateLimitStarterServletDispatchFilter",
				(order < Ordered.LOWEST_PRECEDENCE) ? order + 1 : order, properties.enabled(), DispatcherType.FORWARD,
				DispatcherType.ASYNC);
	}

	@Bean
	@ConditionalOnBean(name = "springSecurityFilterChain")
	FilterRegistrationBean<RateLimitFilter> rateLimitStarterFilterBeforeSecurity(RoutesSupplier routes,
			ActionExecutor executor, RateLimitProperties properties, ListableBeanFactory beanFactory) {
		if (beanFactory.containsBean(SECURITY_REGISTRATION)
				&& beanFactory.isTypeMatch(SECURITY_REGISTRATION, Ordered.class)) {
			requireAround(properties.filter(), beanFactory.getBean(SECURITY_REGISTRATION, Ordered.class).getOrder());
		}
		return registration(new RateLimitFilter(true, routes, executor), "rateLimitStarterFilterBeforeSecurity",
				properties.filter().beforeSecurityOrder(), properties.enabled(), DispatcherType.REQUEST,
				DispatcherType.ASYNC, DispatcherType.FORWARD);
	}

	/**
	 * With another order the user would be unknown to rules that count by name, and all
	 * users would be counted as one client.
	 */
	private static void requireAround(RateLimitProperties.Filter filter, int securityOrder) {
		SettingChecks.require(filter.beforeSecurityOrder() < securityOrder, "filter.before-security-order",
				filter.beforeSecurityOrder(),
				"is not before Spring Security, whose filter has the order " + securityOrder,
				"Use a number below " + securityOrder + ", or raise spring.security.filter.order");
		SettingChecks.require(filter.afterSecurityOrder() > securityOrder, "filter.after-security-order",
				filter.afterSecurityOrder(),
				"is not behind Spring Security, whose filter has the order " + securityOrder,
				"Use a number above " + securityOrder + ", or lower spring.security.filter.order");
	}

	private static <F extends Filter> FilterRegistrationBean<F> registration(F filter, String name, int order,
			boolean enabled, DispatcherType first, DispatcherType... others) {
		FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
		registration.setName(name);
		registration.setOrder(order);
		registration.setDispatcherTypes(first, others);
		registration.setEnabled(enabled);
		return registration;
	}

	@Bean
	DelayedRequests rateLimitStarterDelayedRequests(AllListeners listeners) {
		return new DelayedRequests(RateLimitAutoConfiguration.WAITER, listeners.decisions());
	}

	@Bean
	ActionExecutor rateLimitStarterActionExecutor(RequestLimiter limiter, ClientAddresses addresses,
			RateLimitProperties properties, RateLimitRejectionHandler rejectionHandler, AllListeners listeners,
			ListableBeanFactory beanFactory, DelayedRequests delayed,
			@Qualifier(RateLimitAutoConfiguration.CLOCK) InstantSource clock, ObjectProvider<LaterHandler> later) {
		CorsRejectionHandler readableHandler = new CorsRejectionHandler(rejectionHandler, cors(beanFactory),
				SecurityCors.filters(beanFactory));
		Optional<LaterHandler> handler = Optional.ofNullable(later.getIfAvailable());
		RequestDecider decider = new RequestDecider(limiter,
				ranges("exempt.addresses", properties.exempt().addresses()), listeners.decisions(),
				RateLimitAutoConfiguration.WAITER::now, handler.map((one) -> new LaterDecider(limiter, one,
						listeners.decisions(), RateLimitAutoConfiguration.WAITER::now)));
		return new ActionExecutor(decider, addresses, headers(properties.headers(), clock), readableHandler, delayed,
				handler);
	}

	static RateLimitHeaders headers(RateLimitProperties.Headers headers, InstantSource clock) {
		return new RateLimitHeaders(headers.legacy(), headers.ietf() != RateLimitProperties.Headers.Ietf.OFF,
				headers.resetFormat() == RateLimitProperties.Headers.ResetFormat.EPOCH_SECONDS, clock);
	}

	/**
	 * Every handler mapping detects beans of this type, including those of other ports.
	 */
	@Bean
	MappedInterceptor rateLimitStarterHandlerCheck(ActionExecutor executor) {
		return new MappedInterceptor((String[]) null, new HandlerCheck(executor));
	}

	/**
	 * Created only beside other adapters, because MVC would not register its defaults
	 * otherwise.
	 */
	@Bean
	@ConditionalOnBean(HandlerAdapter.class)
	HandlerAdapter rateLimitStarterTurnAdapter(ActionExecutor executor, ApplicationContext context) {
		return HandlerCheck.adapter(executor, context);
	}

	/**
	 * Looked up lazily, because the filter is created long before MVC's own beans. A
	 * request passes both sources in the application, so the first one with a
	 * configuration is used.
	 */
	private static CorsConfigurationSource cors(ListableBeanFactory beanFactory) {
		return (request) -> {
			for (String name : CORS_BEANS) {
				if (beanFactory.containsBean(name) && beanFactory.isTypeMatch(name, CorsConfigurationSource.class)) {
					CorsConfiguration configuration = beanFactory.getBean(name, CorsConfigurationSource.class)
						.getCorsConfiguration(request);
					if (configuration != null) {
						return configuration;
					}
				}
			}
			return null;
		};
	}

}
