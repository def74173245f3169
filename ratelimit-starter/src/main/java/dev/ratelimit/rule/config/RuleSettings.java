package dev.ratelimit.rule.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.rule.RuleWarning;
import dev.ratelimit.rule.Stage;

import org.springframework.util.unit.DataSize;

/**
 * The keys of a rule, for editors only: below {@code ratelimit.rules.<id>} they look up
 * names, values and descriptions in the type that the metadata states. No code uses it,
 * and nothing can be bound to it. {@code ReferenceTests} writes it from the catalogue.
 */
abstract class RuleSettings {

	/** Whether rules are enforced. */
	public abstract Boolean getEnabled();

	/** Whether rules are enforced. */
	public abstract void setEnabled(Boolean enabled);

	/** HTTP methods that the rule covers, with paths. GET covers HEAD. */
	public abstract List<String> getMethods();

	/** HTTP methods that the rule covers, with paths. GET covers HEAD. */
	public abstract void setMethods(List<String> methods);

	/**
	 * Path patterns that the rule covers. Without paths it acts only where code names it.
	 */
	public abstract List<String> getPaths();

	/**
	 * Path patterns that the rule covers. Without paths it acts only where code names it.
	 */
	public abstract void setPaths(List<String> paths);

	/** Comma-separated list of key sources, which name the client that is counted. */
	public abstract List<String> getKey();

	/** Comma-separated list of key sources, which name the client that is counted. */
	public abstract void setKey(List<String> key);

	/** What happens to a request that does not carry the key a rule counts by. */
	public abstract OnMissingKey getOnMissingKey();

	/** What happens to a request that does not carry the key a rule counts by. */
	public abstract void setOnMissingKey(OnMissingKey onMissingKey);

	/** On which side of Spring Security rules are decided. */
	public abstract Stage getStage();

	/** On which side of Spring Security rules are decided. */
	public abstract void setStage(Stage stage);

	/** How rules count. */
	public abstract Algorithm getAlgorithm();

	/** How rules count. */
	public abstract void setAlgorithm(Algorithm algorithm);

	/**
	 * What becomes of a fraction of a request, in rules whose algorithm is
	 * sliding-window-counter.
	 */
	public abstract Rounding getRounding();

	/**
	 * What becomes of a fraction of a request, in rules whose algorithm is
	 * sliding-window-counter.
	 */
	public abstract void setRounding(Rounding rounding);

	/** How tokens come back, in rules whose algorithm is token-bucket. */
	public abstract Refill getRefill();

	/** How tokens come back, in rules whose algorithm is token-bucket. */
	public abstract void setRefill(Refill refill);

	/**
	 * Number of permits and the window in which they may be used. All of them must hold.
	 */
	public abstract List<ThresholdSettings> getThresholds();

	/**
	 * Number of permits and the window in which they may be used. All of them must hold.
	 */
	public abstract void setThresholds(List<ThresholdSettings> thresholds);

	/** Where the permits of rules come from. */
	public abstract Mode.ModeKind getMode();

	/** Where the permits of rules come from. */
	public abstract void setMode(Mode.ModeKind mode);

	/**
	 * How long reserved permits may be spent, 10ms to 1m, in rules whose mode is leased.
	 * With auto a tenth of the shortest window, at most one second.
	 */
	public abstract String getLeaseTime();

	/**
	 * How long reserved permits may be spent, 10ms to 1m, in rules whose mode is leased.
	 * With auto a tenth of the shortest window, at most one second.
	 */
	public abstract void setLeaseTime(String leaseTime);

	/**
	 * How many permits an instance reserves at a time, in rules whose mode is leased: a
	 * whole number, or auto for as many as are spent in the lease time.
	 */
	public abstract String getLeaseSize();

	/**
	 * How many permits an instance reserves at a time, in rules whose mode is leased: a
	 * whole number, or auto for as many as are spent in the lease time.
	 */
	public abstract void setLeaseSize(String leaseSize);

	/**
	 * How often an instance reports to the store what it has admitted, 10ms to 1m, in
	 * rules whose mode is synced.
	 */
	public abstract Duration getSyncInterval();

	/**
	 * How often an instance reports to the store what it has admitted, 10ms to 1m, in
	 * rules whose mode is synced.
	 */
	public abstract void setSyncInterval(Duration syncInterval);

	/**
	 * Which part of a limit may be admitted above it, 1% to 100%, in rules whose mode is
	 * synced.
	 */
	public abstract String getMaxOvershoot();

	/**
	 * Which part of a limit may be admitted above it, 1% to 100%, in rules whose mode is
	 * synced.
	 */
	public abstract void setMaxOvershoot(String maxOvershoot);

	/**
	 * Where the permits of rules count, if the application runs in several data centres.
	 */
	public abstract ScopeValue getScope();

	/**
	 * Where the permits of rules count, if the application runs in several data centres.
	 */
	public abstract void setScope(ScopeValue scope);

