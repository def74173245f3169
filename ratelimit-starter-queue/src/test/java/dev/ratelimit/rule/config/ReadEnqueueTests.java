package dev.ratelimit.rule.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How requests over the limit of a rule are enqueued, as set by the rule or by the
 * defaults.
 */
class ReadEnqueueTests {

	@Test
	void queuesAreReadWithTheirBounds() {
		assertThat(
				read("""
						ratelimit.rules:
						  auto: {on-limit: enqueue, thresholds: 5/1m}
						  all:
						    on-limit: enqueue
						    max-queue: 7
						    enqueue: {headers: 'Content-Type, X-Tenant', max-body: 1MB, max-total: 70, max-bytes: 1GB, max-age: 2h}
						    algorithm: token-bucket
						    thresholds: 5/1m
						  list:
						    on-limit: enqueue
						    enqueue.headers: [X-A, x-a, X-B]
						    enqueue.max-body: 0B
						    thresholds: 5/1m
						"""))
			.extracting((rule) -> rule.enforcement().onLimit())
			.containsExactly(Enqueue.DEFAULT,
					new Enqueue(List.of("content-type", "x-tenant"), 1024 * 1024, 7, 70, 1 << 30, Duration.ofHours(2)),
					new Enqueue(List.of("x-a", "x-b"), 0, 100, 10_000, 16 << 20, Duration.ofDays(1)));
	}

	@Test
	void environmentVariablesSetTheKeysOfAQueue() {
		assertThat(new TestSources().andYaml("ratelimit.rules.a: {on-limit: enqueue, thresholds: 5/1m}")
			.andVariables(Map.of("RATELIMIT_RULES_A_ENQUEUE_MAX_BODY", "2KB"))
			.read()
			.rules()
			.rules()).singleElement()
			.satisfies((rule) -> assertThat(((Enqueue) rule.enforcement().onLimit()).maxBodyBytes()).isEqualTo(2048));
	}

	@Test
	void aDefaultIsUsedIfItFitsTheRule() {
		assertThat(read("""
				ratelimit:
				  defaults: {on-limit: enqueue, enqueue.max-age: 1h}
				  rules:
				    behind: {thresholds: 5/1m}
				    before: {stage: before-security, thresholds: 5/1m}
				    delayed: {on-limit: delay, thresholds: 5/1m}
				""")).extracting((rule) -> rule.enforcement().onLimit().kind())
			.containsExactly(Enqueue.EnqueueKind.ENQUEUE, OnLimit.OnLimitKind.REJECT, OnLimit.OnLimitKind.DELAY);
	}

	/** Such as one of the common pool, in a jar of jars. */
	@Test
	void aThreadWhoseClassLoaderSeesNoModuleKnowsThemAllTheSame() {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
		try {
			assertThat(read("ratelimit.rules.a: {on-limit: enqueue, thresholds: 5/1m}")).hasSize(1);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private static List<RLConfig> read(String yaml) {
		return TestSources.yaml(yaml).read().rules().rules();
	}

}
