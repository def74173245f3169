package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.web.OnLimitModule;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * A module that acts on requests in a servlet container. It is registered as a bean.
 */
public interface ServletModule extends OnLimitModule {

	/**
	 * Whether the module may act on a request. Requests of pages that the application
	 * does not allow to send them are not accepted anyway.
	 * @param request the request
	 * @return whether it may; if not, its rules refuse the request as others do
	 */
	boolean accepts(HttpServletRequest request);

	/** What such a module does with one request. */
	interface ServletAction extends Action {

		/**
		 * Execute it.
		 * @param request the request
		 * @param response the response, not yet committed
		 * @param end what the action calls at its end: one of the methods, once
		 * @throws IOException if the client has left
		 */
		void execute(HttpServletRequest request, HttpServletResponse response, End end) throws IOException;

	}

	/** How an action ends. */
	interface End {

		/**
		 * The request is refused, as by any other rule.
		 * @param decided the decision of the rules
		 * @throws IOException if the response cannot be written
		 */
		void refuse(Decided decided) throws IOException;

		/**
		 * The module responds. The headers that report the decisions are set.
		 * @param decided the decision of the rules
		 * @return whether the response is still to be written
		 * @throws IOException if the response cannot be written
		 */
		boolean answer(Decided decided) throws IOException;

		/**
		 * The client has left, so nothing is written.
		 * @param decided the decision of the rules
		 */
		void leave(Decided decided);

	}

}
