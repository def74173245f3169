package dev.ratelimit.actuate;

import java.security.Principal;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.rule.live.RateLimitRulesChangedEvent;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Publishes what operators change as audit events, which Boot stores if the application
 * has an {@link org.springframework.boot.actuate.audit.AuditEventRepository}.
 * <ul>
 * <li>{@value #RESET} {rule, client, outcome}: a client was reset through the endpoint;
 * {@code client} is its hash</li>
 * <li>{@value #RULES_CHANGED} {added, changed, removed}: other rules have come into
 * force, by their ids</li>
 * </ul>
 */
public final class OperatorAudit {

	private static final Log logger = LogFactory.getLog(OperatorAudit.class);

	static final String RESET = "RATELIMIT_RESET";

	static final String RULES_CHANGED = "RATELIMIT_RULES_CHANGED";

	/** As Boot names a principal that is not known. */
	private static final String UNKNOWN = "<unknown>";

	private final ApplicationEventPublisher publisher;

	/**
	 * Create the audit.
	 * @param publisher publishes the events
	 */
	public OperatorAudit(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	/**
	 * Publish that other rules have come into force, before any listener that may fail. A
	 * source of rules does not report what user changed it.
	 * @param event the changes
	 */
	@EventListener
	@Order(Ordered.HIGHEST_PRECEDENCE)
	public void changed(RateLimitRulesChangedEvent event) {
		publish(UNKNOWN, RULES_CHANGED,
				Map.of("added", event.added(), "changed", event.changed(), "removed", event.removed()));
	}

	/** Also for a reset that failed, because the store may have executed it. */
	void reset(SecurityContext operator, String rule, String client, boolean succeeded) {
		publish(Optional.ofNullable(operator.getPrincipal()).map(Principal::getName).orElse(UNKNOWN), RESET,
				Map.of("rule", rule, "client", client, "outcome", succeeded ? "success" : "failure"));
	}

	/** What was changed is changed, also where the event cannot be stored. */
	private void publish(String principal, String type, Map<String, Object> data) {
		try {
			this.publisher.publishEvent(new AuditApplicationEvent(new AuditEvent(principal, type, data)));
		}
		catch (Throwable ex) {
			logger.warn("An audit event of type %s was not stored: a listener or repository of the application failed"
				.formatted(type), ex);
		}
	}

}
