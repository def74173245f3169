package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.NamedRateLimiter;
import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RateLimiters;
import dev.ratelimit.actuate.RateLimitsEndpoint;
import dev.ratelimit.fixture.SpeakingLog;
import dev.ratelimit.limiter.RuleRateLimiter;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.metrics.MicrometerDecisionListener;
import dev.ratelimit.metrics.MicrometerStoreListener;
import dev.ratelimit.openapi.RateLimitOpenApiCustomizer;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.web.servlet.ProblemRejectionHandler;
import dev.ratelimit.web.servlet.RateLimitFilter;
import dev.ratelimit.web.servlet.RateLimitRejectionHandler;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@ExtendWith({ OutputCaptureExtension.class, SpeakingLog.class })
class RateLimitAutoConfigurationTests {

	private static final AutoConfigurations OURS = AutoConfigurations.of(RateLimitAutoConfiguration.class,
			RateLimitWebAutoConfiguration.class, RateLimitMicrometerAutoConfiguration.class,
			RateLimitActuatorAutoConfiguration.class);

	private static final AutoConfigurations BOOTS = AutoConfigurations.of(DataRedisAutoConfiguration.class,
			WebMvcAutoConfiguration.class, DispatcherServletAutoConfiguration.class, MetricsAutoConfiguration.class,
			CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class);

	private final WebApplicationContextRunner web = new WebApplicationContextRunner().withConfiguration(OURS)
		.withConfiguration(BOOTS)
		.withPropertyValues("ratelimit.store=memory", "management.endpoints.web.exposure.include=ratelimits",
				"ratelimit.rules.login.paths=/login", "ratelimit.rules.login.thresholds=5/1m");

	/** There is no rule when the limiter looks for one. */
	private final WebApplicationContextRunner late = new WebApplicationContextRunner().withConfiguration(OURS)
		.withConfiguration(BOOTS)
		.withPropertyValues("ratelimit.store=memory");

