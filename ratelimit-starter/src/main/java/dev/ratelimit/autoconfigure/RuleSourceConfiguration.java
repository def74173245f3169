package dev.ratelimit.autoconfigure;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.RateLimiters;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.MaintenanceScheduler;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.rules.CodeRateLimiters;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.rule.RuleWarning;
import dev.ratelimit.rule.config.EnvironmentRuleSource;
import dev.ratelimit.rule.config.LoadedRules;
import dev.ratelimit.rule.config.RuleDefaults;
import dev.ratelimit.rule.config.SettingTypes;
import dev.ratelimit.rule.config.YamlRules;
import dev.ratelimit.rule.lint.RuleLint;
import dev.ratelimit.rule.live.CodeRules;
import dev.ratelimit.rule.live.RuleFile;
import dev.ratelimit.rule.live.RuleLayer;
import dev.ratelimit.rule.live.RuleLayers;
import dev.ratelimit.rule.live.RuleOrigin;
import dev.ratelimit.rule.live.RuleRefresh;
import dev.ratelimit.rule.live.RuleTable;
import dev.ratelimit.rule.live.RuleWarnings;
import dev.ratelimit.rule.live.RulesListener;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.spi.SettingChecks;
import dev.ratelimit.store.RateLimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;

/**
 * The sources of rules, ordered by precedence.
 */
@Lazy
@Configuration(proxyBeanMethods = false)
class RuleSourceConfiguration {

	private static final Log logger = LogFactory.getLog(RuleSourceConfiguration.class);

	/**
	 * Depends on database initialization, because migrations may create the table during
	 * the start.
	 */
	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnProperty("ratelimit.rule-source.jdbc.table")
	RuleLayer rateLimitStarterRuleTable(RateLimitProperties properties, ListableBeanFactory beanFactory,
			ObjectProvider<DataSource> dataSources, ConfigurableEnvironment environment) {
		RateLimitProperties.RuleSources.Jdbc jdbc = properties.ruleSource().jdbc();
		String table = Objects.requireNonNull(jdbc.table());
		YamlRules yaml = new YamlRules(environment, "ratelimit.rule-source.jdbc.table", table);
		return new RuleLayer(RuleOrigin.JDBC, "table " + table,
				RuleTable.source(dataSource(jdbc, beanFactory, dataSources), table, jdbc.queryTimeout(), yaml));
	}

	private static DataSource dataSource(RateLimitProperties.RuleSources.Jdbc jdbc, ListableBeanFactory beanFactory,
			ObjectProvider<DataSource> dataSources) {
		String name = jdbc.dataSource();
		DataSource found = (name == null) ? dataSources.getIfUnique()
				: (beanFactory.containsBean(name) && beanFactory.isTypeMatch(name, DataSource.class))
						? beanFactory.getBean(name, DataSource.class) : null;
		if (found == null) {
			List<String> known = List.of(beanFactory.getBeanNamesForType(DataSource.class));
			throw SettingChecks.invalid("rule-source.jdbc." + ((name == null) ? "table" : "data-source"),
					Objects.requireNonNullElse(name, ""),
					(name == null) ? "has no DataSource to be read from" : "names no DataSource",
					known.isEmpty() ? "Let Spring Boot configure a database (spring.datasource.*)"
							: "Name one of them in ratelimit.rule-source.jdbc.data-source: " + known);
		}
		return found;
	}

	private static RuleLayer file(Path file, ConfigurableEnvironment environment) {
		return new RuleLayer(RuleOrigin.FILE, "file " + file,
				RuleFile.source(file, new YamlRules(environment, "ratelimit.rule-source.file", file.toString())));
	}

	private static RuleLayer configuration(ConfigurableEnvironment environment) {
		EnvironmentRuleSource source = ofEnvironment(environment);
		return new RuleLayer(RuleOrigin.ENVIRONMENT, "the configuration of the application", () -> {
			LoadedRules loaded = source.read();
			loaded.warnings().forEach(logger::warn);
			return loaded.rules();
		});
	}

	private static EnvironmentRuleSource ofEnvironment(ConfigurableEnvironment environment) {
		return new EnvironmentRuleSource(environment, SettingTypes.of(RateLimitProperties.class));
	}

