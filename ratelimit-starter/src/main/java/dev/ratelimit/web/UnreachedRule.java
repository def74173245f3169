package dev.ratelimit.web;

import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.support.LogFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once of a rule behind Spring Security whose requests are always answered before.
 * Tested by {@code SecurityStagesTests}.
 */
final class UnreachedRule {

	/** A single login that fails says nothing. */
	private static final int MANY = 100;

	private static final Logger logger = LoggerFactory.getLogger(UnreachedRule.class);

	private UnreachedRule() {
	}

	/** A request that the rule covers was answered before it reached the rule. */
	static void miss(CompiledRule rule) {
		if (rule.reach().miss() == MANY) {
			logger.atWarn()
				.addKeyValue(LogFields.RULE, rule.id())
				.log("Rule '{}' limits nothing so far: the first {} requests that it covers were answered before they "
						+ "reached it, by Spring Security or another filter. {}. This is logged once.", rule.id(), MANY,
						cure(rule.config()));
		}
	}

	private static String cure(RLConfig rule) {
		boolean needsSecurity = rule.enforcement().onLimit().isHandledLater()
				|| Stream.concat(rule.key().sources().stream(), rule.allowances().plans().key().stream())
					.anyMatch(UnreachedRule::isOfUser);
		return needsSecurity
				? "Put a rule with key: ip and count-on: failure over the same paths, which is decided before Spring Security"
				: "Set stage: before-security in it";
	}

	private static boolean isOfUser(KeySource source) {
		return source.kind() == KeySource.Kind.PRINCIPAL || source.kind() == KeySource.Kind.CLAIM;
	}

}
