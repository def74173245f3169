package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Waiter;
import dev.ratelimit.web.ActuatorPaths;
import dev.ratelimit.web.HandlerRoutes;
import dev.ratelimit.web.LaterDecider;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RequestDecider;
import dev.ratelimit.web.RouteTable;
import dev.ratelimit.web.Routes;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.servlet.outcome.OutcomeResponse;
import dev.ratelimit.web.servlet.outcome.RefusedAuthentications;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.util.WebUtils;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * A servlet behind the real filters, limiter and memory store, on a clock that a test
 * moves: one filter before the application's authentication and one behind it. A request
 * authenticates by the header {@code User}.
 */
final class LimitedApp {

	final MovableClock clock = new MovableClock();

	final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	final RecordingListener listener = new RecordingListener();

	/** A wait moves the clock. */
	private final Waiter waiter = new Waiter(this.clock::nanoTime,
			(nanos) -> this.clock.advanceMicros(nanos / 1000 + 1));

	int reached;

	/** The status of the application's responses. */
	int status = HttpServletResponse.SC_OK;

	/** Whether the application wrote to a response that reports its outcome. */
	boolean watched;

	private final Filter[] filters;

	LimitedApp(RLConfig... rules) {
		this(List.of(), Beans.NONE, Optional.empty(), rules);
	}

	LimitedApp(Beans beans, RLConfig... rules) {
		this(List.of(), beans, Optional.empty(), rules);
	}

	LimitedApp(List<String> exemptAddresses, RLConfig... rules) {
		this(exemptAddresses, Beans.NONE, Optional.empty(), rules);
	}

	LimitedApp(LaterHandler later, RLConfig... rules) {
		this(List.of(), Beans.NONE, Optional.of(later), rules);
	}

	private LimitedApp(List<String> exemptAddresses, Beans beans, Optional<LaterHandler> later, RLConfig... rules) {
		SubjectEncoder subjects = new SubjectEncoder(64, "");
		RouteTable table = new RouteTable(new CompiledRules(new RuleSet(List.of(rules)), 64, NamedRules.NONE),
				(id) -> false, new PathPatternParser(), List.of(), ActuatorPaths.NONE, beans, subjects,
				this.clock::nanoTime);
		Routes routes = new Routes(table, new HandlerRoutes(beans, subjects, this.clock::nanoTime));
		RequestLimiter limiter = TestLimiter.over(this.store, this.clock).listener(this.listener).build();
		this.filters = new Filter[] { filter(true, routes, limiter, exemptAddresses, later), this::authenticate,
				filter(false, routes, limiter, exemptAddresses, later) };
	}

	private RateLimitFilter filter(boolean beforeSecurity, Routes routes, RequestLimiter limiter,
			List<String> exemptAddresses, Optional<LaterHandler> later) {
		RequestDecider decider = new RequestDecider(limiter,
				exemptAddresses.stream().map((range) -> IpRange.parse("exempt.addresses", range)).toList(),
				this.listener, this.clock::nanoTime,
				later.map((handler) -> new LaterDecider(limiter, handler, this.listener, this.clock::nanoTime)));
		return new RateLimitFilter(beforeSecurity, () -> routes,
				new ActionExecutor(decider, new ClientAddresses(List.of(), false),
						new RateLimitHeaders(true, true, false, this.clock),
						new CorsRejectionHandler(new ProblemRejectionHandler((id) -> Optional.empty()),
								(request) -> null, (request) -> Optional.empty()),
						new DelayedRequests(this.waiter, this.listener), later));
	}

	private void authenticate(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		String user = ((HttpServletRequest) request).getHeader("User");
		if ("forged".equals(user)) {
			((HttpServletResponse) response).setStatus(401);
			return;
		}
		if ("unknown".equals(user)) {
			RefusedAuthentications.refused();
		}
		chain.doFilter(new HttpServletRequestWrapper((HttpServletRequest) request) {

			@Override
			public Principal getUserPrincipal() {
				return (user != null) ? () -> user : super.getUserPrincipal();
			}

		}, response);
	}

	MockHttpServletResponse get(String path, String... headers) {
		return send("GET", path, headers);
	}

	/** Send a request; headers are names and values in turn. */
	MockHttpServletResponse send(String method, String path, String... headers) {
		MockHttpServletRequest request = new MockHttpServletRequest(method, path);
		for (int i = 0; i < headers.length; i += 2) {
			request.addHeader(headers[i], headers[i + 1]);
		}
		return send(request);
	}

	MockHttpServletResponse send(MockHttpServletRequest request) {
		MockHttpServletResponse response = new MockHttpServletResponse();
		try {
			new MockFilterChain(new Handler(), this.filters).doFilter(request, response);
		}
		catch (IOException | ServletException ex) {
			throw new AssertionError(ex);
		}
		return response;
	}

	/** The application: it answers every request, and applies CORS as MVC does. */
	private final class Handler extends HttpServlet {

		private static final long serialVersionUID = 1L;

		@Override
		public void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
			LimitedApp.this.reached++;
			LimitedApp.this.watched = WebUtils.getNativeResponse(response, OutcomeResponse.class) != null;
			response.setStatus(LimitedApp.this.status);
			CorsConfiguration configuration = new CorsConfiguration();
			configuration.setAllowedOrigins(List.of("https://a.example"));
			configuration.setAllowedMethods(List.of("*"));
			configuration.setExposedHeaders(List.of("X-Own"));
			if (CorsUtils.isCorsRequest(request) && !CorsUtils.isPreFlightRequest(request)) {
				new DefaultCorsProcessor().processRequest(configuration, request, response);
			}
		}

	}

}
