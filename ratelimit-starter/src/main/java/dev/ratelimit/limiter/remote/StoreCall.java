package dev.ratelimit.limiter.remote;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.ratelimit.limiter.remote.StoreListener.CallResult;
import dev.ratelimit.limiter.remote.StoreTracer.Operation;
import dev.ratelimit.store.Pending;

/**
 * A call of the store. Whatever the store does against its contract, each request has a
 * result and the call ends, once. Tested by {@code RemoteStoreListenerTests}.
 *
 * @param <R> the type of the result of one request
 */
abstract class StoreCall<R> extends Pending<List<R>> {

	private final CallObserver observer;

	StoreCall(CallObserver observer) {
		this.observer = observer;
	}

	abstract Operation operation();

	/** The result of each request if the store breaks its contract. */
	abstract R failure();

	abstract Pending<List<R>> call();

	/** The number of requests. */
	abstract int size();

	abstract CallResult outcome(List<R> results);

	/** The results of the call, as its caller receives them. */
	List<R> ended(List<R> results) {
		return results;
	}

	@Override
	public final List<R> await() {
		StoreTracer.Call traced = this.observer.begin(operation());
		long start = this.observer.nowNanos();
		List<R> results;
		try {
			results = checked(call().await());
		}
		catch (Throwable ex) {
			results = threw(ex);
		}
		return end(results, traced, start);
	}

	@Override
	public final CompletionStage<List<R>> start(Executor executor) {
		StoreTracer.Call traced = this.observer.begin(operation());
		long start = this.observer.nowNanos();
		CompletionStage<List<R>> results;
		try {
			results = call().start(executor).thenApply(this::checked);
		}
		catch (Throwable ex) {
			results = CompletableFuture.failedStage(ex);
		}
		return results.exceptionally(this::threw).thenApply((done) -> end(done, traced, start));
	}

	private List<R> checked(List<R> results) {
		if (results.size() != size()) {
			this.observer.logBreach("returned %d results for %d requests".formatted(results.size(), size()), null);
			return Collections.nCopies(size(), failure());
		}
		for (int i = 0; i < results.size(); i++) {
			Objects.requireNonNull(results.get(i));
		}
		return results;
	}

	private List<R> threw(Throwable ex) {
		Throwable cause = (ex instanceof CompletionException && ex.getCause() != null) ? ex.getCause() : ex;
		this.observer.logBreach("threw " + cause.getClass().getName(), cause);
		return Collections.nCopies(size(), failure());
	}

	private List<R> end(List<R> results, StoreTracer.Call traced, long start) {
		// Whatever a listener throws, the call ends for breakers and observers.
		try {
			return ended(results);
		}
		finally {
			this.observer.end(traced, outcome(results), start);
		}
	}

}
