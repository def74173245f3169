package dev.ratelimit.queue.web;

import java.io.IOException;

import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.queue.web.EnqueueDecider.EnqueueDecision;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.servlet.ServletModule;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Enqueues a request, as a rule has no permits for it.
 *
 * @param queue the queue
 * @param counts the rule, and the subject that it counts
 * @param path the path of the request within the application
 * @param decided the decision of the rules that enqueue
 * @param budget how long the request may still wait
 */
record EnqueueAction(RequestQueue queue, RuleApplication.Counts counts, String path, EnqueueDecision decided,
		WaitBudget budget) implements ServletModule.ServletAction {

	@Override
	public void execute(HttpServletRequest request, HttpServletResponse response, ServletModule.End end)
			throws IOException {
		this.queue.enqueue(this, request, response, end);
	}

	/** The decision of the rule. */
	RuleDecision exhausted() {
		return this.decided.decision()
			.decided()
			.stream()
			.filter((one) -> one.ruleRequest().rule() == this.counts.ruleRequest().rule())
			.findFirst()
			.orElseThrow();
	}

}
