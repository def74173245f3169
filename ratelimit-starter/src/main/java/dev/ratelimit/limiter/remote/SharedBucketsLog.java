package dev.ratelimit.limiter.remote;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs that a rule counts more clients in memory than it can count separately.
 */
public final class SharedBucketsLog {

	private static final Log logger = LogFactory.getLog(SharedBucketsLog.class);

	private SharedBucketsLog() {
	}

	/**
	 * Log a warning.
	 * @param rule the id of the rule
	 */
	public static void warn(String rule) {
		logger.warn(("Rule %s counts more clients in the memory of this instance than it can tell apart: until some of "
				+ "them have gone, new ones share buckets and may be refused early. If a client can choose its key "
				+ "freely, put a rule with key: ip over the same path")
			.formatted(rule));
	}

}
