package dev.ratelimit.sample.applications;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.ratelimit.actuate.RateLimitHealthIndicator;
import dev.ratelimit.datacenters.Everywhere;
import dev.ratelimit.datacenters.PoolTerms;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.RLConfig;

/**
 * The data centres {@code a} and {@code b}, each an application with a Redis of its own,
 * and the lines between them.
 */
final class DataCentres implements AutoCloseable {

	private final List<RedisServer> servers;

	private final List<Line> lines;

	private final List<Application> applications;

	private DataCentres(List<RedisServer> servers, List<Line> lines, List<Application> applications) {
		this.servers = servers;
		this.lines = lines;
		this.applications = applications;
	}

	static DataCentres start() {
		RedisServer redisOfA = RedisServer.start();
		RedisServer redisOfB = RedisServer.start();
		Line toA = Line.to(redisOfA.port());
		Line toB = Line.to(redisOfB.port());
		return new DataCentres(List.of(redisOfA, redisOfB), List.of(toA, toB),
				List.of(start("a", redisOfA, "b", toB), start("b", redisOfB, "a", toA)));
	}

	private static Application start(String name, RedisServer redis, String peer, Line line) {
		return Application.start("datacentre", "--spring.data.redis.host=" + redis.host(),
				"--spring.data.redis.port=" + redis.port(), "--ratelimit.datacenter.name=" + name,
				"--ratelimit.datacenter.peers." + peer + ".host=127.0.0.1",
				"--ratelimit.datacenter.peers." + peer + ".port=" + line.port());
	}

	Map<String, URI> uris() {
		return Map.of("a", this.applications.get(0).uri(), "b", this.applications.get(1).uri());
	}

	List<RedisServer> servers() {
		return this.servers;
	}

	/** How the data centres divide the threshold of their only rule. */
	PoolTerms terms() {
		RLConfig rule = this.applications.get(0).bean(ActiveRules.class).get().ruleSet().rules().get(0);
		return PoolTerms.of((Everywhere) rule.counting().scope(), rule.allowances().thresholds().get(0).threshold(),
				this.applications.size(), 0);
	}

	/**
	 * Does the health of each data centre report that it exchanges with the other one?
	 */
	boolean isExchanging() {
		return this.applications.stream()
			.map((each) -> Objects.requireNonNull(each.bean(RateLimitHealthIndicator.class).health()).getDetails())
			.allMatch((details) -> details.get("dataCenters") instanceof Map<?, ?> states
					&& states.values().stream().allMatch("exchanging"::equals));
	}

	boolean isCut() {
		return this.lines.stream().anyMatch(Line::isCut);
	}

	void cut(boolean cut) {
		this.lines.forEach(cut ? Line::cut : Line::restore);
	}

	/** The applications first, as each reports at its end what it has taken. */
	@Override
	public void close() {
		List<AutoCloseable> closed = new ArrayList<>(this.applications);
		closed.addAll(this.lines);
		closed.addAll(this.servers);
		Applications.close(closed);
	}

}
