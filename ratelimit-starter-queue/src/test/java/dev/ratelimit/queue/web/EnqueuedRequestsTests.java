package dev.ratelimit.queue.web;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.spi.LaterHandler.Declined;
import dev.ratelimit.spi.LaterHandler.LaterRequest;
import dev.ratelimit.spi.LaterHandler.NotTaken;
import dev.ratelimit.spi.LaterHandler.Taken;
import dev.ratelimit.spi.LaterHandler.Taking;
import dev.ratelimit.spi.LaterHandler.Unconfirmed;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.WaitBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/**
 * What becomes of a request that a rule with {@code on-limit: enqueue} has no permits
 * for.
 */
class EnqueuedRequestsTests {

	private static final Duration DEADLINE = Duration.ofMillis(250);

	private static final LaterRequest LATER = new LaterRequest(
			RLConfig.builder("orders").thresholds("1/1m").onLimit(Enqueue.DEFAULT).build(), new Subject("s"),
			Optional.empty(), 1, "/orders");

	private final MovableClock clock = new MovableClock();

	private final List<String> calls = new ArrayList<>();

	private final ItemQueue items = (ItemQueue) Proxy.newProxyInstance(ItemQueue.class.getClassLoader(),
			new Class<?>[] { ItemQueue.class }, (proxy, method, arguments) -> {
				this.calls.add(method.getName());
				this.clock.advance(Duration.ofSeconds(1));
				return this.result;
			});

	private final EnqueuedRequests requests = new EnqueuedRequests(this.items, new QueueAnswers("/queue"), () -> "id",
			() -> this.calls.add("wake"), this.clock::nanoTime);

	private final WaitBudget budget = new WaitBudget(DEADLINE);

	private EnqueueResult result = EnqueueResult.ENQUEUED;

	private Taking take(String body) throws IOException {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/app/orders");
		request.setContextPath("/app");
		request.setContent(body.getBytes(StandardCharsets.UTF_8));
		return this.requests.take(LATER, request, this.budget);
	}

	@Test
	void anEnqueuedRequestIsAcceptedWithThePlaceOfItsState() throws IOException {
		assertThat(take("{}")).asInstanceOf(type(Taken.class)).satisfies((taken) -> {
			assertThat(taken.location()).isEqualTo("/app/queue/orders/id");
			assertThat(taken.answer().status()).isEqualTo(202);
			assertThat(taken.answer().body())
				.isEqualTo("{\"id\":\"id\",\"rule\":\"orders\",\"state\":\"queued\",\"attempts\":0}");
		});
		assertThat(this.calls).containsExactly("enqueue", "wake");
		assertThat(this.budget.left()).as("the store has used it up").isZero();
	}

	@ParameterizedTest
	@EnumSource(names = { "SUBJECT_FULL", "RULE_FULL" })
	void aFullQueueTakesNothing(EnqueueResult full) throws IOException {
		this.result = full;
		assertThat(take("{}")).isInstanceOf(NotTaken.class);
		assertThat(this.calls).containsExactly("enqueue");
	}

	@Test
	void aRequestThatMayBeEnqueuedHasAPlace() throws IOException {
		this.result = EnqueueResult.NO_REPLY;
		assertThat(take("{}")).isEqualTo(new Unconfirmed("/app/queue/orders/id"));
	}

	@Test
	void theStoreIsNotCalledWithoutTime() throws IOException {
		this.budget.spend(DEADLINE.toNanos());
		assertThat(take("{}")).isInstanceOf(Unconfirmed.class);
		assertThat(this.calls).isEmpty();
	}

	@Test
	void aBodyThatIsTooLargeIsNotStored() throws IOException {
		assertThat(take("x".repeat(64 * 1024 + 1))).asInstanceOf(type(Declined.class))
			.satisfies((declined) -> assertThat(declined.answer().status()).isEqualTo(413));
		assertThat(this.calls).isEmpty();
	}

}