	@Test
	void aMasterReplicaSetupIsRefusedWithTheCure() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DataRedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.masterreplica.nodes=localhost:6379",
					"ratelimit.rules.a.thresholds=1/s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(RulesNotEnforceableException.class)
				.hasMessageContaining("spring.data.redis.masterreplica")
				.hasMessageContaining("Configure Sentinel, a Cluster or the one Redis"));
	}

	@Test
	void allBeansArePresentByDefault(CapturedOutput output) {
		this.web.run((context) -> {
			assertThat(context).hasSingleBean(RateLimitStore.class)
				.hasSingleBean(RateLimiter.class)
				.hasBean("rateLimitLimiter")
				.hasSingleBean(MicrometerDecisionListener.class)
				.hasSingleBean(RateLimitsEndpoint.class);
			assertThat(enabledFilters(context)).containsExactly(true);
			assertThat(output)
				.containsOnlyOnce("Rate limiting is on: 1 rule, counted in memory; on-store-failure: 1 local");
		});
	}

	/** The way of Spring Boot to switch off an auto-configuration. */
	@Test
	void anApplicationThatExcludesTheLimiterStartsWithoutIt() {
		List<Class<?>> all = new ArrayList<>();
		ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith(getClass().getPackageName())
					&& !name.equals(RateLimitAutoConfiguration.class.getName()))
			.forEach((name) -> all.add(ClassUtils.resolveClassName(name, null)));
		new WebApplicationContextRunner().withConfiguration(BOOTS)
			.withConfiguration(AutoConfigurations.of(all.toArray(Class<?>[]::new)))
			.withPropertyValues("ratelimit.rules.login.paths=/login", "ratelimit.rules.login.thresholds=5/1m")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RateLimiter.class)
				.doesNotHaveBean(RateLimitFilter.class));
	}

	@Test
	void theStoreIsWatchedByMetricsAndHealth() {
		this.web.run((context) -> assertThat(context).hasSingleBean(MicrometerStoreListener.class)
			.hasBean("ratelimitHealthIndicator"));
		this.web.withPropertyValues("management.health.ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("ratelimitHealthIndicator"));
		this.web.withPropertyValues("management.health.defaults.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("ratelimitHealthIndicator"));
	}

	@Test
	void documentsShowLimitsOnlyWhereSpringdocMakesThemForMvc() {
		WebApplicationContextRunner documented = this.web
			.withConfiguration(AutoConfigurations.of(RateLimitOpenApiAutoConfiguration.class));
		documented.run((context) -> assertThat(context).hasSingleBean(RateLimitOpenApiCustomizer.class));
		for (String absent : List.of("org.springdoc", "org.springdoc.webmvc")) {
			documented.withClassLoader(new FilteredClassLoader(absent))
				.run((context) -> assertThat(context).hasNotFailed()
					.hasSingleBean(RateLimiter.class)
					.doesNotHaveBean("rateLimitStarterOpenApiCustomizer"));
		}
		this.late.withConfiguration(AutoConfigurations.of(RateLimitOpenApiAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("rateLimitStarterOpenApiCustomizer"));
	}

	@SuppressWarnings("rawtypes")
	private static List<Boolean> enabledFilters(AssertableWebApplicationContext context) {
		return context.getBeansOfType(FilterRegistrationBean.class)
			.values()
			.stream()
			.filter((registration) -> registration.getFilter() instanceof RateLimitFilter)
			.map(FilterRegistrationBean::isEnabled)
			.toList();
	}

	private static int order(AssertableWebApplicationContext context, String filter) {
		return context.getBean(filter, FilterRegistrationBean.class).getOrder();
	}

	private static Throwable rootFailure(ApplicationContextAssertProvider<?> context) {
		return NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
	}

	@Test
	void handlersAreCalledAsWithoutTheLimiterUntilARuleDelays() throws NoSuchMethodException {
		HandlerMethod handler = new HandlerMethod("", "length");
		this.web.run((context) -> assertThat(context.getBeansOfType(HandlerAdapter.class).values())
			.filteredOn((adapter) -> adapter.supports(handler))
			.hasOnlyElementsOfType(RequestMappingHandlerAdapter.class));
	}

	/** What is forwarded is decided behind what the client has sent. */
	@ParameterizedTest
	@CsvSource({ "-90, -89", "2147483647, 2147483647" })
	void theFilterOverOtherServletsIsDirectlyBehindTheOneOverThePathOfTheClient(int order, int next) {
		this.web.withPropertyValues("ratelimit.filter.after-security-order=" + order).run((context) -> {
			assertThat(order(context, "rateLimitStarterFilter")).isEqualTo(order);
			assertThat(order(context, "rateLimitStarterServletDispatchFilter")).isEqualTo(next);
		});
	}

	@Test
	@DisplayName("1.16 RLConfig and RLThreshold are immutable and come from the configuration")
	void rulesAreImmutableRecordsFromTheConfiguration() {
		this.web.run((context) -> {
			RLConfig rule = context.getBean(ActiveRules.class).get().ruleSet().find("login").orElseThrow();
			assertThat(rule.allowances().thresholds()).containsExactly(new RLThreshold(5, Duration.ofMinutes(1)));
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> rule.allowances().thresholds().clear());
		});
	}

	@Test
	void redisIsTheStoreByDefaultAndMayBeAbsent() {
		this.web.withPropertyValues("ratelimit.store=redis", "spring.data.redis.port=1")
			.run((context) -> assertThat(context).hasSingleBean(RedisStore.class));
	}

	@Test
	void aStoreWhoseModuleIsAbsentStopsTheStart() {
		this.web.withPropertyValues("ratelimit.store=memcached")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("ratelimit.store is memcached, but its module is not on the class path. "
						+ "Add the dependency dev.ratelimit:ratelimit-starter-memcached."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "MEMORY", "memory ", " memory" })
	void theStoreIsReadInEverySpellingThatBootBinds(String store) {
		this.web.withInitializer((context) -> TestPropertyValues.of(Map.of("ratelimit.store", store)).applyTo(context))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(MemoryStore.class));
	}

	@Test
	void aRuleThatCoversNoPathIsNamedAtTheStart(CapturedOutput output) {
		this.web.withPropertyValues("ratelimit.rules.logn.thresholds=50/1m")
			.run((context) -> assertThat(output).containsOnlyOnce("only where code names them: logn"));
	}

	@Test
	void aMethodOfNoRegistryIsNamedAtTheStart(CapturedOutput output) {
		this.web.withPropertyValues("ratelimit.rules.login.methods=post, Foo, query")
			.run((context) -> assertThat(output)
				.containsOnlyOnce("Rule 'login' lists methods of no registry, which are compared exactly: Foo"));
	}

	@Test
	void beansOfTheApplicationReplaceOurs() {
		this.web.withUserConfiguration(Replacements.class).run((context) -> {
			assertThat(context).hasSingleBean(RateLimitStore.class)
				.hasSingleBean(RateLimitRejectionHandler.class)
				.doesNotHaveBean(ProblemRejectionHandler.class)
				.doesNotHaveBean(RuleRateLimiter.class)
				.hasSingleBean(RuleSource.class);
			assertThat(context.getBean(RateLimitsEndpoint.class).rules().rules()).extracting((rule) -> rule.get("id"))
				.containsExactly("from-a-bean", "login");
		});
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.rules.login.refusal.status", "ratelimit.defaults.refusal.status" })
	void aResponseOfARuleThatAHandlerOfTheApplicationWouldIgnoreStopsTheStart(String property) {
		WebApplicationContextRunner own = this.web.withUserConfiguration(Replacements.class)
			.withPropertyValues("ratelimit.rules.login.thresholds=1/1m", property + "=503");
		own.run((context) -> assertThat(context).getFailure()
			.isInstanceOf(RulesNotEnforceableException.class)
			.hasMessageContainingAll("has a response of its own (refusal.*)", RateLimitRejectionHandler.class.getName(),
					"Remove refusal.*"));
		own.withPropertyValues("ratelimit.enabled=false").run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theBeansOfADisabledLimiterAdmitEveryRequestAndTheLogStatesIt(CapturedOutput output) {
		this.web.withPropertyValues("ratelimit.enabled=false", "ratelimit.rules.login.thresholds=1/1m")
			.run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiter.class);
				for (int i = 0; i < 3; i++) {
					assertThat(limiter.tryAcquire("login", "10.0.0.1").isAllowed()).isTrue();
				}
				assertThat(enabledFilters(context)).containsExactly(false);
				assertThat(output).contains("Rate limiting is OFF");
			});
	}

	@Test
	void theLackOfRulesIsLoggedOnce(CapturedOutput output) {
		new WebApplicationContextRunner().withConfiguration(OURS)
			.withConfiguration(BOOTS)
			.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(output).containsOnlyOnce("Rate limiting has nothing to do"));
	}

	@Test
	void aLogThatMayTakeTooMuchMemoryIsWarnedAbout(CapturedOutput output) {
		this.web.withPropertyValues("ratelimit.rules.login.thresholds=20000/1m", "ratelimit.log-memory-warning=2MB")
			.run((context) -> assertThat(output).contains("WARN")
				.contains("log can grow to 20000 entries, about 2.3MB"));
	}

	@Test
	void theLimiterWorksWithoutActuator() {
		this.web.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(RateLimiter.class)
				.doesNotHaveBean(RateLimitsEndpoint.class));
	}

	@Test
	void theLimiterWorksWithoutMicrometer() {
		new WebApplicationContextRunner().withConfiguration(OURS)
			.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.login.thresholds=5/1m")
			.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(RateLimiter.class)
				.doesNotHaveBean(MicrometerDecisionListener.class));
	}

	@Test
	void theLimiterWorksWithoutJackson() {
		this.web.withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RateLimiter.class));
	}

	@Test
	void codeMakesLimitersWithoutAnyConfiguredRule() {
		this.late.run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton("rateLimitStarterLimiters")).isFalse();
			NamedRateLimiter mail = context.getBean(RateLimiters.class).of("mail", "1/1m");
			assertThat(mail.tryAcquire("a").isAllowed()).isTrue();
			assertThat(mail.tryAcquire("a").isAllowed()).isFalse();
		});
	}

	@ParameterizedTest
	@CsvSource({ "key=arg:key, shadow=true", "key=ip, paths=/exports" })
	void aLimiterOfCodeTakesNothingFromTheConfiguredRuleWithItsId(String key, String other) {
		this.late
			.withPropertyValues("ratelimit.rules.exports.thresholds=2/1m", "ratelimit.rules.exports." + key,
					"ratelimit.rules.exports." + other)
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(RateLimiters.class).of("exports", "2/1m"))
				.withMessage("There is a rule 'exports' with other settings. Give each limiter an id of its own"));
	}

	@Test
	void aLimiterOfCodeMayHaveTheIdOfAConfiguredRuleThatEqualsIt() {
		this.late
			.withPropertyValues("ratelimit.defaults.on-store-failure=deny", "ratelimit.rules.exports.thresholds=1/1m",
					"ratelimit.rules.exports.key=arg:key")
			.run((context) -> {
				NamedRateLimiter exports = context.getBean(RateLimiters.class).of("exports", "1/1m");
				assertThat(exports.tryAcquire("a").isAllowed()).isTrue();
				assertThat(context.getBean(RateLimiter.class).tryAcquire("exports", "a").isAllowed()).isFalse();
			});
	}

	/**
	 * Code passes the key, and nothing of a request is read, whatever other rules are.
	 */
	@Test
	void aLimiterOfCodeNeedsNoBeanOfItsKey() {
		RLConfig rule = RLConfig.builder("mail").key("bean:nope").thresholds("1/1m").build();
		for (WebApplicationContextRunner application : List.of(this.web, this.late)) {
			application.run((context) -> {
				NamedRateLimiter mail = context.getBean(RateLimiters.class).create(rule);
				assertThat(mail.tryAcquire("a").isAllowed()).isTrue();
				assertThat(mail.tryAcquire("a").isAllowed()).isFalse();
			});
		}
	}

	@Test
	void aWrongOverrideOfALimiterOfCodeIsRefusedByTheNameOfTheLimiter() {
		KeyOverride override = new KeyOverride(List.of("here"), Allowance.BLOCKED);
		RLConfig rule = RLConfig.builder("mail").key("ip").thresholds("1/1m").overrides(List.of(override)).build();
		for (WebApplicationContextRunner application : List.of(this.web, this.late)) {
			application.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(RateLimiters.class).create(rule))
				.withMessageStartingWith(
						"Limiter 'mail': overrides[0].key 'here' is not an address or CIDR range. Write for example"));
		}
	}

	@Test
	void rulesWithoutPathsWorkOutsideTheWeb() {
		new ApplicationContextRunner().withConfiguration(OURS)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.mail.key=global",
					"ratelimit.rules.mail.thresholds=1/1m")
			.run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiter.class);
				assertThat(limiter.tryAcquire("mail").isAllowed()).isTrue();
				assertThat(limiter.tryAcquire("mail")).isInstanceOf(RateLimitDecision.Rejected.class);
			});
	}

	@Test
	void webApplicationWithoutSpringMvcStopsIfARuleHasPaths() {
		this.web.withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
			.run((context) -> assertThat(rootFailure(context)).isInstanceOf(RulesNotEnforceableException.class)
				.hasMessageContaining("Spring MVC"));
	}

	@Test
	void reactiveApplicationStopsIfARuleHasPaths() {
		new ReactiveWebApplicationContextRunner().withConfiguration(OURS)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.login.paths=/login",
					"ratelimit.rules.login.thresholds=5/1m")
			.run((context) -> assertThat(rootFailure(context)).isInstanceOf(RulesNotEnforceableException.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { Latecomers.Rules.class, Latecomers.Marked.class })
	void rulesRegisteredTooLateForTheFilterAreNotReportedAsALackOfMvc(Class<?> latecomer) {
		this.late.withConfiguration(AutoConfigurations.of(latecomer))
			.run((context) -> assertThat(rootFailure(context)).isInstanceOf(RulesNotEnforceableException.class)
				.hasMessageContaining("@AutoConfiguration(before = RateLimitAutoConfiguration.class)")
				.hasMessageNotContaining("Spring MVC"));
	}

	@Test
	void rulesOfALibraryAreEnforcedIfItIsConfiguredBeforeTheLimiter() {
		this.late.withConfiguration(AutoConfigurations.of(Latecomers.InTime.class))
			.run((context) -> assertThat(enabledFilters(context)).containsExactly(true));
	}

	@Test
	void theNumberOfRulesIsAMeterEvenWithoutRules() {
		this.late.run((context) -> {
			assertThat(context.getBean(MeterRegistry.class).get("ratelimit.rules").gauge().value()).isZero();
			assertThat(context.getBean(MeterRegistry.class).getMeters())
				.filteredOn((meter) -> meter.getId().getName().startsWith("ratelimit"))
				.hasSize(1);
		});
		this.web.run((context) -> assertThat(context.getBean(MeterRegistry.class).get("ratelimit.rules").gauges())
			.extracting(Gauge::value)
			.containsExactly(1.0));
	}

	@Test
	void theSettingsOfRedisAreUsedEvenIfBootDoesNotReadThem() {
		new ApplicationContextRunner().withConfiguration(OURS)
			.withPropertyValues("ratelimit.rules.mail.thresholds=1/1m", "spring.data.redis.port=1")
			.run((context) -> assertThat(context.getBean(RateLimitStore.class).describe()).contains("localhost:1"));
	}

	@Test
	void anApplicationNameThatIsTooLongForAKeyStopsTheStartAndNamesThePrefix() {
		this.web.withPropertyValues("ratelimit.store=redis", "spring.application.name=" + "a".repeat(78))
			.run((context) -> assertThat(rootFailure(context)).isInstanceOf(InvalidSettingsException.class)
				.hasMessageContaining("ratelimit.key-prefix 'rl:aaa"));
	}

	@Test
	void addressesThatAnyClientCanForgeStopTheStart() {
		WebApplicationContextRunner forgeable = this.web
			.withPropertyValues("server.forward-headers-strategy=framework");
		forgeable.run((context) -> assertThat(rootFailure(context)).isInstanceOf(RulesNotEnforceableException.class)
			.hasMessageContaining("ratelimit.trusted-proxies"));
		forgeable.withPropertyValues("ratelimit.enabled=false").run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void exemptAddressesThatAnyClientCanForgeStopTheStart() {
		this.web
			.withPropertyValues("server.forward-headers-strategy=framework", "ratelimit.defaults.key=global",
					"ratelimit.exempt.addresses=10.0.0.0/8")
			.run((context) -> assertThat(rootFailure(context)).isInstanceOf(RulesNotEnforceableException.class)
				.hasMessageContaining("ratelimit.exempt.addresses"));
	}

	@Test
	void patternThatMvcRefusesStopsTheStartAndNamesTheRule(CapturedOutput output) {
		this.web.withPropertyValues("ratelimit.rules.login.paths=/api/**/x/**")
			.run((context) -> assertThat(rootFailure(context)).hasMessageContaining("rules.login.paths")
				.hasMessageContaining("/api/**/x/**"));
		assertThat(output).doesNotContain("Rate limiting is on");
	}

	@Test
	void aPrincipalWithoutSpringSecurityIsWarnedAbout(CapturedOutput output) {
		this.web.withPropertyValues("ratelimit.rules.login.key=principal")
			.run((context) -> assertThat(output).containsOnlyOnce("Rules that count by principal"));
	}

	@Test
	void missingKeyResolverBeanStopsTheStartAndNamesThoseThatExist() {
		this.web.withUserConfiguration(Resolvers.class)
			.withPropertyValues("ratelimit.rules.login.key=bean:apiKye")
			.run((context) -> assertThat(rootFailure(context)).hasMessageContaining("rules.login.key")
				.hasMessageContaining("apiKye")
				.hasMessageContaining("apiKey"));
	}

	@Test
	void trustedProxyThatIsAHostNameStopsTheStart() {
		this.web.withPropertyValues("ratelimit.trusted-proxies=lb.internal")
			.run((context) -> assertThat(rootFailure(context)).hasMessageContaining("trusted-proxies[0]")
				.hasMessageContaining("lb.internal"));
	}

	@Test
	void trustingEveryProxyIsWarnedAbout(CapturedOutput output) {
		this.web.withPropertyValues("ratelimit.trusted-proxies=0.0.0.0/0")
			.run((context) -> assertThat(output).contains("WARN").contains("ratelimit.trusted-proxies"));
	}

}
