package dev.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Puts a method, or all methods of a class, under a rate limit rule: one of the
 * configuration, named by its id, or one that is written here with {@link #thresholds}.
 * Either way it is a rule like any other, with the defaults of
 * {@code ratelimit.defaults}, the same metrics, and in the same endpoint.
 *
 * <pre class="code">
 * &#64;RateLimited("redeem")
 * &#64;RateLimited(thresholds = "10/1s", key = "header:X-Api-Key")
 * </pre>
 *
 * On a handler method of a controller a request is decided before its arguments are read,
 * and refused like by the filter. A rule that has counted the request already, because of
 * its path, does not count it again.
 * <p>
 * On a method of any other bean each call from another bean is decided, on the calling
 * thread, before a transaction begins or a task is handed to another thread. A refused
 * call throws {@link RateLimitExceededException}, or goes to {@link #fallbackMethod}. A
 * private, static or final method cannot be intercepted and stops the start.
 * <p>
 * It may be repeated and stand on other annotations. All rules of a method and of its
 * class must admit; where both name the same rule, the method's annotation counts. It is
 * found on interfaces and superclasses too, as long as nothing nearer has one.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(RateLimited.List.class)
public @interface RateLimited {

	/**
	 * The id of a rule of the configuration; with {@link #thresholds} the id of the rule
	 * that is written here, by default made from the names of class and method
	 * ({@code order-service-place}).
	 * @return the id
	 */
	String value() default "";

	/**
	 * Makes this a rule of its own: its windows in the short form, such as
	 * {@code "500/2s"}.
	 * @return the thresholds, all of which must hold
	 */
	String[] thresholds() default {};

	/**
	 * Who is counted; by default as {@code ratelimit.defaults.key} says, or {@code ip}.
	 * On a controller the sources of a rule's key, such as {@code header:X-Api-Key}. On
	 * other beans also an argument, {@code arg:orderId}, or an expression over arguments,
	 * {@code #order.customer}; with the id of a rule of the configuration these give the
	 * values of its key.
	 * @return one source, or several that form a tuple
	 */
	String[] key() default {};

	/**
	 * How a rule that is written here counts, such as {@code token-bucket}. By default as
	 * {@code ratelimit.defaults.algorithm} says, or {@code sliding-window-log}.
	 * @return the algorithm
	 */
	String algorithm() default "";

	/**
	 * How many permits a call costs, in the place of what the rule says: a whole number;
	 * on a controller also {@code bean:NAME}, on other beans an expression over arguments
	 * such as {@code #items.size()}.
	 * @return the cost
	 */
	String cost() default "";

	/**
	 * When the rule applies, in the place of what the rule says. On a controller a
	 * condition of a rule; on other beans an expression over arguments such as
	 * {@code #message.risky}.
	 * @return the condition
	 */
	String when() default "";

	/**
	 * A method of the same class that answers refused calls: with the same parameters,
	 * and perhaps a {@link RateLimitExceededException} behind them. Not on controllers.
	 * @return its name
	 */
	String fallbackMethod() default "";

	/**
	 * What becomes of a call that the rule has no room for. With {@link OnLimit#DELAY} it
	 * waits on the calling thread for its turn, as {@link RateLimiter#acquire} does, and
	 * for no longer than {@link #maxWait}; that needs a rule that gives turns. Rules that
	 * do not delay are asked when the wait is over. Not on controllers: there a rule that
	 * says {@code on-limit: delay} is named.
	 * @return what becomes of it
	 */
	OnLimit onLimit() default OnLimit.REJECT;

	/**
	 * How long a call waits for its turn at most, with {@link OnLimit#DELAY}: a duration
	 * such as {@code 500ms}.
	 * @return the longest wait
	 */
	String maxWait() default "2s";

	/** What becomes of a call that a rule has no room for. */
	enum OnLimit {

		/** It is refused. */
		REJECT,

		/** It waits for its turn. */
		DELAY

	}

	/**
	 * Several of them on one element; the compiler writes it.
	 */
	@Target({ ElementType.TYPE, ElementType.METHOD })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface List {

		/**
		 * The annotations.
		 * @return all of them
		 */
		RateLimited[] value();

	}

}
