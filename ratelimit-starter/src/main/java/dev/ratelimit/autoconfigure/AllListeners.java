package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionLog;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.support.Listeners;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.util.function.SingletonSupplier;

/**
 * The listeners of the application, combined once for all beans that report to them, so
 * that a failing listener is logged once. They are looked up when they are first needed,
 * because listeners may depend on those beans. The log of decisions comes last. Events
 * are published in their order, and not on the thread that reports them.
 */
final class AllListeners {

	private final SingletonSupplier<DecisionListener> decisions;

	private final SingletonSupplier<StoreListener> store;

	private final Listeners<ApplicationEventPublisher> events;

	AllListeners(ObjectProvider<DecisionListener> decisions, ObjectProvider<StoreListener> store,
			ApplicationEventPublisher publisher) {
		this.events = new Listeners<>("listener of events", List.of(publisher));
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

	void publish(Object event) {
		this.events.report((publisher) -> publisher.publishEvent(event));
	}

}
