package dev.ratelimit.rule.source;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Mode;

/**
 * Reads the mode of one rule, and the keys that belong to one mode only. An incompatible
 * key of the rule itself is an error; an incompatible default is ignored.
 */
final class ModeReader {

	private static final String MODE = "mode";

	private final KeyReader keys;

	private final Optional<Mode.ModeKind> written;

	ModeReader(KeyReader keys) {
		this.keys = keys;
		this.written = keys.one(MODE, Values.oneOf(Mode.ModeKind.class));
	}

	/**
	 * Whether the rule itself has a mode that is not compatible with all other keys.
	 * @return whether it does; defaults that contradict it are then ignored
	 */
	boolean isOwn() {
		return this.keys.isOwn(MODE) && this.written.filter((kind) -> kind != Mode.ModeKind.STRICT).isPresent();
	}

	/**
	 * Read the mode.
	 * @param algorithm the algorithm of the rule; empty if it is unknown
	 * @param everyTake whether every request of the rule must acquire its permits from
	 * the store, as its other keys demand
	 * @return the mode
	 */
	Mode read(Optional<Algorithm> algorithm, boolean everyTake) {
		Mode.ModeKind kind = this.written
			.filter((found) -> this.keys.isOwn(MODE)
					|| (!everyTake && algorithm.stream().allMatch(found.algorithms()::contains)))
			.orElse(Mode.ModeKind.STRICT);
		Optional<Optional<Duration>> time = one("lease-time", Mode.ModeKind.LEASED, kind, Mode.Leased::parseTime);
		Optional<Optional<Long>> size = one("lease-size", Mode.ModeKind.LEASED, kind, Mode.Leased::parseSize);
		Optional<Duration> interval = one("sync-interval", Mode.ModeKind.SYNCED, kind, Mode.Synced::parseInterval);
		Optional<Integer> overshoot = one("max-overshoot", Mode.ModeKind.SYNCED, kind, Mode.Synced::parseMaxOvershoot);
		return switch (kind) {
			case STRICT -> Mode.STRICT;
			case LEASED -> new Mode.Leased(time.orElse(Mode.LEASED.time()), size.orElse(Mode.LEASED.size()));
			case SYNCED -> new Mode.Synced(interval.orElse(Mode.SYNCED.interval()),
					overshoot.orElse(Mode.SYNCED.maxOvershootPercent()));
		};
	}

	private <T> Optional<T> one(String key, Mode.ModeKind owner, Mode.ModeKind kind, Function<String, T> converter) {
		return this.keys.one(key, (text) -> {
			T value = converter.apply(text);
			if (kind != owner && this.keys.isOwn(key)) {
				throw new InvalidRuleException(key, text, "does not go with mode " + kind.text(),
						"Use mode " + owner.text() + ", or remove " + key);
			}
			return value;
		}).filter((value) -> kind == owner);
	}

}
