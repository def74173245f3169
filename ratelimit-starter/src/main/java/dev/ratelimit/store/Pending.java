package dev.ratelimit.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A value that is still to be obtained. Its caller either {@linkplain #await() waits} for
 * it, or {@linkplain #start returns} at once and leaves a completion: one of the two,
 * once. It does so without delay, because the work may not begin before. A thread that
 * waits takes part in the work, for example by writing to a socket, so waiting is more
 * than a {@code join} on what {@code start} returns. The limiter itself only waits so
 * far.
 *
 * @param <T> the type of the value
 */
public abstract class Pending<T> {

	/**
	 * Create one that is still to be obtained.
	 */
	protected Pending() {
	}

	/**
	 * A value that is known already.
	 * @param <T> its type
	 * @param value the value
	 * @return it, without any wait
	 */
	public static <T> Pending<T> of(T value) {
		return new Known<>(value);
	}

	/**
	 * Obtain the value on the current thread.
	 * @return the value
	 */
	public abstract T await();

	/**
	 * Obtain the value without a thread: returns at once and never blocks.
	 * @param executor completes the stage, and so runs what follows. A value that is
	 * known before this method returns may be completed on the current thread. Threads
	 * that serve others, such as those of a driver, only hand over to the executor
	 * @return completed with the value, or with what a function threw
	 */
	public abstract CompletionStage<T> start(Executor executor);

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
		public T await() {
			return this.value;
		}

		@Override
		public CompletionStage<T> start(Executor executor) {
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

	private static final class Mapped<S, T> extends Pending<T> {

		private final Pending<S> source;

		private final Function<? super S, ? extends T> function;

		Mapped(Pending<S> source, Function<? super S, ? extends T> function) {
			this.source = source;
			this.function = function;
		}

		@Override
		public T await() {
			return this.function.apply(this.source.await());
		}

		@Override
		public CompletionStage<T> start(Executor executor) {
			return this.source.start(executor).thenApply(this.function);
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
		public T await() {
			return this.function.apply(this.source.await()).await();
		}

		@Override
		public CompletionStage<T> start(Executor executor) {
			return this.source.start(executor).thenCompose((value) -> this.function.apply(value).start(executor));
		}

	}

}
