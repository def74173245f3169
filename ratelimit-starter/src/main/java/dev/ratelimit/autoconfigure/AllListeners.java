package dev.ratelimit.autoconfigure;

import java.util.stream.Stream;

import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.insight.DecisionLog;
import dev.ratelimit.limiter.remote.StoreListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * The listeners of the application, combined once for all beans that report to them, so
 * that a failing listener is logged once. They are looked up when they are first needed,
 * because listeners may depend on those beans. The log of decisions comes last.
 */
final class AllListeners {

	private final SingletonSupplier<DecisionListener> decisions;

	private final SingletonSupplier<StoreListener> store;

	AllListeners(ObjectProvider<DecisionListener> decisions, ObjectProvider<StoreListener> store) {
		this.decisions = SingletonSupplier.of(() -> DecisionListener
			.all(Stream.concat(decisions.orderedStream(), Stream.of(new DecisionLog())).toList()));
		this.store = SingletonSupplier.of(() -> StoreListener.all(store.orderedStream().toList()));
	}

	DecisionListener decisions() {
		return this.decisions.obtain();
	}

	StoreListener store() {
		return this.store.obtain();
	}

}
