package dev.ratelimit.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A value that is still to be obtained. Nothing happens for it until its caller
 * {@linkplain #await() waits} for it, or {@linkplain #start leaves} a completion: one of
 * the two, once. All deadlines run from that moment, and a value that is never obtained
 * leaves nothing behind. A thread that waits takes part in the work, for example by
 * writing to a socket, so waiting is more than a {@code join} on what {@code start}
 * returns. Used by one thread at a time.
 *
 * @param <T> the type of the value
 */
public abstract class Pending<T> {

	private boolean begun;

	/**
	 * Create one that is still to be obtained.
	 */
	protected Pending() {
	}

	/**
	 * A value that is known already. It may be obtained any number of times.
	 * @param <T> its type
	 * @param value the value
	 * @return it, without any wait
	 */
	public static <T> Pending<T> of(T value) {
		return new Known<>(value);
	}

	/**
	 * A value whose work begins with a step that does not wait itself, but has effects.
	 * @param <T> its type
	 * @param first is called once, when the value is to be obtained; does not block
	 * @return the value of what the step returns
	 */
	public static <T> Pending<T> defer(Supplier<Pending<T>> first) {
		return new Deferred<>(first);
	}

	/**
	 * Several values. The work for each has begun before the first one is awaited.
	 * @param <T> their type
	 * @param several obtain one value each
	 * @return the values, in the same order
	 */
	public static <T> Pending<List<T>> all(List<Pending<T>> several) {
		return new All<>(several);
	}

	/**
	 * Obtain the value on the current thread.
	 * @return the value
	 * @throws IllegalStateException if that has begun before
	 */
	public final T await() {
		begin();
		return doAwait();
	}

	/**
	 * Obtain the value without a thread: returns at once and never blocks.
	 * @param executor completes the stage, and so runs what follows. A value that is
	 * known before this method returns may be completed on the current thread. Threads
	 * that serve others, such as those of a driver, only hand over to the executor
	 * @return completed with the value, or with what a function threw. If it is
	 * cancelled, the work goes on all the same, and what follows it runs
	 * @throws IllegalStateException if that has begun before
	 */
	public final CompletionStage<T> start(Executor executor) {
		// A stage runs no function any more once it is cancelled, but this one has none.
		return startNow(executor).thenApply(Function.identity());
	}

	CompletionStage<T> startNow(Executor executor) {
		begin();
		try {
			return doStart(executor);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	void begin() {
		if (this.begun) {
			throw new IllegalStateException("A pending value is obtained once: make another one");
		}
		this.begun = true;
	}

	/**
	 * Obtain the value on the current thread. Called once, unless {@link #doStart} is.
	 * @return the value
	 */
	protected abstract T doAwait();

	/**
	 * Obtain the value without a thread. Called once, unless {@link #doAwait} is.
	 * @param executor as for {@link #start}
	 * @return as for {@link #start}
	 */
	protected abstract CompletionStage<T> doStart(Executor executor);

	/**
	 * The value that a function makes of this one.
	 * @param <R> its type
	 * @param function is called once, at once if this value is known; does not block
	 * @return the result of the function
	 */
	public <R> Pending<R> map(Function<? super T, ? extends R> function) {
		return new Mapped<>(this, function);
	}

	/**
	 * The value that follows this one.
	 * @param <R> its type
	 * @param function is called once, at once if this value is known; does not block
	 * @return the value of what the function returned
	 */
	public <R> Pending<R> flatMap(Function<? super T, ? extends Pending<R>> function) {
		return new Followed<>(this, function);
	}

	private static final class Known<T> extends Pending<T> {

		private final T value;

		Known(T value) {
			this.value = value;
		}

		@Override
		void begin() {
		}

		@Override
		protected T doAwait() {
			return this.value;
		}

		@Override
		protected CompletionStage<T> doStart(Executor executor) {
			return CompletableFuture.completedStage(this.value);
		}

		@Override
		public <R> Pending<R> map(Function<? super T, ? extends R> function) {
			return new Known<>(function.apply(this.value));
		}

		@Override
		public <R> Pending<R> flatMap(Function<? super T, ? extends Pending<R>> function) {
			return function.apply(this.value);
		}

	}

	private static final class Deferred<T> extends Pending<T> {

		private final Supplier<Pending<T>> first;

		Deferred(Supplier<Pending<T>> first) {
			this.first = first;
		}

		@Override
		protected T doAwait() {
			return this.first.get().await();
		}

		@Override
		protected CompletionStage<T> doStart(Executor executor) {
			return this.first.get().startNow(executor);
		}

	}

	private static final class All<T> extends Pending<List<T>> {

		private final List<Pending<T>> several;

		All(List<Pending<T>> several) {
			this.several = several;
		}

		/** The current thread runs what follows each part, in place of an executor. */
		@Override
		protected List<T> doAwait() {
			BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();
			CompletableFuture<List<T>> ended = doStart(steps::add).toCompletableFuture();
			boolean interrupted = false;
			CompletionStage<?> ignored = ended.whenComplete((values, failure) -> steps.add(() -> {
			}));
			while (!ended.isDone()) {
				try {
					steps.take().run();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			return ended.join();
		}

		@Override
		protected CompletionStage<List<T>> doStart(Executor executor) {
			List<CompletableFuture<T>> started = new ArrayList<>(this.several.size());
			this.several.forEach((one) -> started.add(one.startNow(executor).toCompletableFuture()));
			return CompletableFuture.allOf(started.toArray(CompletableFuture[]::new))
				.thenApply((ended) -> started.stream().map(CompletableFuture::join).toList());
		}

	}

	private static final class Mapped<S, T> extends Pending<T> {

		private final Pending<S> source;

		private final Function<? super S, ? extends T> function;

		Mapped(Pending<S> source, Function<? super S, ? extends T> function) {
			this.source = source;
			this.function = function;
		}

		@Override
		protected T doAwait() {
			return this.function.apply(this.source.await());
		}

		@Override
		protected CompletionStage<T> doStart(Executor executor) {
			return this.source.startNow(executor).thenApply(this.function);
		}

	}

	private static final class Followed<S, T> extends Pending<T> {

		private final Pending<S> source;

		private final Function<? super S, ? extends Pending<T>> function;

		Followed(Pending<S> source, Function<? super S, ? extends Pending<T>> function) {
			this.source = source;
			this.function = function;
		}

		@Override
		protected T doAwait() {
			return this.function.apply(this.source.await()).await();
		}

		@Override
		protected CompletionStage<T> doStart(Executor executor) {
			return this.source.startNow(executor).thenCompose((value) -> this.function.apply(value).startNow(executor));
		}

	}

}