	/**
	 * Which part of a limit is divided between the data centres in advance, 0% to 100%,
	 * in rules whose scope is everywhere. Needs ratelimit-starter-datacenters.
	 */
	public abstract String getGuaranteedShare();

	/**
	 * Which part of a limit is divided between the data centres in advance, 0% to 100%,
	 * in rules whose scope is everywhere. Needs ratelimit-starter-datacenters.
	 */
	public abstract void setGuaranteedShare(String guaranteedShare);

	/**
	 * Which part of a limit may be admitted above it, 0% to 100%, in rules whose scope is
	 * everywhere. Needs ratelimit-starter-datacenters.
	 */
	public abstract String getPoolOvershoot();

	/**
	 * Which part of a limit may be admitted above it, 0% to 100%, in rules whose scope is
	 * everywhere. Needs ratelimit-starter-datacenters.
	 */
	public abstract void setPoolOvershoot(String poolOvershoot);

	/**
	 * How often data centres exchange what they have taken, 10ms to 1m, in rules whose
	 * scope is everywhere. Needs ratelimit-starter-datacenters.
	 */
	public abstract Duration getExchangeInterval();

	/**
	 * How often data centres exchange what they have taken, 10ms to 1m, in rules whose
	 * scope is everywhere. Needs ratelimit-starter-datacenters.
	 */
	public abstract void setExchangeInterval(Duration exchangeInterval);

	/**
	 * Whether refused requests use up quota, in rules whose algorithm is
	 * sliding-window-log.
	 */
	public abstract Boolean getCountRejected();

	/**
	 * Whether refused requests use up quota, in rules whose algorithm is
	 * sliding-window-log.
	 */
	public abstract void setCountRejected(Boolean countRejected);

	/** Number of permits a request uses up, or bean:NAME for a CostResolver. */
	public abstract String getCost();

	/** Number of permits a request uses up, or bean:NAME for a CostResolver. */
	public abstract void setCost(String cost);

	/**
	 * Comma-separated list of the outcomes that use up quota, such as failure, or
	 * 402,5xx.
	 */
	public abstract List<String> getCountOn();

	/**
	 * Comma-separated list of the outcomes that use up quota, such as failure, or
	 * 402,5xx.
	 */
	public abstract void setCountOn(List<String> countOn);

	/**
	 * Condition under which rules apply: bean:NAME for a RequestCondition, or an
	 * expression in SpEL.
	 */
	public abstract String getWhen();

	/**
	 * Condition under which rules apply: bean:NAME for a RequestCondition, or an
	 * expression in SpEL.
	 */
	public abstract void setWhen(String when);

	/** Key source of the plan of a request, in rules that have plans. */
	public abstract String getPlanKey();

	/** Key source of the plan of a request, in rules that have plans. */
	public abstract void setPlanKey(String planKey);

	/** What a request with this plan gets instead of the thresholds. */
	public abstract Map<String, List<ThresholdSettings>> getPlans();

	/** What a request with this plan gets instead of the thresholds. */
	public abstract void setPlans(Map<String, List<ThresholdSettings>> plans);

	/** What single customers get instead of the thresholds, whatever their plan. */
	public abstract List<OverrideSettings> getOverrides();

	/** What single customers get instead of the thresholds, whatever their plan. */
	public abstract void setOverrides(List<OverrideSettings> overrides);

	/** What happens to a request above the limit. */
	public abstract OnLimitValue getOnLimit();

	/** What happens to a request above the limit. */
	public abstract void setOnLimit(OnLimitValue onLimit);

	/**
	 * How long a request may wait for its turn, 1ms to 1d, in rules with on-limit delay.
	 */
	public abstract Duration getMaxWait();

	/**
	 * How long a request may wait for its turn, 1ms to 1d, in rules with on-limit delay.
	 */
	public abstract void setMaxWait(Duration maxWait);

	/**
	 * How many requests of one client may wait, 1 to 1000000, in rules with on-limit
	 * delay, or be enqueued, in rules with on-limit enqueue. A leaky bucket is bounded by
	 * its burst instead.
	 */
	public abstract Integer getMaxQueue();

	/**
	 * How many requests of one client may wait, 1 to 1000000, in rules with on-limit
	 * delay, or be enqueued, in rules with on-limit enqueue. A leaky bucket is bounded by
	 * its burst instead.
	 */
	public abstract void setMaxQueue(Integer maxQueue);

	/** What rules do while the store cannot answer. */
	public abstract OnStoreFailure getOnStoreFailure();

	/** What rules do while the store cannot answer. */
	public abstract void setOnStoreFailure(OnStoreFailure onStoreFailure);

	/** Whether rules only report what they would refuse. */
	public abstract Boolean getShadow();

	/** Whether rules only report what they would refuse. */
	public abstract void setShadow(Boolean shadow);

	/**
	 * Comma-separated list of the names of warnings that the owner of a rule has read.
	 * They are neither logged nor shown in the health.
	 */
	public abstract List<RuleWarning> getAcknowledge();

