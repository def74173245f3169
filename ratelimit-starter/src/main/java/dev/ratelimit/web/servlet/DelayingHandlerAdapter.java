package dev.ratelimit.web.servlet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.web.RateLimitContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.ModelAndView;

/**
 * Supports no handler until a rule is in force that delays requests. From then on, calls
 * every handler by the adapter that MVC would have chosen without this one. A request
 * whose turn is still to come waits instead, as if the handler had returned an
 * asynchronous result. So all interceptors see what they know from such handlers. Tested
 * by {@code DelayAtHandlersHttpTests}.
 */
final class DelayingHandlerAdapter implements HandlerAdapter, Ordered {

	private final ActionExecutor executor;

	private final ApplicationContext context;

	/** The adapters of each servlet's context, found with its first request. */
	private final Map<ApplicationContext, List<HandlerAdapter>> others = new ConcurrentHashMap<>();

	DelayingHandlerAdapter(ActionExecutor executor, ApplicationContext context) {
		this.executor = executor;
		this.context = context;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public boolean supports(Object handler) {
		return this.executor.mayDelay() && find(this.context, handler) != null;
	}

	@Override
	public @Nullable ModelAndView handle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws Exception {
		RateLimitContext state = StoredContext.find(request).orElse(null);
		if (state != null && state.needs().delay()
				&& this.executor.waitAtHandler(state, request, response) != RequestStep.GOES_ON) {
			return null;
		}
		HandlerAdapter adapter = find(context(request), handler);
		if (adapter == null) {
			throw new ServletException("No adapter for handler [" + handler + "]");
		}
		return adapter.handle(request, response, handler);
	}

	private ApplicationContext context(HttpServletRequest request) {
		return (request
			.getAttribute(DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE) instanceof ApplicationContext own) ? own
					: this.context;
	}

	private @Nullable HandlerAdapter find(ApplicationContext context, Object handler) {
		for (HandlerAdapter adapter : this.others.computeIfAbsent(context, DelayingHandlerAdapter::others)) {
			if (adapter.supports(handler)) {
				return adapter;
			}
		}
		return null;
	}

	/** Found and sorted as the servlet does. */
	private static List<HandlerAdapter> others(ApplicationContext context) {
		List<HandlerAdapter> adapters = new ArrayList<>(
				BeanFactoryUtils.beansOfTypeIncludingAncestors(context, HandlerAdapter.class, true, false).values());
		adapters.removeIf((adapter) -> adapter instanceof DelayingHandlerAdapter);
		AnnotationAwareOrderComparator.sort(adapters);
		return List.copyOf(adapters);
	}

}
