package dev.ratelimit.spi;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * Counts the permits of limits in Redis that have a scope of a module. A module declares
 * a bean of it; an application has at most one.
 */
public interface LimitScope {

	/**
	 * Whether limits of a scope are counted so.
	 * @param scope the scope
	 * @return whether they are; the same with every call
	 */
	boolean covers(RuleScope scope);

	/**
	 * The format of what is stored for a client.
	 * @return a letter and a digit, with which its keys end
	 */
	String format();

	/**
	 * The files of a script that declares {@code read}, {@code judge} and {@code write},
	 * as those of an algorithm do. Behind what these return for windows, a decision has
	 * one number more.
	 * @return the files, as {@link RedisScripts#load} takes them
	 */
	List<String> decision();

	/**
	 * The files of the script that releases permits.
	 * @return the files
	 */
	List<String> release();

	/**
	 * The arguments of a limit, behind those of a request.
	 * @param limit the limit
	 * @return the arguments; the same object as long as they do not change
	 */
	List<byte[]> arguments(Limit limit);

	/**
	 * A request was decided. Called on its thread, and must not wait.
	 * @param limit the limit
	 * @param subject the client
	 * @param number the last number of the decision
	 */
	void decided(Limit limit, Subject subject, long number);

	/**
	 * Delete what is counted for a client elsewhere.
	 * @param limit the limit
	 * @param subject the client
	 * @param maxWait how long to wait for each place
	 * @return whether it is deleted everywhere
	 */
	boolean reset(Limit limit, Subject subject, Duration maxWait);

	/**
	 * The part of a limit that this application may admit by itself while the store
	 * cannot answer.
	 * @param scope a scope that is covered
	 * @param total the limit
	 * @return the part, which all instances here share
	 */
	long share(RuleScope scope, long total);

}
