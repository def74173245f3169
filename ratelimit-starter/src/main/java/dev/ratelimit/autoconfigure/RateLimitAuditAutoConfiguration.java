package dev.ratelimit.autoconfigure;

import dev.ratelimit.actuate.OperatorAudit;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the audit events of rules that change. Those of resets are
 * published by the endpoint.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(AuditApplicationEvent.class)
@Conditional(OnRules.class)
public final class RateLimitAuditAutoConfiguration {

	@Bean
	OperatorAudit rateLimitStarterAudit(ApplicationEventPublisher publisher) {
		return new OperatorAudit(publisher);
	}

}
