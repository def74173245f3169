package dev.ratelimit.integration.delay;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimited;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RuleRequest;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.multipart.MultipartFile;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose requests are delayed, and which records when they are handled.
 */
@Configuration(proxyBeanMethods = false)
class DelayApp {

	@Bean
	Turns turns() {
		return new Turns();
	}

	@Bean
	Behind behind() {
		return new Behind();
	}

	@Bean
	FilterRegistrationBean<Filter> requestsOnly(Behind behind) {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
				(request, response, chain) -> behind.pass("plain", request, response, chain));
		registration.setOrder(5);
		return registration;
	}

	@Bean
	FilterRegistrationBean<Behind> once(Behind behind) {
		FilterRegistrationBean<Behind> registration = new FilterRegistrationBean<>(behind);
		registration.setOrder(6);
		return registration;
	}

	@Bean
	ServletRegistrationBean<Raw> raw() {
		return new ServletRegistrationBean<>(new Raw(), "/raw/*");
	}

	/** Records every decision and every release of a rule. */
	static final class Turns implements DecisionListener {

		private final Semaphore decisions = new Semaphore(0);

		final Queue<String> outcomes = new ConcurrentLinkedQueue<>();

		@Override
		public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
			this.outcomes.add(decision.rule() + " " + outcome);
			this.decisions.release();
		}

		@Override
		public void undecided(String rule, Outcome outcome) {
		}

		@Override
		public void late(String rule) {
		}

		@Override
		public void released(String rule, boolean acknowledged) {
			this.outcomes.add(rule + " released");
		}

		void await(int count) throws InterruptedException {
			assertThat(this.decisions.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
		}

	}

	/** Counts the requests that pass it. */
	static final class Behind extends OncePerRequestFilter {

		final Map<String, AtomicInteger> passed = new ConcurrentHashMap<>();

		void pass(String name, ServletRequest request, ServletResponse response, FilterChain chain)
				throws IOException, ServletException {
			this.passed.computeIfAbsent(name, (key) -> new AtomicInteger()).incrementAndGet();
			if (name.equals("plain") && ((HttpServletRequest) request).getHeader("Answer") != null) {
				response.getWriter().write("answered by a filter");
				return;
			}
			chain.doFilter(request, response);
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			pass("once", request, response, chain);
		}

	}

	/** A servlet that is not MVC's. */
	static final class Raw extends HttpServlet {

		private static final long serialVersionUID = 1L;

		@Override
		protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
			response.getWriter().write("raw by " + Thread.currentThread().getName());
		}

	}

	@RestController
	static class Handlers {

		/** When requests were handled, by their names. */
		final Map<String, Long> micros = new ConcurrentHashMap<>();

		@GetMapping("/slow/{name}")
		String slow(@PathVariable String name, HttpServletRequest request) {
			this.micros.put(name, SharedCluster.micros());
			return request.getDispatcherType() + " " + request.getRemoteUser();
		}

		@PostMapping("/slow/{name}")
		String upload(@RequestParam("file") MultipartFile file) throws IOException {
			return new String(file.getBytes(), StandardCharsets.UTF_8);
		}

		@GetMapping("/later")
		Callable<String> later() {
			return () -> "later";
		}

		@GetMapping("/named")
		@RateLimited("named")
		String named(HttpServletRequest request) {
			return request.getDispatcherType().toString();
		}

		@GetMapping("/free")
		String free() {
			return "free";
		}

		@GetMapping("/page")
		void page(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			response.getWriter().write("page");
			request.getRequestDispatcher("/slow/included").include(request, response);
		}

		@GetMapping("/outer")
		void outer(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			request.getRequestDispatcher("/slow/forwarded").forward(request, response);
		}

	}

}
