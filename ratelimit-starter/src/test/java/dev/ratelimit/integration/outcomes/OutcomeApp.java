package dev.ratelimit.integration.outcomes;

import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Payments with the outcome that the path names, in all the ways a handler can end, under
 * one rule {@code payments} that is configured in {@code test.*}.
 */
@Configuration(proxyBeanMethods = false)
class OutcomeApp {

	@Bean
	RuleSource ruleSource(Environment environment) {
		return () -> new RuleSet(List.of(RLConfig.builder("payments")
			.paths("/payments/**")
			.key(environment.getProperty("test.key", "global"))
			.algorithm(Algorithm.valueOf(environment.getProperty("test.algorithm", "SLIDING_WINDOW_LOG")))
			.thresholds(environment.getRequiredProperty("test.thresholds").split(", ", -1))
			.cost(environment.getProperty("test.cost", "1"))
			.countOn(environment.getProperty("test.count-on", "failure"))
			.build()));
	}

	@RestController
	@RequestMapping("/payments")
	static class Payments {

		final AtomicInteger handled = new AtomicInteger();

		final Semaphore arrived = new Semaphore(0);

		final Semaphore mayGo = new Semaphore(0);

		private ResponseEntity<String> answer(int status) {
			this.handled.incrementAndGet();
			return ResponseEntity.status(status).body("x");
		}

		/** Blocks until the test releases {@code mayGo}. */
		private void await() {
			this.arrived.release();
			this.mayGo.acquireUninterruptibly();
		}

		@RequestMapping("/answer/{status}")
		ResponseEntity<String> plain(@PathVariable int status) {
			return answer(status);
		}

		@RequestMapping("/wait/{status}")
		ResponseEntity<String> waiting(@PathVariable int status) {
			await();
			return answer(status);
		}

		@RequestMapping("/accounts")
		List<String> accounts() {
			this.handled.incrementAndGet();
			return List.of("x");
		}

		@RequestMapping(path = "/accounts-in-json", produces = "application/json")
		List<String> accountsInJson() {
			return accounts();
		}

		/** As MVC does for reactive results. */
		@RequestMapping("/reactive")
		void reactive(@RequestHeader(defaultValue = "json") String accept) throws HttpMediaTypeNotAcceptableException {
			this.handled.incrementAndGet();
			if ("x".equals(accept)) {
				throw new HttpMediaTypeNotAcceptableException("x");
			}
		}

		@RequestMapping("/view")
		ModelAndView view() {
			this.handled.incrementAndGet();
			return new ModelAndView((model, request, response) -> {
				throw new UnsupportedEncodingException("of the client");
			});
		}

		@RequestMapping("/view-of-another/500")
		ModelAndView viewOfAnother() {
			return new ModelAndView("forward:/payments/throw/500");
		}

		@RequestMapping("/sets-then-throws/500")
		void setThenThrow(HttpServletResponse response) {
			response.setStatus(HttpStatus.CREATED.value());
			throw new IllegalStateException("The bank is closed");
		}

		@RequestMapping("/not-valid")
		void notValid(@RequestParam int amount) {
			this.handled.incrementAndGet();
		}

		@RequestMapping("/text")
		String text() {
			this.handled.incrementAndGet();
			return "x";
		}

		@RequestMapping("/modified")
		ResponseEntity<String> modified() {
			this.handled.incrementAndGet();
			return ResponseEntity.ok().lastModified(Instant.parse("2025-06-01T00:00:00Z")).body("x");
		}

		@RequestMapping("/statement")
		Resource statement() {
			this.handled.incrementAndGet();
			return new ByteArrayResource(new byte[100]);
		}

		@RequestMapping("/send-error/{status}")
		void sendError(@PathVariable int status, HttpServletResponse response) throws IOException {
			response.sendError(status);
		}

		@RequestMapping("/redirect/302")
		void redirect(HttpServletResponse response) throws IOException {
			response.sendRedirect("/elsewhere");
		}

		@RequestMapping("/throw/500")
		void fail() {
			throw new IllegalStateException("The bank is closed");
		}

		@RequestMapping("/throw/409")
		void conflict() {
			throw new Conflict();
		}

		@RequestMapping("/callable/{status}")
		Callable<ResponseEntity<String>> callable(@PathVariable int status) {
			return () -> answer(status);
		}

		@RequestMapping("/callable-without-body/402")
		@ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
		Callable<Void> callableWithoutBody() {
			return () -> null;
		}

		@RequestMapping("/callable-throws/500")
		Callable<String> callableFails() {
			return () -> {
				throw new IllegalStateException("The bank is closed");
			};
		}

		@RequestMapping("/callable-waits/{status}")
		Callable<ResponseEntity<String>> callableWaits(@PathVariable int status) {
			return () -> {
				await();
				if (status == 500) {
					throw new IllegalStateException("The bank is closed");
				}
				return answer(status);
			};
		}

		@RequestMapping("/deferred/{status}")
		DeferredResult<ResponseEntity<String>> deferred(@PathVariable int status) {
			DeferredResult<ResponseEntity<String>> result = new DeferredResult<>();
			new Thread(() -> result.setResult(answer(status))).start();
			return result;
		}