	/**
	 * Comma-separated list of the names of warnings that the owner of a rule has read.
	 * They are neither logged nor shown in the health.
	 */
	public abstract void setAcknowledge(List<RuleWarning> acknowledge);

	/** What is stored, in rules with on-limit enqueue. */
	public abstract EnqueueSettings getEnqueue();

	/** What is stored, in rules with on-limit enqueue. */
	public abstract void setEnqueue(EnqueueSettings enqueue);

	/** Response to a request above the limit. */
	public abstract RefusalSettings getRefusal();

	/** Response to a request above the limit. */
	public abstract void setRefusal(RefusalSettings refusal);

	/** A threshold in its long form. */
	abstract static class ThresholdSettings {

		/** Number of permits in a window. */
		public abstract Long getThreshold();

		/** Number of permits in a window. */
		public abstract void setThreshold(Long threshold);

		/** Length of the window. */
		public abstract String getWindow();

		/** Length of the window. */
		public abstract void setWindow(String window);

		/** Capacity of a bucket, for token-bucket and leaky-bucket. */
		public abstract Long getBurst();

		/** Capacity of a bucket, for token-bucket and leaky-bucket. */
		public abstract void setBurst(Long burst);

	}

	/** What a single customer gets. */
	abstract static class OverrideSettings {

		/**
		 * Customer as the key of the rule finds it. For ip an address or a CIDR range.
		 */
		public abstract List<String> getKey();

		/**
		 * Customer as the key of the rule finds it. For ip an address or a CIDR range.
		 */
		public abstract void setKey(List<String> key);

		/** What this customer gets. */
		public abstract List<ThresholdSettings> getThresholds();

		/** What this customer gets. */
		public abstract void setThresholds(List<ThresholdSettings> thresholds);

	}

	/** What is stored, in rules with on-limit enqueue. */
	abstract static class EnqueueSettings {

		/**
		 * Comma-separated list of the headers that are stored, in rules with on-limit
		 * enqueue. Needs ratelimit-starter-queue.
		 */
		public abstract List<String> getHeaders();

		/**
		 * Comma-separated list of the headers that are stored, in rules with on-limit
		 * enqueue. Needs ratelimit-starter-queue.
		 */
		public abstract void setHeaders(List<String> headers);

		/**
		 * Largest body of a request that is enqueued, up to 16MB, in rules with on-limit
		 * enqueue. Needs ratelimit-starter-queue.
		 */
		public abstract DataSize getMaxBody();

		/**
		 * Largest body of a request that is enqueued, up to 16MB, in rules with on-limit
		 * enqueue. Needs ratelimit-starter-queue.
		 */
		public abstract void setMaxBody(DataSize maxBody);

		/**
		 * How many requests of a rule may be enqueued, in rules with on-limit enqueue.
		 * Needs ratelimit-starter-queue.
		 */
		public abstract Integer getMaxTotal();

		/**
		 * How many requests of a rule may be enqueued, in rules with on-limit enqueue.
		 * Needs ratelimit-starter-queue.
		 */
		public abstract void setMaxTotal(Integer maxTotal);

		/**
		 * How much memory of Redis the requests of a rule may take, in rules with
		 * on-limit enqueue. Needs ratelimit-starter-queue.
		 */
		public abstract DataSize getMaxBytes();

		/**
		 * How much memory of Redis the requests of a rule may take, in rules with
		 * on-limit enqueue. Needs ratelimit-starter-queue.
		 */
		public abstract void setMaxBytes(DataSize maxBytes);

		/**
		 * How long a request may stay enqueued, 1s to 400d, in rules with on-limit
		 * enqueue. Needs ratelimit-starter-queue.
		 */
		public abstract Duration getMaxAge();

		/**
		 * How long a request may stay enqueued, 1s to 400d, in rules with on-limit
		 * enqueue. Needs ratelimit-starter-queue.
		 */
		public abstract void setMaxAge(Duration maxAge);

	}

	/** Response to a request above the limit. */
	abstract static class RefusalSettings {

		/** Status of the response to a request above the limit, 400 to 599. */
		public abstract Integer getStatus();

		/** Status of the response to a request above the limit, 400 to 599. */
		public abstract void setStatus(Integer status);

		/**
		 * Body of the response to a request above the limit, up to 64KB, instead of
		 * problem details.
		 */
		public abstract String getBody();

		/**
		 * Body of the response to a request above the limit, up to 64KB, instead of
		 * problem details.
		 */
		public abstract void setBody(String body);

		/** Content type of refusal.body, which is in UTF-8. */
		public abstract String getContentType();

		/** Content type of refusal.body, which is in UTF-8. */
		public abstract void setContentType(String contentType);

	}

	/** Values of scope. */
	enum ScopeValue {

		DATACENTER,

		EVERYWHERE

	}

	/** Values of on-limit. */
	enum OnLimitValue {

		REJECT,

		DELAY,

		ENQUEUE

	}

}
