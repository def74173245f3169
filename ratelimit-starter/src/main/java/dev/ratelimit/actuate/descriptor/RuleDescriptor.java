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
 * One rule, with the names of the configuration.
 *
 * @param id its id
 * @param enabled whether it is enforced
 * @param methods the methods it covers; none means every method
 * @param paths the paths it covers
 * @param key the key by which clients are counted
 * @param onMissingKey what happens without the key
 * @param stage the side of Spring Security on which it is decided
 * @param algorithm how it counts
 * @param rounding how the sliding-window counter rounds a fraction; absent for other
 * algorithms
 * @param refill how a token bucket is refilled; absent for other algorithms
 * @param thresholds its windows
 * @param mode where its permits come from
 * @param leaseTime how long leased permits may be used; absent for other modes
 * @param leaseSize the number of permits leased at a time; absent for other modes
 * @param syncInterval the time between two synchronizations; absent for other modes
 * @param maxOvershoot the share of a limit that may be admitted above it; absent for
 * other modes
 * @param countRejected whether refused requests use up quota
 * @param cost the number of permits one request costs, or the bean that computes it
 * @param countOn the outcomes that count
 * @param when the condition under which it applies; absent if it always does
 * @param planKey the source of a request's plan; absent if there are no plans
 * @param plans what each plan allows
 * @param overrides what single customers are allowed, in the order of the configuration;
 * their keys are left out, even as hashes, because the values may be guessed
 * @param onLimit what happens to a request that exceeds the limit
 * @param maxWait the longest time a request waits; absent unless requests wait
 * @param maxQueue the number of requests of one client that may wait or be enqueued;
 * absent if none do, and for a leaky bucket, whose burst defines it
 * @param enqueue how a request is enqueued; absent unless requests are
 * @param onStoreFailure what happens during an outage of the store
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
	 * @return all its settings, including those left at their default
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
