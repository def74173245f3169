package dev.ratelimit.rule.source;

import java.util.stream.Stream;

import dev.ratelimit.rule.source.WrongRulesTests.Wrong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.ratelimit.rule.source.WrongRulesTests.wrong;

/**
 * Modes that do not go with the rest of their rule, and options of another mode.
 */
class WrongModesTests {

	static Stream<Wrong> modes() {
		return Stream.of(
				wrong("misspelt mode", "mode: leasd", "mode", "leasd", "is not known", "Use strict, leased, synced"),
				wrong("empty mode", "mode:", "mode", "", "is empty", "Give it a value"),
				wrong("synced log", "mode: synced", "mode", "synced", "does not go with algorithm sliding-window-log",
						"Use mode strict, or algorithm sliding-window-counter or fixed-window"),
				wrong("synced bucket", "mode: synced\nalgorithm: token-bucket", "mode", "synced",
						"does not go with algorithm token-bucket", "Use mode strict"),
				wrong("synced by outcome", "mode: synced\nalgorithm: fixed-window\ncount-on: failure", "mode", "synced",
						"does not go with count-on failure", "remove count-on"),
				wrong("leased bucket", "mode: leased\nalgorithm: token-bucket", "mode", "leased",
						"does not go with algorithm token-bucket", "or algorithm sliding-window-log or"),
				wrong("leased rule that counts refusals", "mode: leased\ncount-rejected: true", "mode", "leased",
						"does not go with count-rejected", "Use mode strict, or remove count-rejected"),
				wrong("leased rule that counts outcomes", "mode: leased\ncount-on: failure", "mode", "leased",
						"does not go with count-on failure", "Use mode strict, or remove count-on"),
				wrong("lease longer than a window", "mode: leased\nlease-time: 2s\nthresholds: 9/1m, 5/1s",
						"lease-time", "2s", "is longer than the window of 5/1s in thresholds",
						"Use at most 1s, better a tenth of it"),
				wrong("lease longer than a window of a plan", """
						mode: leased
						lease-time: 2s
						plan-key: session
						plans: {free: 5/1s}""", "lease-time", "2s", "of 5/1s in plans.free", "Use at most 1s"),
				wrong("lease larger than a threshold", "mode: leased\nlease-size: 6\nthresholds: 5/1m", "lease-size",
						"6", "is above 5/1m in thresholds", "Use at most 5, or auto"),
				wrong("leased window without end", "mode: leased\nthresholds: 5/400d", "thresholds", "5/400d",
						"is too long for mode leased", "at most 399d"));
	}

	static Stream<Wrong> options() {
		return Stream.of(
				wrong("lease time of a strict rule", "lease-time: 1s", "lease-time", "1s",
						"does not go with mode strict", "Use mode leased, or remove lease-time"),
				wrong("lease size of a strict rule", "mode: strict\nlease-size: auto", "lease-size", "auto",
						"does not go with mode strict", "Use mode leased, or remove lease-size"),
				wrong("interval of a strict rule", "sync-interval: 1s", "sync-interval", "1s",
						"does not go with mode strict", "Use mode synced, or remove sync-interval"),
				wrong("lease time out of range", "mode: leased\nlease-time: 2m", "lease-time", "2m", "is out of range",
						"from 10ms to 1m"),
				wrong("lease size that is no number", "mode: leased\nlease-size: some", "lease-size", "some",
						"is not a whole number", "or auto"),
				wrong("interval of a leased rule", "mode: leased\nsync-interval: 1s", "sync-interval", "1s",
						"does not go with mode leased", "Use mode synced, or remove sync-interval"),
				wrong("overshoot of a strict rule", "max-overshoot: 5%", "max-overshoot", "5%",
						"does not go with mode strict", "Use mode synced, or remove max-overshoot"),
				wrong("overshoot that is no percentage", "mode: synced\nalgorithm: fixed-window\nmax-overshoot: 5",
						"max-overshoot", "5", "is not a whole percentage", "Write for example 10%"),
				wrong("interval longer than a window",
						"mode: synced\nalgorithm: fixed-window\nthresholds: 9/10s\nsync-interval: 11s", "sync-interval",
						"11s", "is longer than the window of 9/10s in thresholds", "Use at most 10s"));
	}

	@ParameterizedTest
	@MethodSource({ "modes", "options" })
	void aWrongSettingStopsTheStartWithItsReason(Wrong wrong) {
		WrongRulesTests.assertStopsTheStart(wrong);
	}

}
