package dev.ratelimit.autoconfigure;

import dev.ratelimit.support.LogFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that a rule counts more clients in memory than it can count separately.
 */
final class SharedBucketsLog {

	private static final Logger logger = LoggerFactory.getLogger(SharedBucketsLog.class);

	private SharedBucketsLog() {
	}

	static void warn(String rule) {
		logger.atWarn()
			.addKeyValue(LogFields.RULE, rule)
			.log(("Rule %s counts more clients in the memory of this instance than it can tell apart: until some of "
					+ "them have gone, new ones share buckets and may be refused early. If a client can choose its key "
					+ "freely, put a rule with key: ip over the same path")
				.formatted(rule));
	}

}
