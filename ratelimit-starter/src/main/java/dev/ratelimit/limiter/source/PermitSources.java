package dev.ratelimit.limiter.source;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import org.jspecify.annotations.Nullable;

/**
 * The permit source of each mode that has one. Strict rules have none, so they cost one
 * look-up here. Tested by {@code DecisionPipelineTests}.
 */
public final class PermitSources {

	private final Map<Mode.ModeKind, PermitSource> byMode;

	/**
	 * Create the sources.
	 * @param byMode the source of each mode; rules of all other modes go to the store
	 */
	public PermitSources(Map<Mode.ModeKind, PermitSource> byMode) {
		this.byMode = new EnumMap<>(Mode.ModeKind.class);
		this.byMode.putAll(byMode);
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
		return this.byMode.get(limit.mode().kind());
	}

	/**
	 * The limit by which the store counts.
	 * @param limit the limit of a rule
	 * @return the counted limit
	 */
	public Limit counted(Limit limit) {
		PermitSource source = find(limit);
		return (source != null) ? source.counted(limit) : limit;
	}

	/**
	 * How much a client may still be admitted on this instance, of permits that the store
	 * counts already.
	 * @param limit the limit
	 * @param subject the client
	 * @return the permits
	 */
	public long left(Limit limit, Subject subject) {
		PermitSource source = find(limit);
		return (source != null) ? source.left(limit, subject) : 0;
	}

	/**
	 * What a client was admitted on this instance that the store does not count yet.
	 * @param limit the limit
	 * @param subject the client
	 * @return the permits
	 */
	public long unsynced(Limit limit, Subject subject) {
		PermitSource source = find(limit);
		return (source != null) ? source.unsynced(limit, subject) : 0;
	}

	/**
	 * Drop what is known of a client, because the store no longer counts it.
	 * @param rule the id of the rule
	 * @param subject the client
	 */
	public void forget(String rule, Subject subject) {
		this.byMode.values().forEach((source) -> source.forget(rule, subject));
	}

}
