package dev.ratelimit.actuate;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.live.RuleLayer;
import dev.ratelimit.rule.live.RuleLayers;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * Shows the rules in force with every setting that applies, also those left at their
 * default. Read-only, and shows nothing of any client.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

	private final Supplier<RuleSet> rules;

	private final RuleLayers layers;

	private final String store;

	private final boolean enabled;

	/**
	 * Create the endpoint.
	 * @param rules the rules in force
	 * @param layers the places they come from
	 * @param store the name of the store
	 * @param enabled whether rules are enforced at all
	 */
	public RateLimitsEndpoint(Supplier<RuleSet> rules, RuleLayers layers, String store, boolean enabled) {
		this.rules = rules;
		this.layers = layers;
		this.store = store;
		this.enabled = enabled;
	}

	/**
	 * Show the rules.
	 * @return all rules, the disabled ones too
	 */
	@ReadOperation
	public RulesDescriptor rules() {
		return new RulesDescriptor(this.enabled, this.store,
				this.layers.layers().stream().map(SourceDescriptor::of).toList(),
				this.rules.get().rules().stream().map(RuleDescriptor::of).toList());
	}

	private static String text(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * What the endpoint shows.
	 *
	 * @param enabled whether rules are enforced
	 * @param store where requests are counted
	 * @param sources where rules are read, beside annotations; a rule is taken whole from
	 * the first that has it
	 * @param rules the rules
	 */
	public record RulesDescriptor(boolean enabled, String store, List<SourceDescriptor> sources,
			List<RuleDescriptor> rules) implements OperationResponseBody {
	}

	/**
	 * A place where rules are read.
	 *
	 * @param source what kind of place it is
	 * @param description which place it is
	 * @param rules the ids of its last good rules
	 * @param failure why what stands there now is not in force; absent if it is
	 */
	public record SourceDescriptor(String source, String description, List<String> rules, @Nullable String failure) {

		static SourceDescriptor of(RuleLayer layer) {
			return new SourceDescriptor(layer.origin().text(), layer.description(),
					layer.rules().rules().stream().map(RLConfig::id).toList(), layer.failure().orElse(null));
		}

	}

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
	 * @param rounding what the sliding-window counter makes of a fraction; absent for
	 * other algorithms
	 * @param refill how a token bucket is refilled; absent for other algorithms
	 * @param thresholds its windows
	 * @param mode where its permits come from
	 * @param leaseTime how long reserved permits may be spent; absent for other modes
	 * @param leaseSize how many are reserved at a time; absent for other modes
	 * @param syncInterval the time between two synchronizations; absent for other modes
	 * @param maxOvershoot which part of a limit may be admitted above it; absent for
	 * other modes
	 * @param countRejected whether refused requests use up quota
	 * @param cost how many permits one request costs, or the bean that tells
	 * @param countOn which outcomes count
	 * @param when the condition under which it applies; absent if it always does
	 * @param planKey what tells the plan of a request; absent if there are no plans
	 * @param plans what each plan gets
	 * @param overrides what single customers get, in the order of the configuration; whom
	 * each names is left out, not even hashed, as the values may be guessed
	 * @param onStoreFailure what it does while the store cannot answer
	 * @param shadow whether it only reports what it would refuse
	 */
	public record RuleDescriptor(String id, boolean enabled, Collection<String> methods, List<String> paths,
			List<String> key, String onMissingKey, String stage, String algorithm, @Nullable String rounding,
			@Nullable String refill, List<ThresholdDescriptor> thresholds, String mode, @Nullable String leaseTime,
			@Nullable String leaseSize, @Nullable String syncInterval, @Nullable String maxOvershoot,
			boolean countRejected, String cost, String countOn, @Nullable String when, @Nullable String planKey,
			Map<String, AllowanceDescriptor> plans, List<AllowanceDescriptor> overrides, String onStoreFailure,
			boolean shadow) {

		static RuleDescriptor of(RLConfig rule) {
			Algorithm algorithm = rule.algorithm();
			return new RuleDescriptor(rule.id(), rule.enabled(), rule.methods().stream().sorted().toList(),
					rule.paths(), rule.key().stream().map(KeySource::toString).toList(), text(rule.onMissingKey()),
					text(rule.stage()), algorithm.text(),
					algorithm.takes(Option.ROUNDING) ? text(rule.rounding()) : null,
					algorithm.takes(Option.REFILL) ? text(rule.refill()) : null,
					ThresholdDescriptor.of(rule.thresholds(), algorithm), rule.mode().kind().text(),
					(rule.mode() instanceof Mode.Leased leased) ? leased.timeText() : null,
					(rule.mode() instanceof Mode.Leased leased) ? leased.sizeText() : null,
					(rule.mode() instanceof Mode.Synced synced) ? synced.intervalText() : null,
					(rule.mode() instanceof Mode.Synced synced) ? synced.maxOvershootText() : null,
					rule.countRejected(), rule.cost().toString(), rule.countOn().toString(),
					(rule.when() instanceof Condition.Always) ? null : rule.when().toString(),
					rule.plans().key().map(KeySource::toString).orElse(null), plans(rule), overrides(rule),
					text(rule.onStoreFailure()), rule.shadow());
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

	}

	/**
	 * What somebody gets instead of the thresholds of the rule.
	 *
	 * @param allowance {@code limited}, {@code unlimited} or {@code blocked}
	 * @param thresholds the windows of a limited one; absent for the others
	 */
	public record AllowanceDescriptor(String allowance, @Nullable List<ThresholdDescriptor> thresholds) {

		static AllowanceDescriptor of(Allowance allowance, Algorithm algorithm) {
			return (allowance instanceof Allowance.Limited limited)
					? new AllowanceDescriptor("limited", ThresholdDescriptor.of(limited.thresholds(), algorithm))
					: new AllowanceDescriptor(allowance.toString(), null);
		}

	}

	/**
	 * One window of a rule.
	 *
	 * @param threshold how many
	 * @param window in how long, for example {@code 10s}
	 * @param burst the capacity of a bucket; absent for other algorithms
	 */
	public record ThresholdDescriptor(long threshold, String window, @Nullable Long burst) {

		static List<ThresholdDescriptor> of(List<RLThreshold> thresholds, Algorithm algorithm) {
			return thresholds.stream()
				.map((threshold) -> new ThresholdDescriptor(threshold.threshold(), threshold.windowText(),
						algorithm.takes(Option.BURST) ? threshold.burst() : null))
				.toList();
		}

	}

}
