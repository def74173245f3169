package dev.ratelimit.autoconfigure;

import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.remote.StoreListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * The listeners of the application, combined once, so that one that throws is logged
 * once. Looked up with the first event or user, because listeners may depend on beans
 * that report to them.
 */
final class AllListeners {

	private final SingletonSupplier<DecisionListener> decisions;

	private final SingletonSupplier<StoreListener> store;

	AllListeners(ObjectProvider<DecisionListener> decisions, ObjectProvider<StoreListener> store) {
		this.decisions = SingletonSupplier.of(() -> DecisionListener.all(decisions.orderedStream().toList()));
		this.store = SingletonSupplier.of(() -> StoreListener.all(store.orderedStream().toList()));
	}

	DecisionListener decisions() {
		return this.decisions.obtain();
	}

	StoreListener store() {
		return this.store.obtain();
	}

}
