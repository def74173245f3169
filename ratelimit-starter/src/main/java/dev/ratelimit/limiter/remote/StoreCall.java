package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;

import dev.ratelimit.limiter.health.StoreListener.Call;
import dev.ratelimit.limiter.health.StoreListener.CallResult;
import dev.ratelimit.limiter.health.StoreListener.Operation;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;
import org.jspecify.annotations.Nullable;

/**
 * A call of the store. Whatever the store does against its contract, each request has a
 * result and the call ends, once. Tested by {@code RemoteStoreListenerTests}.
 *
 * @param <Q> the type of a request
 * @param <R> the type of the result of one request
 */
final class StoreCall<Q, R> extends Pending<List<R>> {

	private final Purpose<Q, R> purpose;

	/** Only those that pass the breakers, once the call has begun. */
	private List<Q> requests;

	private final WaitBudget budget;

	private BreakerPermits permits = BreakerPermits.ALL;

	StoreCall(Purpose<Q, R> purpose, List<Q> requests, WaitBudget budget) {
		this.purpose = purpose;
		this.requests = requests;
		this.budget = budget;
	}

	@Override
	protected List<R> doAwait() {
		List<R> known = withoutStore();
		if (known != null) {
			return known;
		}
		Call call = this.purpose.observer().begin(this.purpose.operation());
		long start = this.purpose.observer().nowNanos();
		List<R> results;
		try {
			results = checked(toStore().await());
		}
		catch (Throwable ex) {
			results = threw(ex);
		}
		return end(results, call, start);
	}

	@Override
	protected CompletionStage<List<R>> doStart(Executor executor) {
		List<R> known = withoutStore();
		if (known != null) {
			return CompletableFuture.completedStage(known);
		}
		Call call = this.purpose.observer().begin(this.purpose.operation());
		long start = this.purpose.observer().nowNanos();
		CompletionStage<List<R>> results;
		try {
			results = toStore().start(executor).thenApply(this::checked);
		}
		catch (Throwable ex) {
			results = CompletableFuture.failedStage(ex);
		}
		return results.exceptionally(this::threw).thenApply((done) -> end(done, call, start));
	}

	/** The results, if the store is not to be called; else the breakers are passed. */
	private @Nullable List<R> withoutStore() {
		if (this.purpose.outOfTime().isPresent() && this.budget.isUsedUp()) {
			return Collections.nCopies(this.requests.size(), this.purpose.outOfTime().get());
		}
		this.permits = this.purpose.permits().apply(this.requests);
		this.requests = this.permits.passing(this.requests);
		return this.requests.isEmpty() ? this.purpose.ended().apply(this.permits, List.of()) : null;
	}

	private Pending<List<R>> toStore() {
		return this.purpose.store().apply(this.requests, this.budget.left());
	}

	private List<R> checked(List<R> results) {
		if (results.size() != this.requests.size()) {
			this.purpose.observer()
				.logBreach("returned %d results for %d requests".formatted(results.size(), this.requests.size()), null);
			return failed();
		}
		for (int i = 0; i < results.size(); i++) {
			Objects.requireNonNull(results.get(i));
		}
		return results;
	}

	private List<R> threw(Throwable ex) {
		Throwable cause = (ex instanceof CompletionException && ex.getCause() != null) ? ex.getCause() : ex;
		this.purpose.observer().logBreach("threw " + cause.getClass().getName(), cause);
		return failed();
	}

	private List<R> failed() {
		return Collections.nCopies(this.requests.size(), this.purpose.failure());
	}

	private List<R> end(List<R> results, Call call, long start) {
		CallResult outcome = this.purpose.outcome().apply(results);
		long nanos = this.purpose.observer().nowNanos() - start;
		this.budget.spend(nanos, outcome == CallResult.SUCCESS);
		// Whatever a listener throws, the call ends for breakers and observers.
		try {
			return this.purpose.ended().apply(this.permits, results);
		}
		finally {
			this.purpose.observer().end(call, outcome, nanos);
		}
	}

	/**
	 * What all calls for one purpose have in common.
	 *
	 * @param <Q> the type of a request
	 * @param <R> the type of the result of one request
	 * @param observer notified of the calls
	 * @param operation their purpose
	 * @param outOfTime the result of each request if no time is left to call the store;
	 * empty to call it all the same
	 * @param permits passes the breakers of requests
	 * @param store calls the store
	 * @param failure the result of each request if the store breaks its contract
	 * @param outcome the outcome of a call
	 * @param ended makes the results as the caller receives them
	 */
	record Purpose<Q, R>(CallObserver observer, Operation operation, Optional<R> outOfTime,
			Function<List<Q>, BreakerPermits> permits, BiFunction<List<Q>, Duration, Pending<List<R>>> store, R failure,
			Function<List<R>, CallResult> outcome, BiFunction<BreakerPermits, List<R>, List<R>> ended) {
	}

}
