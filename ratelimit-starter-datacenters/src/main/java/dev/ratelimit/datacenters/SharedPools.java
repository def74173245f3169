package dev.ratelimit.datacenters;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.spi.LimitScope;
import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RedisScripts.OpenedRedis;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.LogFields;
import dev.ratelimit.support.Restartable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange between data centres of what they have taken of the limits that they
 * share. A decision is made in the Redis here, and waits for no other one. Safe for
 * concurrent use. Tested by {@code SharedPoolsTests}.
 */
final class SharedPools implements LimitScope, Restartable {

	/** Windows whose limit several data centres share. */
	private static final String FORMAT = "e1";

	/**
	 * What a script replies where most is taken of what may be taken without an
	 * acknowledgement.
	 */
	private static final long SOON = 2;

	/** What a script replies where it refused only as an acknowledgement is missing. */
	private static final long MISSING = 3;

	private static final Logger logger = LoggerFactory.getLogger(SharedPools.class);

	private final DataCenters dataCenters;

	private final PooledLimits limits;

	private final Peers peers;

	private final Function<String, PeerExchange> exchangeWith;

	private final LongAdder missing = new LongAdder();

	private volatile List<PeerExchange> exchanges;

	private volatile Collection<Limit> inForce = List.of();

	/**
	 * Create the exchange. It starts with the first rule that needs it.
	 * @param peers the other data centres; their connections are closed with the exchange
	 * @param home scripts in the Redis here
	 */
	SharedPools(Peers peers, RedisScripts home) {
		this.dataCenters = peers.dataCenters();
		this.limits = new PooledLimits(this.dataCenters);
		PoolScripts scripts = PoolScripts.load(home);
		ReportedConfigurations configurations = new ReportedConfigurations(this.dataCenters, home.keyPrefix(),
				home.fingerprint(), scripts.configurations());
		ExchangeCallFactory calls = new ExchangeCallFactory(this.dataCenters.name(), scripts, this.limits,
				(limit, subject) -> home.key(limit, subject, FORMAT));
		this.peers = peers;
		this.exchangeWith = (peer) -> new PeerExchange(peer, home, Objects.requireNonNull(peers.redis().get(peer)),
				configurations, calls, peers.nanoTime());
		this.exchanges = exchanges();
	}

	private List<PeerExchange> exchanges() {
		List<PeerExchange> exchanges = this.peers.dataCenters().peers().stream().map(this.exchangeWith).toList();
		exchanges.forEach((exchange) -> exchange.onComparison(this::openOrClose));
		return exchanges;
	}

	/** Synchronized, so that no older result replaces a newer one. */
	private synchronized void openOrClose() {
		this.limits.open(this.exchanges.stream().allMatch(PeerExchange::hasNoDifference));
	}

	@Override
	public boolean covers(RuleScope scope) {
		return scope instanceof Everywhere;
	}

	@Override
	public String format() {
		return FORMAT;
	}

	@Override
	public List<String> decision() {
		return PoolScripts.DECISION;
	}

	@Override
	public List<String> release() {
		return PoolScripts.RELEASE;
	}

	@Override
	public List<byte[]> arguments(Limit limit) {
		return this.limits.arguments(limit);
	}

	/** Only what is guaranteed to this data centre. */
	@Override
	public long share(RuleScope scope, long total) {
		return this.dataCenters.terms((Everywhere) scope, total).share();
	}

	/** Queues what the decision leaves to be exchanged; 0 is nothing. */
	@Override
	public void decided(Limit limit, Subject subject, long need) {
		if (need > 0) {
			PooledSubject pooled = new PooledSubject(limit, subject);
			for (PeerExchange exchange : this.exchanges) {
				exchange.add(pooled, need >= SOON);
			}
		}
		if (need == MISSING) {
			this.missing.increment();
		}
	}

	/**
	 * Exchange for the limits of these rules, as often as the most urgent of them needs,
	 * and for no others.
	 * @param inForce the limits of the rules in force; without any, nothing is exchanged
	 */
	void retain(Collection<Limit> inForce) {
		this.inForce = List.copyOf(inForce);
		this.limits.retain(inForce);
		Optional<Duration> shortest = inForce.stream()
			.map(Limit::scope)
			.filter(Everywhere.class::isInstance)
			.map((scope) -> ((Everywhere) scope).exchangeInterval())
			.min(Duration::compareTo);
		if (shortest.isPresent()) {
			this.exchanges.forEach((exchange) -> exchange.start(shortest.get()));
		}
		else {
			this.exchanges.forEach(PeerExchange::rest);
			this.limits.open(false);
		}
	}

	/**
	 * Wait until the configurations of all data centres are compared, which opens the
	 * pools; at most a second, because one may be away.
	 */
	void awaitComparison() {
		long end = this.peers.nanoTime().getAsLong() + PeerExchange.PATIENCE.toNanos();
		try {
			for (PeerExchange exchange : this.exchanges) {
				exchange.awaitComparison(end);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Waits for each data centre in turn. */
	@Override
	public boolean reset(Limit limit, Subject subject, Duration maxWait) {
		List<String> silent = this.exchanges.stream()
			.filter((exchange) -> !exchange.reset(new PooledSubject(limit, subject), maxWait))
			.map(PeerExchange::peer)
			.toList();
		if (!silent.isEmpty()) {
			logger.atWarn()
				.addKeyValue(LogFields.RULE, limit.rule())
				.addKeyValue(LogFields.PEER, silent)
				.log("A client of rule '%s' was reset, but still counts in %s, which did not reply. Reset it again"
					.formatted(limit.rule(), String.join(", ", silent)));
		}
		return silent.isEmpty();
	}

	/**
	 * What is known of the other data centres. Makes no call.
	 * @return one entry per data centre, in the order of their names
	 */
	List<PeerStatus> peers() {
		return this.exchanges.stream().map(PeerExchange::status).toList();
	}

	/**
	 * How many requests were refused only as an acknowledgement was missing.
	 * @return their number since the start
	 */
	long missing() {
		return this.missing.sum();
	}

	/** The configurations are compared again before anything is exchanged. */
	@Override
	public void restart() {
		this.peers.redis().values().forEach(OpenedRedis::restart);
		this.exchanges = exchanges();
		openOrClose();
		retain(this.inForce);
	}

	@Override
	public void close() {
		this.exchanges.forEach(PeerExchange::end);
		this.exchanges.forEach(PeerExchange::close);
	}

}
