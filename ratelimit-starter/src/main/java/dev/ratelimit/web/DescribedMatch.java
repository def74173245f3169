package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleApplicationFacts;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.Explained.Applies;
import dev.ratelimit.web.RouteTable.Match;

/**
 * Explains which subject a rule counts for a described request that the rule covers.
 * Tested by {@code ExplainTests}.
 *
 * @param match the rule
 * @param request the request
 * @param subjects encodes keys
 */
record DescribedMatch(Match match, DescribedRequest request, SubjectEncoder subjects) implements RuleApplicationFacts {

	/** How the rule applies, and why. */
	Explained explain() {
		RuleApplication application = RuleApplication.of(rule(), this, this.subjects);
		if (application instanceof RuleApplication.Counts counts) {
			return counts.key().isEmpty() ? explained(withoutKey(), subject(counts))
					: explained(covers(), Optional.of(counts.ruleRequest()));
		}
		return (application instanceof RuleApplication.Denies) ? explained(withoutKey(), Optional.empty())
				: new Explained(rule().config(), Applies.NO, withoutKey(), Optional.empty());
	}

	private String covers() {
		long missed = rule().reach().missed();
		return match().pattern() + " covers it" + ((missed > 0)
				? ", but the " + missed + " requests so far were answered before they reached the rule" : "");
	}

	private String withoutKey() {
		RLConfig rule = rule().config();
		return covers() + "; the key " + rule.key().sources() + " is not given in key or ip; without it, the rule "
				+ switch (rule.key().onMissing()) {
					case DENY -> "refuses (on-missing-key is deny)";
					case SKIP -> "does not apply (on-missing-key is skip)";
					case SHARED -> "counts all such requests together (on-missing-key is shared)";
					case IP -> "counts by the address (on-missing-key is ip)";
				};
	}

	/** Every request has an address, even if its description has none. */
	private Optional<RuleRequest> subject(RuleApplication.Counts counts) {
		boolean lacksAddress = rule().config().key().onMissing() == OnMissingKey.IP && address().isEmpty();
		return lacksAddress ? Optional.empty() : Optional.of(counts.ruleRequest());
	}

	private Explained explained(String reason, Optional<RuleRequest> ruleRequest) {
		RLConfig rule = rule().config();
		if (rule.requests().when() instanceof Condition.Always) {
			return new Explained(rule, Applies.YES, reason, ruleRequest);
		}
		return new Explained(rule, Applies.UNKNOWN, reason + "; whether its condition holds, " + rule.requests().when()
				+ ", is not known without a request", ruleRequest);
	}

	/** A condition can only be evaluated on a real request; here, it holds. */
	@Override
	public boolean meetsCondition() {
		return true;
	}

	@Override
	public Optional<List<String>> key() {
		Iterator<String> reported = reported().iterator();
		List<String> values = new ArrayList<>();
		for (KeySource source : rule().config().key().sources()) {
			Optional<String> value = switch (source.kind()) {
				case IP -> this.request.address();
				case GLOBAL -> Optional.of("");
				case PATH ->
					Optional.ofNullable(match().variables().get(source.name())).filter((text) -> !text.isBlank());
				case PRINCIPAL, SESSION, HEADER, COOKIE, QUERY, CLAIM, BEAN, ARG ->
					reported.hasNext() ? Optional.of(reported.next()) : Optional.empty();
			};
			if (value.isEmpty()) {
				return Optional.empty();
			}
			values.add(value.get());
		}
		return Optional.of(values);
	}

	@Override
	public Optional<String> plan() {
		return this.request.plan();
	}

	@Override
	public long cost() {
		return 1;
	}

	@Override
	public Optional<String> address() {
		return this.request.address();
	}

	@Override
	public RuleRequest withTurn(RuleRequest ruleRequest) {
		return ruleRequest;
	}

	/**
	 * With one key source, a comma belongs to the client's value; only with several does
	 * it separate values.
	 */
	private List<String> reported() {
		long sources = rule().config().key().sources().stream().filter(DescribedMatch::isGivenInKey).count();
		List<String> values = this.request.key()
			.map((key) -> (sources == 1) ? List.of(key) : List.of(key.split(",", -1)))
			.orElse(List.of());
		return (values.size() == sources) ? values : List.of();
	}

	private static boolean isGivenInKey(KeySource source) {
		return switch (source.kind()) {
			case IP, GLOBAL, PATH -> false;
			case PRINCIPAL, SESSION, HEADER, COOKIE, QUERY, CLAIM, BEAN, ARG -> true;
		};
	}

	private CompiledRule rule() {
		return match().route().rule();
	}

}