	@Bean
	RuleLayers rateLimitStarterRuleLayers(ObjectProvider<RuleSource> beans, ObjectProvider<RuleLayer> table,
			RateLimitProperties properties, ConfigurableEnvironment environment) {
		List<RuleLayer> layers = new ArrayList<>();
		beans.orderedStream()
			.forEach((bean) -> layers
				.add(new RuleLayer(RuleOrigin.BEAN, "RuleSource bean " + bean.getClass().getName(), bean)));
		table.orderedStream().forEach(layers::add);
		properties.ruleSource().path().ifPresent((file) -> layers.add(file(file, environment)));
		layers.add(configuration(environment));
		return new RuleLayers(layers);
	}

	@Bean
	CodeRules rateLimitStarterCodeRules() {
		return new CodeRules();
	}

	@Bean
	ActiveRules rateLimitStarterRules(RuleLayers layers, AnnotatedBeans annotated, CodeRules code,
			RateLimitProperties properties, ConfigurableEnvironment environment) {
		// Reads all property sources, and only annotations need it.
		Supplier<RuleDefaults> defaults = SingletonSupplier.of(() -> ofEnvironment(environment).defaults());
		return SettingErrors.explain(() -> new ActiveRules(layers.load(), (configured, before) -> {
			var all = code.join(annotated.join(configured, (id, algorithm) -> defaults.get().rule(id, algorithm)));
			return before.map((rules) -> rules.followedBy(all))
				.orElseGet(() -> new CompiledRules(all, properties.ipv6Prefix(),
						new NamedRules(annotated.namedByHandlers(), annotated.namedByMethods())));
		}));
	}

	@Bean
	@Lazy(false)
	RateLimitStartUp rateLimitStarterStartUp(ActiveRules rules, ObjectProvider<RuleSetValidator> checks,
			ModuleConfiguration.FollowingModules modules, RuleWarnings warnings, ObjectProvider<RateLimitStore> store,
			RateLimitProperties properties, ApplicationContext context) {
		return new RateLimitStartUp(rules, checks, modules, warnings, () -> store.getObject().describe(),
				properties.enabled(), context);
	}

	/**
	 * Not created unless the application injects it. Counting needs the background tasks,
	 * which start here if there is no configured rule for which they have started.
	 */
	@Bean
	@ConditionalOnMissingBean(RateLimiters.class)
	CodeRateLimiters rateLimitStarterLimiters(CodeRules code, ActiveRules rules, ObjectProvider<RuleRefresh> refresh,
			RateLimiter limiter, ObjectProvider<MaintenanceScheduler> maintenance, RateLimitProperties properties,
			ConfigurableEnvironment environment) {
		if (properties.enabled()) {
			MaintenanceScheduler ignored = maintenance.getObject();
		}
		RuleDefaults defaults = ofEnvironment(environment).defaults();
		return new CodeRateLimiters(code, rules, refresh::getObject, (id) -> defaults.rule(id, Optional.empty()),
				limiter);
	}

	@Bean
	RuleWarnings rateLimitStarterRuleWarnings(RateLimitProperties properties, ListableBeanFactory beanFactory,
			ObjectProvider<ModuleRules> modules) {
		return new RuleWarnings((rules) -> properties.enabled() ? RuleLint.warnings(rules,
				properties.logMemoryWarning(), beanFactory.containsBean("springSecurityFilterChain"),
				ofModules(modules.orderedStream().toList())) : List.of());
	}

	private static BiFunction<RLConfig, RuleWarning, List<String>> ofModules(List<ModuleRules> modules) {
		return (rule, name) -> modules.stream().flatMap((module) -> module.warnings(rule, name).stream()).toList();
	}

	@Bean
	RuleRefresh rateLimitStarterRuleRefresh(RuleLayers layers, ActiveRules rules,
			ObjectProvider<RulesListener> listeners, AllListeners all) {
		return new RuleRefresh(layers, (next) -> SettingErrors.explain(() -> {
			rules.replace(next);
			return Optional.empty();
		}), () -> listeners.orderedStream().toList(), all::publish);
	}

	@Bean
	@Lazy(false)
	RuleRefreshLifecycle rateLimitStarterRuleRefreshLifecycle(ObjectProvider<RuleRefresh> refresh, RuleLayers layers,
			RateLimitProperties properties) {
		return new RuleRefreshLifecycle(refresh::getObject, !layers.live().isEmpty(), properties.ruleSource());
	}

}
