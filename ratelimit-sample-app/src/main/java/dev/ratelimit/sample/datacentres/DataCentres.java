package dev.ratelimit.sample.datacentres;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.datacenters.Everywhere;
import dev.ratelimit.datacenters.PoolTerms;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The data centres {@code a} and {@code b}, and the lines between them.
 */
final class DataCentres implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(DataCentres.class);

	private final List<RedisServer> servers;

	private final List<Line> lines;

	private final List<DataCentre> all;

	private DataCentres(List<RedisServer> servers, List<Line> lines, List<DataCentre> all) {
		this.servers = servers;
		this.lines = lines;
		this.all = all;
	}

	/**
	 * Start both.
	 * @param options options of both applications, for example
	 * {@code --ratelimit.rules.shared.thresholds=60/1d}
	 */
	static DataCentres start(List<String> options) {
		RedisServer redisOfA = RedisServer.start();
		RedisServer redisOfB = RedisServer.start();
		Line toA = Line.to(redisOfA.port());
		Line toB = Line.to(redisOfB.port());
		DataCentre a = DataCentre.start("a", redisOfA, "b", toB, options);
		DataCentre b = DataCentre.start("b", redisOfB, "a", toA, options);
		List<DataCentre> all = List.of(a, b);
		all.forEach((each) -> logger.info("Data centre " + each.name() + " limits " + each.shared()));
		return new DataCentres(List.of(redisOfA, redisOfB), List.of(toA, toB), all);
	}

	List<RedisServer> servers() {
		return this.servers;
	}

	List<DataCentre> all() {
		return this.all;
	}

	Optional<DataCentre> find(String name) {
		return this.all.stream().filter((each) -> each.name().equals(name)).findFirst();
	}

	RLThreshold threshold() {
		return rule().allowances().thresholds().get(0);
	}

	/** How the data centres divide the threshold. */
	PoolTerms terms() {
		return PoolTerms.of((Everywhere) rule().counting().scope(), threshold().threshold(), this.all.size(), 0);
	}

	private RLConfig rule() {
		return this.all.get(0).rule();
	}

	boolean isCut() {
		return this.lines.stream().anyMatch(Line::isCut);
	}

	void cut() {
		this.lines.forEach(Line::cut);
	}

	void restore() {
		this.lines.forEach(Line::restore);
	}

	/** The applications first, as each reports at its end what it has taken. */
	@Override
	public void close() {
		List<AutoCloseable> closed = new ArrayList<>(this.all);
		closed.addAll(this.lines);
		closed.addAll(this.servers);
		for (AutoCloseable each : closed) {
			try {
				each.close();
			}
			catch (Exception ex) {
				logger.warn("Not closed: " + each, ex);
			}
		}
	}

}
