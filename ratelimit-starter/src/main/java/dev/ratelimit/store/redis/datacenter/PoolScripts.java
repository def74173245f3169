package dev.ratelimit.store.redis.datacenter;

import java.util.List;

import dev.ratelimit.store.redis.resp.Script;

/**
 * The scripts by which data centres exchange what they have taken.
 *
 * @param message reads what there is to tell another data centre
 * @param exchange receives what another one tells, and replies in kind
 * @param configuration stores how a data centre is configured
 * @param reset deletes what is counted for a client
 */
record PoolScripts(Script message, Script exchange, Script configuration, Script reset) {

	private static final String TEXT = "StoredText.lua";

	private static final String WINDOWS = "PooledWindows.lua";

	static PoolScripts load(String clock) {
		return new PoolScripts(script(clock, TEXT, WINDOWS, "PooledWindowMessage.lua"),
				script(clock, TEXT, WINDOWS, "PooledWindowExchange.lua"), script(clock, TEXT, "DataCenters.lua"),
				Script.load("Reset.lua"));
	}

	private static Script script(String clock, String... resources) {
		return Script.of(Script.readAll(List.of(resources)) + clock);
	}

}
