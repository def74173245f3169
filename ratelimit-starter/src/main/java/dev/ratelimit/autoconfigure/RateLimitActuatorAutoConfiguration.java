package dev.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.actuate.ClientOperations;
import dev.ratelimit.actuate.ExplainOperation;
import dev.ratelimit.actuate.OperatorAudit;
import dev.ratelimit.actuate.RateLimitHealthIndicator;
import dev.ratelimit.actuate.RateLimitsEndpoint;
import dev.ratelimit.actuate.RateLimitsEndpoint.ErrorDescriptor;
import dev.ratelimit.actuate.descriptor.ClientDescriptor;
import dev.ratelimit.actuate.descriptor.ExplanationDescriptor;
import dev.ratelimit.actuate.descriptor.RuleInForceDescriptor;
import dev.ratelimit.actuate.insight.DecisionTotals;
import dev.ratelimit.actuate.insight.Insights;
import dev.ratelimit.limiter.ClientInspector;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.health.StoreConcerns;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.live.RuleLayers;
import dev.ratelimit.rule.live.RuleWarnings;
import dev.ratelimit.spi.EndpointPart;
import dev.ratelimit.spi.HealthDetails;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.web.RequestExplainer;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for Actuator: the {@code ratelimits} endpoint, the
 * {@code ratelimit} health contributor, and the audit events of rules that change and of
 * resets.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@Conditional(OnRules.class)
public final class RateLimitActuatorAutoConfiguration {

	@Bean
	OperatorAudit rateLimitStarterAudit(ApplicationEventPublisher publisher) {
		return new OperatorAudit(publisher);
	}

	/** The endpoint, and what it shows. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class, exposure = EndpointExposure.WEB)
	@EnableConfigurationProperties(RateLimitsEndpointProperties.class)
	@RegisterReflectionForBinding({ ClientDescriptor.class, ErrorDescriptor.class, ExplanationDescriptor.class,
			RuleInForceDescriptor.class })
	static class EndpointConfiguration {

		/** Created only if the endpoint is available, because requests pay for it. */
		@Bean
		Insights rateLimitStarterInsights(ActiveRules rules,
				@Qualifier(RateLimitAutoConfiguration.CLOCK) InstantSource clock) {
			return rules.followFirst(new Insights(clock));
		}

		@Bean
		DecisionTotals rateLimitStarterTotals(ActiveRules rules) {
			return rules.follow(new DecisionTotals());
		}

		@Bean
		@ConditionalOnMissingBean
		RateLimitsEndpoint rateLimitStarterEndpoint(ActiveRules rules, RuleLayers layers, RateLimitStore store,
				ClientInspector clients, SubjectEncoder subjects, Insights insights, OperatorAudit audit,
				ObjectProvider<RequestExplainer> explainer, DecisionTotals totals, ObjectProvider<EndpointPart> part,
				RateLimitProperties properties, RateLimitsEndpointProperties settings) {
			ClientOperations operations = new ClientOperations(rules, subjects, clients, insights, audit,
					store.describe());
			ExplainOperation explanation = new ExplainOperation(Optional.ofNullable(explainer.getIfAvailable()),
					operations, properties.enabled());
			return new RateLimitsEndpoint(rules, layers, operations, explanation, totals,
					Optional.ofNullable(part.getIfAvailable()), store.describe(), properties.enabled(),
					(context) -> settings.showValues().isShown(context, settings.roles()));
		}

	}

	/** The health contributor. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	@ConditionalOnEnabledHealthIndicator("ratelimit")
	static class HealthConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
		RateLimitHealthIndicator ratelimitHealthIndicator(RateLimitStore store, StoreWatch watch, Breakers breakers,
				Instances instances, RuleWarnings warnings, StoreConcerns concerns,
				ObjectProvider<HealthDetails> details) {
			return new RateLimitHealthIndicator(store.describe(), watch, breakers, instances,
					() -> Stream.concat(warnings.current().stream(), concerns.known().orElse(List.of()).stream())
						.toList(),
					() -> details.orderedStream().toList());
		}

	}

}
