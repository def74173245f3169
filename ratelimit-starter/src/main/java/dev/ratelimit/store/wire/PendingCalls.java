package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

import dev.ratelimit.support.Pending;

/**
 * Calls that a runner has not run yet. Tested by {@code CompletionTests}.
 *
 * @param <C> the type of the calls
 * @param <T> the type of what their caller receives
 */
final class PendingCalls<C extends NodeCall, T> extends Pending<T> {

	private final CallRunner runner;

	private final List<C> calls;

	private final Duration maxWait;

	private final Function<List<C>, T> reader;

	PendingCalls(CallRunner runner, List<C> calls, Duration maxWait, Function<List<C>, T> reader) {
		this.runner = runner;
		this.calls = calls;
		this.maxWait = maxWait;
		this.reader = reader;
	}

	@Override
	protected T doAwait() {
		this.runner.run(this.calls, this.maxWait);
		return this.reader.apply(this.calls);
	}

	@Override
	protected CompletionStage<T> doStart(Executor executor) {
		CompletableFuture<List<C>> ended = new CompletableFuture<>();
		this.runner.start(this.calls, this.maxWait, () -> {
			try {
				executor.execute(() -> ended.complete(this.calls));
			}
			catch (Throwable ex) {
				// It is shut down or full, but the request still has to end, and not on
				// this thread, which serves others.
				ended.completeAsync(() -> this.calls);
			}
		});
		return ended.thenApply(this.reader);
	}

}
