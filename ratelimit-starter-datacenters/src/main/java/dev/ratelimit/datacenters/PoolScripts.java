package dev.ratelimit.datacenters;

import java.util.List;

import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RedisScripts.LoadedScript;

/**
 * The scripts by which data centres exchange what they have taken.
 *
 * @param message reads the message to another data centre
 * @param exchange stores the message of another data centre, and replies with one
 * @param configurations stores and returns the configurations of data centres
 * @param reset deletes what is counted for a client
 */
record PoolScripts(LoadedScript message, LoadedScript exchange, LoadedScript configurations, LoadedScript reset) {

	private static final String FOLDER = "/dev/ratelimit/datacenters/";

	private static final String TEXT = "ReadText.lua";

	private static final String WINDOWS = FOLDER + "PooledWindows.lua";

	/** Decides, as the script of an algorithm does. */
	static final List<String> DECISION = List.of(TEXT, WINDOWS, FOLDER + "PooledWindow.lua");

	/** Releases permits. */
	static final List<String> RELEASE = List.of(TEXT, WINDOWS, FOLDER + "PooledWindowRelease.lua");

	static PoolScripts load(RedisScripts redis) {
		return new PoolScripts(redis.load(TEXT, WINDOWS, FOLDER + "PooledWindowMessage.lua", RedisScripts.CLOCK),
				redis.load(TEXT, WINDOWS, FOLDER + "PooledWindowExchange.lua", RedisScripts.CLOCK),
				redis.load(TEXT, FOLDER + "ReportedConfigurations.lua", RedisScripts.CLOCK), redis.load("Reset.lua"));
	}

}
