package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

import dev.ratelimit.store.Pending;

/**
 * Calls that a runner has not run yet.
 *
 * @param <T> the type of what their caller receives
 */
final class PendingScripts<T> extends Pending<T> {

	private final ScriptRunner runner;

	private final List<ScriptCall> calls;

	private final Duration maxWait;

	private final Function<List<ScriptCall>, T> reader;

	PendingScripts(ScriptRunner runner, List<ScriptCall> calls, Duration maxWait,
			Function<List<ScriptCall>, T> reader) {
		this.runner = runner;
		this.calls = calls;
		this.maxWait = maxWait;
		this.reader = reader;
	}

	@Override
	public T await() {
		this.runner.run(this.calls, this.maxWait);
		return this.reader.apply(this.calls);
	}

	@Override
	public CompletionStage<T> start(Executor executor) {
		CompletableFuture<List<ScriptCall>> ended = new CompletableFuture<>();
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
