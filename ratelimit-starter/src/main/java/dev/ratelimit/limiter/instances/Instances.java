package dev.ratelimit.limiter.instances;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.ratelimit.store.InstanceRank;
import dev.ratelimit.store.InstanceRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Determines the share of this instance from the heartbeats of all instances. Each
 * instance sends one per {@linkplain #BEAT interval}, and is dropped after three
 * intervals without one. The last known share holds while the store does not respond. If
 * an instance joins or leaves just before the store stops responding, the others do not
 * notice until it responds again.
 */
public final class Instances {

	/** How often {@link #beat()} is to be called. */
	public static final Duration BEAT = Duration.ofSeconds(1);

	private static final Duration FORGET_AFTER = BEAT.multipliedBy(3);

	/**
	 * After an outage, or if Redis has lost its data, the first instance to send a
	 * heartbeat seems to be the only one. So a lower number is accepted only after this
	 * many heartbeats in a row, which gives the others enough time to send theirs.
	 */
	private static final int BEATS_UNTIL_FEWER = 3;

	private static final Log logger = LogFactory.getLog(Instances.class);

	private final Optional<InstanceRegistry> registry;

	private final OptionalInt fixed;

	private final Supplier<String> names;

	/** The name under which this instance is registered. */
	private volatile Optional<String> name = Optional.empty();

	private volatile Optional<InstanceShare> known;

	private final AtomicInteger fewerReports = new AtomicInteger();

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Create an instance with the configured values.
	 * @param registry where instances register, if anywhere
	 * @param fixed the number of instances, if configured; heartbeats then determine only
	 * the rank
	 * @param names the name of this instance: letters and digits, unique among the
	 * instances. It may change
	 */
	public Instances(Optional<InstanceRegistry> registry, OptionalInt fixed, Supplier<String> names) {
		// A single instance needs no rank.
		this.registry = OptionalInt.of(1).equals(fixed) ? Optional.empty() : registry;
		this.fixed = fixed;
		this.names = names;
		this.known = fixed.isPresent() ? Optional.of(InstanceShare.unranked(fixed.getAsInt())) : Optional.empty();
	}

	/**
	 * Send a heartbeat, and update the share of this instance. Waits for the store.
	 * @return whether the store responded
	 */
	public boolean beat() {
		Optional<InstanceShare> ranks = this.registry.flatMap(this::beat).map(this::share);
		if (ranks.isEmpty()) {
			this.fewerReports.set(0);
		}
		ranks.filter(this::isBelieved)
			.filter((share) -> !Optional.of(share).equals(this.known))
			.ifPresent((share) -> this.known = Optional.of(share));
		return ranks.isPresent();
	}

	private Optional<InstanceRank> beat(InstanceRegistry registry) {
		String now = this.names.get();
		Optional<String> before = this.name.filter((name) -> !name.equals(now));
		Optional<InstanceRank> ranks = registry.beat(now, FORGET_AFTER);
		if (ranks.isEmpty()) {
			return ranks;
		}
		this.name = Optional.of(now);
		if (before.isPresent()) {
			// Otherwise this instance would count twice until its former name expires.
			registry.leave(before.get());
			ranks = registry.beat(now, FORGET_AFTER);
		}
		return ranks;
	}

	private boolean isBelieved(InstanceShare share) {
		boolean fewer = this.known.filter((before) -> share.instances() < before.instances()).isPresent();
		if (fewer && this.fewerReports.incrementAndGet() < BEATS_UNTIL_FEWER) {
			return false;
		}
		this.fewerReports.set(0);
		return true;
	}

	private InstanceShare share(InstanceRank rank) {
		if (this.fixed.isEmpty()) {
			return InstanceShare.of(rank.instances(), rank.rank());
		}
		int instances = this.fixed.getAsInt();
		// If more instances live than configured, the remainder belongs to the first of
		// them.
		return (rank.rank() < instances) ? InstanceShare.of(instances, rank.rank()) : InstanceShare.unranked(instances);
	}

	/**
	 * Deregister this instance until its next beat. Waits for the store.
	 */
	public void leave() {
		this.registry.ifPresent((registry) -> this.name.ifPresent(registry::leave));
		this.name = Optional.empty();
	}

	/**
	 * The share of this instance. Costs a volatile read; the same share is the same
	 * object.
	 * @return its share; the whole limit, with one warning, if no number of instances was
	 * ever known
	 */
	public InstanceShare share() {
		Optional<InstanceShare> share = this.known;
		if (share.isEmpty() && this.warned.compareAndSet(false, true)) {
			logger.warn("The number of instances is unknown, as the store has never reported it: until it does, this "
					+ "one takes itself for the only one and admits whole limits. Set ratelimit.instances to their "
					+ "number if that is too much");
		}
		return share.orElse(InstanceShare.WHOLE);
	}

	/**
	 * The share of this instance, without a warning or a default.
	 * @return its share, if it is known
	 */
	public Optional<InstanceShare> known() {
		return this.known;
	}

}
