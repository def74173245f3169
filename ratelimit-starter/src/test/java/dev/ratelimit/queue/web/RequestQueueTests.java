package dev.ratelimit.queue.web;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleApplication.Counts;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.queue.Backlog;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.OnLimitModule.Decided;
import dev.ratelimit.web.servlet.ServletModule;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * What becomes of a request for which a rule that enqueues has no permits.
 */
@ParameterizedClass
@EnumSource
class RequestQueueTests {

	@Parameter
	private Caller caller;

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final RecordingListener listener = new RecordingListener();

	private final RequestLimiter limiter = TestLimiter.over(this.store, this.clock).listener(this.listener).build();

	private final List<String> calls = new ArrayList<>();

	private final ItemQueue items = (ItemQueue) Proxy.newProxyInstance(ItemQueue.class.getClassLoader(),
			new Class<?>[] { ItemQueue.class }, (proxy, method, arguments) -> {
				this.calls.add(method.getName());
				return method.getName().equals("backlog") ? this.backlog : this.result;
			});

	private final RequestQueue queue = new RequestQueue(this.items, this.limiter, this.listener,
			new QueueAnswers("/queue"), () -> "id", () -> this.calls.add("wake"), this.clock::nanoTime);

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private final RecordingEnd end = new RecordingEnd();

	private Backlog backlog = Backlog.NONE;

	private EnqueueResult result = EnqueueResult.ENQUEUED;

	private RuleRequest ruleRequest = ruleRequest(rule());

	private static RLConfigBuilder rule() {
		return RLConfig.builder("orders")
			.algorithm(Algorithm.SLIDING_WINDOW_LOG)
			.thresholds("1/1m")
			.onLimit(Enqueue.DEFAULT);
	}

	private static RuleRequest ruleRequest(RLConfigBuilder rule) {
		CompiledRule compiled = CompiledRule.of(rule.build(), 64, false);
		return new RuleRequest(compiled, compiled.standard(), new Subject("s"), 1);
	}

	private Decided decide() {
		return this.caller
			.obtain(this.queue.decide(List.of(new Counts(this.ruleRequest, List.of("s"), Optional.empty())), "/orders",
					new WaitBudget(Duration.ofSeconds(1))));
	}

	private void execute(HttpServletRequest request) throws IOException {
		decide();
		((ServletModule.ServletAction) decide().action().orElseThrow()).execute(request, this.response, this.end);
	}

	private static MockHttpServletRequest post() {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
		request.setContent("{}".getBytes(StandardCharsets.UTF_8));
		return request;
	}

	@Test
	void aRuleIsTheQueuesIfItEnqueuesAndIsNotInShadow() {
		assertThat(this.queue.decides(this.ruleRequest)).isTrue();
		assertThat(this.queue.decides(ruleRequest(rule().shadow(true)))).isFalse();
		assertThat(this.queue.decides(ruleRequest(rule().onLimit(OnLimit.REJECT)))).isFalse();
	}

	@Test
	void aDecisionThatIsNotObtainedLooksAtNoQueue() {
		assertThat(this.queue.decide(List.of(new Counts(this.ruleRequest, List.of("s"), Optional.empty())), "/orders",
				new WaitBudget(Duration.ofSeconds(1))))
			.isNotNull();
		assertThat(this.calls).isEmpty();
	}

	@Test
	void aRequestWithoutPermitsIsEnqueuedAndThenCountsAsAdmitted() throws IOException {
		execute(post());
		assertThat(this.calls).containsExactly("backlog", "backlog", "enqueue", "wake");
		assertThat(this.end.answered).singleElement()
			.satisfies((decided) -> assertThat(decided.decision().isAdmitted()).isTrue());
		assertThat(this.response.getStatus()).isEqualTo(202);
		assertThat(this.listener.events()).containsExactly("orders ALLOWED by STORE", "orders ENQUEUED by STORE");
	}

	@Test
	void aRequestThatTheQueueHasNoRoomForIsRefused() throws IOException {
		this.result = EnqueueResult.SUBJECT_FULL;
		execute(post());
		assertThat(this.end.refused).singleElement()
			.satisfies((decided) -> assertThat(decided.decision().isAdmitted()).isFalse());
		assertThat(this.response.getHeader("Location")).isNull();
		assertThat(this.listener.events()).last().isEqualTo("orders REJECTED by STORE");
	}

	@Test
	void theClientOfARequestThatMayBeEnqueuedGetsItsPlaceAndARefusal() throws IOException {
		this.ruleRequest = ruleRequest(rule().onStoreFailure(OnStoreFailure.DENY));
		this.result = EnqueueResult.NO_REPLY;
		execute(post());
		assertThat(this.response.getHeader("Location")).isEqualTo("/queue/orders/id");
		assertThat(this.end.refused).singleElement()
			.satisfies((decided) -> assertThat(decided.decision().refusals())
				.containsExactly(new Unavailable("orders", Duration.ofSeconds(1))));
	}

	@Test
	void aClientThatLeavesWhileItsBodyIsReadIsCounted() {
		assertThatIOException().isThrownBy(() -> execute(new HttpServletRequestWrapper(post()) {

			@Override
			public ServletInputStream getInputStream() throws IOException {
				throw new IOException("of the test");
			}

		}));
		assertThat(this.end.left).hasSize(1);
		assertThat(this.end.answered).isEmpty();
		assertThat(this.listener.events()).last().isEqualTo("orders REJECTED by STORE");
	}

	@Test
	void aRequestBehindOthersIsEnqueuedOrRefusedWithoutACallOfTheStore() {
		this.backlog = Backlog.SOME;
		assertThat(decide().action()).isPresent();
		this.backlog = Backlog.NO_REPLY;
		assertThat(decide().action()).as("where the rule decides without the queue").isEmpty();
		this.ruleRequest = ruleRequest(rule().onStoreFailure(OnStoreFailure.DENY));
		Decided unknown = decide();
		assertThat(unknown.action()).as("where the queue is unknown").isEmpty();
		assertThat(unknown.decision().refusals()).containsExactly(new Unavailable("orders", Duration.ofSeconds(1)));
		assertThat(this.store.acquired()).as("calls of the store").hasSize(1);
	}

	/** How actions ended. */
	private static final class RecordingEnd implements ServletModule.End {

		private final List<Decided> refused = new ArrayList<>();

		private final List<Decided> answered = new ArrayList<>();

		private final List<Decided> left = new ArrayList<>();

		@Override
		public void refuse(Decided decided) {
			this.refused.add(decided);
		}

		@Override
		public boolean answer(Decided decided) {
			return this.answered.add(decided);
		}

		@Override
		public void leave(Decided decided) {
			this.left.add(decided);
		}

	}

}
