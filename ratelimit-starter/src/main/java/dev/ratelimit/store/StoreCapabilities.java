package dev.ratelimit.store;

import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

import dev.ratelimit.rule.Algorithm;

/**
 * What a store can do besides acquiring and releasing permits. The limiter adapts to it
 * once, when the application starts, and never asks which store it is. Tested by
 * {@code StoreCapabilitiesTests}.
 *
 * @param type the value of the tag {@code store} in metrics: lower-case letters, digits
 * and hyphens, such as {@code redis}
 * @param scope which instances count in it
 * @param algorithms the algorithms it can decide; rules with others stop the start
 * @param exactWaits whether the wait that it returns with a refusal holds on the clock of
 * this JVM, so that the refusal may be repeated from memory until then
 * @param instances lists the instances that count here; without, a share of a limit needs
 * {@code ratelimit.instances}, and no permits are leased
 * @param counter counts permits that were admitted without a call; without, every request
 * of a synced rule goes to the store
 * @param inspector shows and resets what is counted; without, the endpoint says that it
 * cannot
 * @param diagnostics reports failures and settings to operators
 * @param incarnation a number that changes when the store has lost its connections, and
 * then differs between this process and its copies; names must differ between them as
 * well. Costs no call; constant if no other process counts in the store
 * @param housekeeping runs once a second, in the background; must be quick
 */
public record StoreCapabilities(String type, Scope scope, Set<Algorithm> algorithms, boolean exactWaits,
		Optional<InstanceRegistry> instances, Optional<PermitCounter> counter, Optional<Inspector> inspector,
		StoreDiagnostics diagnostics, LongSupplier incarnation, Runnable housekeeping) {

	private static final Pattern TYPE = Pattern.compile("[a-z0-9-]+");

	public StoreCapabilities {
		if (!TYPE.matcher(type).matches()) {
			throw new IllegalArgumentException(
					"A type of stores has lower-case letters, digits and hyphens, not '%s'".formatted(type));
		}
		if (algorithms.isEmpty()) {
			throw new IllegalArgumentException("A store decides at least one algorithm");
		}
		algorithms = Set.copyOf(algorithms);
	}

	/**
	 * The capabilities of a store that acquires and releases permits and nothing else.
	 * @param type the value of the tag {@code store} in metrics
	 * @param scope which instances count in it
	 * @param algorithms the algorithms it can decide
	 * @return the capabilities
	 */
	public static StoreCapabilities of(String type, Scope scope, Set<Algorithm> algorithms) {
		return new StoreCapabilities(type, scope, algorithms, false, Optional.empty(), Optional.empty(),
				Optional.empty(), StoreDiagnostics.NONE, () -> 0, () -> {
				});
	}

	/**
	 * Whether only this instance counts in the store, in its own memory.
	 * @return whether the store is {@link Scope#LOCAL}
	 */
	public boolean isLocal() {
		return this.scope == Scope.LOCAL;
	}

	/** Which instances of an application count in a store. */
	public enum Scope {

		/**
		 * This instance alone, in its memory: calls cost no network and do not fail, so
		 * there is no breaker, no trace, and nothing that takes its place.
		 */
		LOCAL,

		/** All instances of the application. */
		SHARED

	}

}
