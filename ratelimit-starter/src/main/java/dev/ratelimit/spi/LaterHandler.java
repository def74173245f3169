package dev.ratelimit.spi;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.WaitBudget;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Handles requests later for which rules have no permits now. The module of such a value
 * of {@code on-limit} declares a bean of it, in a servlet application, which has at most
 * one. The rules are decided last, after all others have admitted; their permits are
 * acquired when the request is handled ({@link RulePermits}). Called on the threads of
 * requests, many at a time.
 */
public interface LaterHandler {

	/**
	 * Whether a client has requests that another one must not overtake. Must not throw.
	 * @param rule the id of the rule
	 * @param subject the client
	 * @param maxWait how long to wait
	 * @return whether it has, as far as is known
	 */
	Standing standing(String rule, Subject subject, Duration maxWait);

	/**
	 * Take a request to handle it later. An exception counts as a refusal, and ends the
	 * request.
	 * @param later what is known of it
	 * @param request the request, whose body may have been read
	 * @param budget how long it may still wait for a store; the time of a call is to be
	 * spent
	 * @return what came of it
	 * @throws IOException if the client does not send its request
	 */
	Taking take(LaterRequest later, HttpServletRequest request, WaitBudget budget) throws IOException;

	/**
	 * A request that a rule has no permits for.
	 *
	 * @param rule the rule
	 * @param subject the client
	 * @param plan its plan, if it has one
	 * @param cost how many permits it needs
	 * @param path its path within the application, still encoded
	 */
	record LaterRequest(RLConfig rule, Subject subject, Optional<String> plan, long cost, String path) {
	}

	/** What came of taking a request. */
	sealed interface Taking {

	}

	/**
	 * It is handled later.
	 *
	 * @param location where the client can ask for its state
	 * @param answer the response
	 */
	record Taken(String location, Answer answer) implements Taking {
	}

	/**
	 * It may be handled later, as its store has not confirmed it. The rule refuses it as
	 * it does while a store does not answer.
	 *
	 * @param location where the client can ask for its state
	 */
	record Unconfirmed(String location) implements Taking {
	}

	/** It cannot be handled later: the rule refuses it as others do. */
	record NotTaken() implements Taking {
	}

	/**
	 * It cannot be handled later, and has a response of its own.
	 *
	 * @param answer the response
	 */
	record Declined(Answer answer) implements Taking {
	}

	/**
	 * A response.
	 *
	 * @param status its status
	 * @param contentType its content type
	 * @param body its body, which is sent in UTF-8
	 */
	record Answer(int status, String contentType, String body) {
	}

}
