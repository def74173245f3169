package dev.ratelimit.autoconfigure;

import dev.ratelimit.web.servlet.outcome.RefusedAuthentications;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationListener;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;

/**
 * Receives the events that Spring Security publishes for refused authentications. Runs on
 * the request's thread, even if the application publishes events on others.
 */
@ConditionalOnClass(AbstractAuthenticationFailureEvent.class)
class RefusedAuthenticationsListener implements ApplicationListener<AbstractAuthenticationFailureEvent> {

	@Override
	public void onApplicationEvent(AbstractAuthenticationFailureEvent event) {
		RefusedAuthentications.refused();
	}

	@Override
	public boolean supportsAsyncExecution() {
		return false;
	}

}
