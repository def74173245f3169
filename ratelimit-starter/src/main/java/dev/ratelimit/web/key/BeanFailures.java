package dev.ratelimit.web.key;

import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Handles the failures of a bean that a rule names, which throws or returns null: the
 * request goes on, the failure is metered, and it is logged at most once a minute.
 */
public final class BeanFailures {

	private static final Log logger = LogFactory.getLog(BeanFailures.class);

	private final String rule;

	private final String property;

	private final RequestBeans beans;

	private final QuietWarning warning;

	/**
	 * Create the failure handling of a bean.
	 * @param rule the id of the rule
	 * @param property the key of the rule that names the bean
	 * @param bean the name of the bean
	 * @param instead what applies to the request instead of the bean's result
	 * @param beans where failures are reported
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public BeanFailures(String rule, String property, String bean, String instead, RequestBeans beans,
			LongSupplier nanoTime) {
		this.rule = rule;
		this.property = property;
		this.beans = beans;
		this.warning = new QuietWarning(rule,
				"Bean '%s' (%s of rate limit rule '%s') threw an exception or answered null, so that %s. DEBUG of %s shows the exception."
					.formatted(bean, property, rule, instead, BeanFailures.class.getName()),
				nanoTime);
	}

	/**
	 * Report that the bean has failed.
	 * @param failure what it threw, which may repeat text of a client
	 */
	public void failed(Exception failure) {
		this.beans.failed(this.rule, this.property);
		this.warning.warn();
		logger.debug("A bean that a rate limit rule names has failed", failure);
	}

}
