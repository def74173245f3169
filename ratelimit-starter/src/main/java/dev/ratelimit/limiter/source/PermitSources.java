package dev.ratelimit.limiter.source;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.Restartable;
import org.jspecify.annotations.Nullable;

/**
 * The permit source of each mode that has one. A source is created with the first rule
 * set in which a rule has its mode, never for a request. Strict rules have none, so they
 * cost one look-up here.
 */
public final class PermitSources implements Restartable {

	private final Map<ModeKind, Supplier<? extends PermitSource>> possible = new EnumMap<>(ModeKind.class);

	private volatile Map<ModeKind, PermitSource> created = new EnumMap<>(ModeKind.class);

	/**
	 * Create no source yet.
	 * @param possible creates the source of each mode; requests of all other modes go to
	 * the store
	 */
	public PermitSources(Map<ModeKind, ? extends Supplier<? extends PermitSource>> possible) {
		this.possible.putAll(possible);
	}

	/**
	 * Answer requests without the store, or prepare the call of the store for them.
	 * @param slots the requests
	 * @param nowNanos the time on the monotonic clock
	 */
	public void offer(List<Slot> slots, long nowNanos) {
		for (int i = 0; i < slots.size(); i++) {
			PermitSource source = find(slots.get(i).request().limit());
			if (source != null) {
				source.offer(slots.get(i), nowNanos);
			}
		}
	}

	/**
	 * The source of a limit.
	 * @param limit the limit
	 * @return its source; {@code null} if all its requests go to the store
	 */
	public @Nullable PermitSource find(Limit limit) {
		return this.created.get(limit.mode().kind());
	}

	/**
	 * Drop what is known of a client, because the store no longer counts it.
	 * @param rule the id of the rule
	 * @param subject the client
	 */
	public void forget(String rule, Subject subject) {
		this.created.values().forEach((source) -> source.forget(rule, subject));
	}

	/**
	 * Create the sources that the active rules need, and drop at once what none of them
	 * needs, where that is possible. Called by one thread at a time.
	 * @param active the limits of the active rules
	 */
	public void follow(Collection<Limit> active) {
		Map<ModeKind, PermitSource> sources = new EnumMap<>(ModeKind.class);
		this.created.forEach((mode, source) -> {
			source.retain(active);
			sources.put(mode, source);
		});
		for (Limit limit : active) {
			ModeKind mode = limit.mode().kind();
			Supplier<? extends PermitSource> missing = sources.containsKey(mode) ? null : this.possible.get(mode);
			if (missing != null) {
				sources.put(mode, missing.get());
			}
		}
		this.created = sources;
	}

	/** Release what is no longer needed. To be repeated in the background; may wait. */
	public void tidy() {
		this.created.values().forEach(PermitSource::tidy);
	}

	@Override
	public void restart() {
		this.created.values().forEach(PermitSource::restart);
	}

	@Override
	public void close() {
		close(this.created.values().iterator());
	}

	/** Whatever one throws, the others are closed. */
	private static void close(Iterator<PermitSource> sources) {
		if (sources.hasNext()) {
			try {
				sources.next().close();
			}
			finally {
				close(sources);
			}
		}
	}

}
