package dev.ratelimit.integration.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimitExempt;
import dev.ratelimit.RateLimited;

import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Beans whose methods are limited, and controllers that call them.
 */
final class AnnotatedBeans {

	private AnnotatedBeans() {
	}

	record Message(String to, boolean risky, int parts) {
	}

	static class Messages {

		private final AtomicInteger sent = new AtomicInteger();

		AtomicInteger sent() {
			return this.sent;
		}

		@RateLimited("sms")
		public void sms(String phone, String text) {
			this.sent.incrementAndGet();
		}

		@RateLimited(value = "customer", key = "#message.to", cost = "2")
		public void mail(Message message) {
		}

		@RateLimited(thresholds = "1/1d", key = "#message.to", when = "#message.risky")
		public void risky(Message message) {
		}

		@RateLimited(thresholds = "5/10m", cost = "#texts.size()", fallbackMethod = "refuse")
		public String bulk(List<String> texts) {
			return "sent " + texts.size();
		}

		String refuse(List<String> texts, RateLimitExceededException refusal) {
			return "refused " + texts.size() + " by " + refusal.refusals().get(0).rule();
		}

		@RateLimited(thresholds = "1/10m")
		public void keyless() {
		}

		@RateLimited("tries")
		public void attempt(boolean succeeds) {
			if (!succeeds) {
				throw new IllegalStateException();
			}
		}

		@Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
		@RateLimited(thresholds = "1/10m")
		public void scheduled() {
		}

		@RateLimited("insisting")
		public void insisting(String name) {
		}

		@RateLimited(thresholds = "2/10m", key = "principal")
		public void own() {
		}

		@RateLimited(thresholds = "2/10m", key = "claim:tenant")
		public void ofTenant() {
		}

		@RateLimited("skipping")
		public void unlimited() {
		}

		@Async
		@RateLimited(thresholds = "1/10m")
		public CompletableFuture<String> later() {
			return CompletableFuture.completedFuture("done");
		}

	}

	interface Gateway {

		@RateLimited(thresholds = "1/10m", key = "arg:account")
		void pay(String account);

	}

	/** As of a repository: a proxy that implements it, before an object that does not. */
	interface Repository {

		@RateLimited(thresholds = "1/10m", key = "arg:tenant")
		String find(String tenant);

	}

	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited(value = "costly", thresholds = "1/10m")
	@interface Costly {

	}

	@RateLimited(thresholds = "3/10m")
	static class Ledger {

		@Costly
		public void costly() {
		}

		public void cheap() {
		}

		@RateLimitExempt
		public void free() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableScheduling
	static class Beans {

		@Bean
		Messages messages() {
			return new Messages();
		}

		@Bean
		Ledger ledger() {
			return new Ledger();
		}

		/** Its class is final, so that only the interface can be proxied. */
		@Bean
		Gateway gateway() {
			return (account) -> {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Repositories {

		@Bean
		Repository repository() {
			ProxyFactory factory = new ProxyFactory();
			factory.setTarget(new Object());
			factory.setInterfaces(Repository.class);
			factory.addAdvice((MethodInterceptor) (invocation) -> "found");
			return (Repository) factory.getProxy();
		}

	}

	@RestController
	static class Web {

		@Autowired
		Messages messages;

		@GetMapping("/send")
		String send() {
			this.messages.keyless();
			return "sent";
		}

		@GetMapping("/customers/{id}")
		void customer(@PathVariable String id) {
		}

	}

	@RestController
	static class Handling {

		@Autowired
		Messages messages;

		@GetMapping("/handled")
		String send() {
			this.messages.keyless();
			return "sent";
		}

		@ExceptionHandler
		String handle(RateLimitExceededException exception) {
			return "handled " + exception.getMessage();
		}

	}

}
