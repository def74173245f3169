package dev.ratelimit.actuate.descriptor;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import org.jspecify.annotations.Nullable;

/**
 * One rule, in the words of the configuration.
 *
 * @param id its id
 * @param enabled whether it is enforced
 * @param methods the methods it covers; none means every method
 * @param paths the paths it covers
 * @param key who is counted
 * @param onMissingKey what happens without the key
 * @param stage on which side of Spring Security it is decided
 * @param algorithm how it counts
 * @param rounding what the sliding-window counter makes of a fraction; absent for other
 * algorithms
 * @param refill how a token bucket is refilled; absent for other algorithms
 * @param thresholds its windows
 * @param mode where its permits come from
 * @param leaseTime how long reserved permits may be spent; absent for other modes
 * @param leaseSize how many are reserved at a time; absent for other modes
 * @param syncInterval the time between two synchronizations; absent for other modes
 * @param maxOvershoot which part of a limit may be admitted above it; absent for other
 * modes
 * @param countRejected whether refused requests use up quota
 * @param cost how many permits one request costs, or the bean that tells
 * @param countOn which outcomes count
 * @param when the condition under which it applies; absent if it always does
 * @param planKey what tells the plan of a request; absent if there are no plans
 * @param plans what each plan gets
 * @param overrides what single customers get, in the order of the configuration; whom
 * each names is left out, not even hashed, as the values may be guessed
 * @param onLimit what becomes of a request that it has no room for
 * @param maxWait how long it waits at most; absent unless it waits
 * @param maxQueue how many of one client wait or are kept; absent if none do, and for a
 * leaky bucket whose burst says it
 * @param enqueue how it is kept for later; absent unless it is
 * @param onStoreFailure what it does while the store cannot answer
 * @param shadow whether it only reports what it would refuse
 */
public record RuleDescriptor(String id, boolean enabled, Collection<String> methods, List<String> paths,
		List<String> key, String onMissingKey, String stage, String algorithm, @Nullable String rounding,
		@Nullable String refill, List<ThresholdDescriptor> thresholds, String mode, @Nullable String leaseTime,
		@Nullable String leaseSize, @Nullable String syncInterval, @Nullable String maxOvershoot, boolean countRejected,
		String cost, String countOn, @Nullable String when, @Nullable String planKey,
		Map<String, AllowanceDescriptor> plans, List<AllowanceDescriptor> overrides, String onLimit,
		@Nullable String maxWait, @Nullable Integer maxQueue, @Nullable EnqueueDescriptor enqueue,
		String onStoreFailure, boolean shadow) {

	/**
	 * Describe a rule.
	 * @param rule the rule
	 * @return all its settings, those left at their default too
	 */
	public static RuleDescriptor of(RLConfig rule) {
		Algorithm algorithm = rule.algorithm();
		return new RuleDescriptor(rule.id(), rule.enabled(), rule.methods().stream().sorted().toList(), rule.paths(),
				rule.key().stream().map(KeySource::toString).toList(), text(rule.onMissingKey()), text(rule.stage()),
				algorithm.text(), algorithm.takes(Option.ROUNDING) ? text(rule.rounding()) : null,
				algorithm.takes(Option.REFILL) ? text(rule.refill()) : null,
				ThresholdDescriptor.of(rule.thresholds(), algorithm), rule.mode().kind().text(),
				(rule.mode() instanceof Mode.Leased leased) ? leased.timeText() : null,
				(rule.mode() instanceof Mode.Leased leased) ? leased.sizeText() : null,
				(rule.mode() instanceof Mode.Synced synced) ? synced.intervalText() : null,
				(rule.mode() instanceof Mode.Synced synced) ? synced.maxOvershootText() : null, rule.countRejected(),
				rule.cost().toString(), rule.countOn().toString(),
				(rule.when() instanceof Condition.Always) ? null : rule.when().toString(),
				rule.plans().key().map(KeySource::toString).orElse(null), plans(rule), overrides(rule),
				rule.onLimit().kind().text(),
				(rule.onLimit() instanceof OnLimit.Delay delay) ? delay.maxWaitText() : null, maxQueue(rule),
				(rule.onLimit() instanceof OnLimit.Enqueue enqueue) ? EnqueueDescriptor.of(enqueue) : null,
				text(rule.onStoreFailure()), rule.shadow());
	}

	private static @Nullable Integer maxQueue(RLConfig rule) {
		if (rule.onLimit() instanceof OnLimit.Delay delay && !rule.algorithm().isBucket()) {
			return delay.maxQueue();
		}
		return (rule.onLimit() instanceof OnLimit.Enqueue enqueue) ? enqueue.maxQueue() : null;
	}

	private static Map<String, AllowanceDescriptor> plans(RLConfig rule) {
		Map<String, AllowanceDescriptor> plans = new LinkedHashMap<>();
		rule.plans()
			.allowances()
			.forEach((plan, allowance) -> plans.put(plan, AllowanceDescriptor.of(allowance, rule.algorithm())));
		return plans;
	}

	private static List<AllowanceDescriptor> overrides(RLConfig rule) {
		return rule.overrides()
			.stream()
			.map((override) -> AllowanceDescriptor.of(override.allowance(), rule.algorithm()))
			.toList();
	}

	static String text(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
