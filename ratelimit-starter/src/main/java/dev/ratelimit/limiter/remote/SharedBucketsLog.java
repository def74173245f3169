package dev.ratelimit.limiter.remote;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Says in the log that a rule counts more clients in memory than it tells apart.
 */
public final class SharedBucketsLog {

	private static final Log logger = LogFactory.getLog(SharedBucketsLog.class);

	private SharedBucketsLog() {
	}

	/**
	 * Say so.
	 * @param rule the id of the rule
	 */
	public static void warn(String rule) {
		logger.warn(("Rule %s counts more clients in the memory of this instance than it tells apart: until some of "
				+ "them have gone, new ones share buckets and may be refused early. If a client can choose its key "
				+ "freely, put a rule with key: ip over the same path")
			.formatted(rule));
	}

}
