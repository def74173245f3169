package dev.ratelimit.store.redis.datacenter;

import java.util.List;

import dev.ratelimit.store.redis.resp.Script;

/**
 * The scripts by which data centres exchange what they have taken.
 *
 * @param message reads the message to another data centre
 * @param exchange stores the message of another data centre, and replies with one
 * @param configurations stores and returns the configurations of data centres
 * @param reset deletes what is counted for a client
 */
record PoolScripts(Script message, Script exchange, Script configurations, Script reset) {

	private static final String TEXT = "ReadText.lua";

	private static final String WINDOWS = "PooledWindows.lua";

	static PoolScripts load(String clock) {
		return new PoolScripts(script(clock, TEXT, WINDOWS, "PooledWindowMessage.lua"),
				script(clock, TEXT, WINDOWS, "PooledWindowExchange.lua"),
				script(clock, TEXT, "ReportedConfigurations.lua"), Script.load("Reset.lua"));
	}

	private static Script script(String clock, String... resources) {
		return Script.of(Script.readAll(List.of(resources)) + clock);
	}

}