		@RequestMapping("/deferred-error/500")
		DeferredResult<String> deferredError() {
			DeferredResult<String> result = new DeferredResult<>();
			new Thread(() -> result.setErrorResult(new IllegalStateException("The bank is closed"))).start();
			return result;
		}

		@RequestMapping("/deferred-timeout/503")
		DeferredResult<String> deferredTimeout() {
			return new DeferredResult<>(10L);
		}

		@RequestMapping("/streaming/{status}")
		ResponseEntity<StreamingResponseBody> streaming(@PathVariable int status) {
			return ResponseEntity.status(status)
				.body((stream) -> stream.write("x".repeat(20_000).getBytes(StandardCharsets.US_ASCII)));
		}

		@RequestMapping("/events/200")
		SseEmitter events() throws IOException {
			SseEmitter emitter = new SseEmitter();
			emitter.send("one");
			new Thread(() -> {
				await();
				emitter.complete();
			}).start();
			return emitter;
		}

		@RequestMapping("/flush-then-throw/200")
		void flushThenThrow(HttpServletResponse response) throws IOException {
			response.flushBuffer();
			throw new IllegalStateException("Too late");
		}

		@RequestMapping("/flush-then-wait/{status}")
		void flushThenWait(@PathVariable int status, @RequestParam String by, HttpServletResponse response)
				throws IOException {
			response.setStatus(status);
			switch (by) {
				case "response" -> response.flushBuffer();
				case "stream" -> response.getOutputStream().flush();
				case "writer" -> response.getWriter().flush();
				case "close" -> response.getOutputStream().close();
				case "closed-writer" -> response.getWriter().close();
				default -> throw new IllegalArgumentException(by);
			}
			await();
		}

		/** Writes {@code count} characters, flushes nothing, and fails. */
		@RequestMapping("/write-then-throw")
		void writeThenThrow(@RequestParam int count, @RequestParam String charset, HttpServletResponse response)
				throws IOException {
			response.setCharacterEncoding(charset);
			for (int i = 0; i < count; i++) {
				response.getWriter().print("\u20ac");
			}
			throw new IllegalStateException("The bank is closed");
		}

		@RequestMapping("/write-bytes-then-throw")
		void writeBytesThenThrow(@RequestParam int count, @RequestParam int chunk,
				@RequestParam(defaultValue = "false") boolean declared, HttpServletResponse response)
				throws IOException {
			if (declared) {
				response.setContentLength(count);
			}
			for (int i = 0; i < count; i += chunk) {
				response.getOutputStream().write(new byte[Math.min(chunk, count - i)]);
			}
			throw new IllegalStateException("The bank is closed");
		}

		/** Writes all declared bytes, which sends them, before the handler ends. */
		@RequestMapping("/declared/{how}/200")
		void declared(@PathVariable String how, HttpServletResponse response) throws IOException {
			switch (how) {
				case "length" -> response.setContentLength(10);
				case "long" -> response.setContentLengthLong(10);
				case "header" -> response.setHeader("Content-Length", "10");
				case "added-header" -> response.addHeader("content-length", "10");
				case "int-header" -> response.setIntHeader("Content-Length", 10);
				default -> throw new IllegalArgumentException(how);
			}
			response.getOutputStream().write(new byte[10]);
		}

		@RequestMapping("/reset-then-write/402")
		void resetThenWrite(HttpServletResponse response) throws IOException {
			response.getOutputStream().write(new byte[6000]);
			response.reset();
			response.getOutputStream().write(new byte[6000]);
			response.setStatus(402);
		}

		@RequestMapping("/large/{bytes}")
		byte[] large(@PathVariable int bytes) {
			return new byte[bytes];
		}

		@RequestMapping("/endless/200")
		void endless(HttpServletResponse response) throws IOException {
			byte[] some = new byte[10_000];
			try {
				while (true) {
					response.getOutputStream().write(some);
				}
			}
			finally {
				this.arrived.release();
			}
		}

		/** Asynchronous work as a servlet would do it, never dispatched. */
		@RequestMapping("/complete/{status}")
		void complete(@PathVariable int status, HttpServletRequest request, HttpServletResponse response) {
			AsyncContext work = request.startAsync(request, response);
			work.start(() -> {
				response.setStatus(status);
				work.complete();
			});
		}

		@RequestMapping("/complete-unwrapped/{status}")
		void completeUnwrapped(@PathVariable int status, HttpServletRequest request) {
			AsyncContext work = request.startAsync();
			work.start(() -> {
				((HttpServletResponse) work.getResponse()).setStatus(status);
				work.complete();
			});
		}

		@RequestMapping("/never-complete/500")
		void neverComplete(HttpServletRequest request, HttpServletResponse response) {
			request.startAsync(request, response).setTimeout(10);
		}

		@RequestMapping("/rounds/{status}")
		void rounds(@PathVariable int status, HttpServletRequest request, HttpServletResponse response) {
			int round = (request.getAttribute("round") instanceof Integer last) ? last + 1 : 1;
			request.setAttribute("round", round);
			if (round < 3) {
				request.startAsync(request, response).dispatch();
			}
			else {
				this.handled.incrementAndGet();
				response.setStatus(status);
			}
		}

	}

	@ResponseStatus(HttpStatus.CONFLICT)
	static class Conflict extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
