package dev.ratelimit.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.Caller;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * When a pending value begins, on which thread it goes on, and how often.
 */
@ParameterizedClass
@EnumSource
class PendingTests {

	@Parameter
	private Caller caller;

	private final List<String> steps = new ArrayList<>();

	/** A value of the wire: another thread completes it, but only hands over. */
	private final class OfTheWire extends Pending<String> {

		private final String value;

		private final CompletableFuture<String> arrived;

		OfTheWire(String value, CompletableFuture<String> arrived) {
			this.value = value;
			this.arrived = arrived;
		}

		@Override
		protected String doAwait() {
			PendingTests.this.steps.add("await " + this.value);
			return this.arrived.join();
		}

		@Override
		protected CompletionStage<String> doStart(Executor executor) {
			PendingTests.this.steps.add("start " + this.value);
			return this.arrived.thenApplyAsync((arrived) -> arrived, executor);
		}

	}

	private Pending<String> arrived(String value) {
		return new OfTheWire(value, CompletableFuture.completedFuture(value));
	}

	@Test
	void nothingHappensUntilAValueIsObtained() {
		Pending<String> made = Pending.defer(() -> {
			this.steps.add("first");
			return arrived("a");
		}).map((value) -> {
			this.steps.add("map");
			return value + value;
		}).flatMap((value) -> arrived(value + value));
		assertThat(this.steps).isEmpty();
		assertThat(this.caller.obtain(made)).isEqualTo("aaaa");
		assertThat(this.steps).hasSize(4).startsWith("first").contains("map");
	}

	@Test
	void aValueIsObtainedOnce() {
		for (Pending<?> pending : List.of(arrived("a"), Pending.defer(() -> arrived("a")),
				arrived("a").map(String::length), arrived("a").flatMap((value) -> arrived("b")),
				Pending.all(List.of(arrived("a"))))) {
			this.caller.obtain(pending);
			assertThatIllegalStateException().isThrownBy(pending::await);
			assertThatIllegalStateException().isThrownBy(() -> pending.start(Runnable::run));
		}
	}

	@Test
	void aKnownValueIsAConstant() {
		Pending<String> known = Pending.of("a");
		for (int i = 0; i < 3; i++) {
			assertThat(this.caller.obtain(known)).isEqualTo("a");
		}
		AtomicInteger calls = new AtomicInteger();
		Pending<String> mapped = known.map((value) -> value + calls.incrementAndGet());
		assertThat(calls).as("there is nothing to wait for").hasValue(1);
		assertThat(this.caller.obtain(mapped)).isEqualTo("a1");
	}

	@Test
	void ofSeveralValuesEachHasBegunBeforeTheFirstIsAwaited() {
		CompletableFuture<String> first = new CompletableFuture<>();
		Pending<List<String>> all = Pending.all(List.of(new OfTheWire("a", first), Pending.defer(() -> {
			first.complete("a");
			return arrived("b");
		}), Pending.of("c")));
		assertThat(this.steps).isEmpty();
		assertThat(this.caller.obtain(all)).containsExactly("a", "b", "c");
		assertThat(this.steps).containsExactly("start a", "start b");
	}

	@Test
	void whatFollowsSeveralValuesRunsOnTheThreadOfTheirCaller() throws InterruptedException {
		CompletableFuture<String> late = new CompletableFuture<>();
		Thread wire = new Thread(() -> late.complete("a"), "wire");
		List<Thread> threads = new ArrayList<>();
		Pending<String> first = new OfTheWire("a", late).map((value) -> {
			threads.add(Thread.currentThread());
			return value;
		});
		assertThat(this.caller.obtain(Pending.all(List.of(first, Pending.defer(() -> {
			wire.start();
			return Pending.of("b");
		}))))).containsExactly("a", "b");
		wire.join();
		assertThat(threads).containsExactly(Thread.currentThread());
	}

	@Test
	void whatFollowsAValueRunsThoughItsStageWasCancelled() {
		CompletableFuture<String> late = new CompletableFuture<>();
		CompletableFuture<String> stage = new OfTheWire("a", late).map((value) -> value + "b").flatMap((value) -> {
			this.steps.add("land " + value);
			return Pending.of(value);
		}).start(Runnable::run).toCompletableFuture();
		assertThat(stage.cancel(true)).isTrue();
		late.complete("a");
		assertThat(this.steps).containsExactly("start a", "land ab");
	}

	@Test
	void anInterruptedCallerOfSeveralValuesGetsThemAndStaysInterrupted() {
		Thread.currentThread().interrupt();
		List<String> values = Pending.all(List.of(arrived("a"), arrived("b"))).await();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(values).containsExactly("a", "b");
	}

	@Test
	void whatAStepThrowsReachesTheCaller() {
		Pending<String> broken = Pending.defer(() -> {
			throw new UnsupportedOperationException("of a test");
		});
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.caller.obtain(broken))
			.withMessage("of a test");
	}

}
