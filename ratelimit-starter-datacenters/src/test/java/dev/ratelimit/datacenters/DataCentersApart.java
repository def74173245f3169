package dev.ratelimit.datacenters;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.spi.RedisScripts.OpenedRedis;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.redis.ChangedScripts;
import dev.ratelimit.store.redis.ModuleStores;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TcpProxy;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.redis.WideAreaLine;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.wire.CallRunner;
import redis.clients.jedis.Jedis;

/**
 * Data centres with a Redis each, and a line between every two of them that can be cut.
 */
final class DataCentersApart implements AutoCloseable {

	static final Duration INTERVAL = Duration.ofMillis(20);

	private static final String VIEW = """
			local window = cmsgpack.unpack(redis.call('GET', KEYS[1]))[86400000]
			local view = { ARGV[1], tostring(window[3][2]) }
			for name, peer in pairs(window[3][3]) do
				view[#view + 1] = name
				view[#view + 1] = tostring(peer[1])
			end
			return view
			""";

	/** Whether all peers have acknowledged what the data centre took. */
	private static final String ACKNOWLEDGED = """
			local peers = 0
			for _, window in pairs(cmsgpack.unpack(redis.call('GET', KEYS[1]))) do
				for _, peer in pairs(window[3][3]) do
					peers = peers + 1
					if peer[3] < window[3][2] then
						return 0
					end
				end
			end
			return peers > 0 and 1 or 0
			""";

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final int SECONDS_UNTIL_COMPARED = 10;

	private final Map<String, RedisServer> servers = new LinkedHashMap<>();

	private final Map<String, TcpProxy> lines = new LinkedHashMap<>();

	private final Map<String, WideAreaLine> far = new LinkedHashMap<>();

	private final Map<String, RedisStore> stores = new LinkedHashMap<>();

	private final Map<String, SharedPools> pools = new LinkedHashMap<>();

	private Optional<UnaryOperator<String>> change = Optional.empty();

	private Optional<String> user = Optional.empty();

	private final Map<String, List<String>> peers = new HashMap<>();

	/** Servers by the data centres that use them, where it is not the right one. */
	private final Map<String, String> wrong = new HashMap<>();

	private String clock = Script.read(Script.CLOCK);

	DataCentersApart(String... names) {
		start(names);
		for (String from : names) {
			others(from).forEach((to) -> this.lines.put(from + to, TcpProxy.to(server(to).port())));
		}
	}

	/**
	 * Data centres that are far from each other.
	 * @param delay how long a request takes to arrive, and its reply
	 * @param jitter how much longer it may take
	 * @param names their names
	 */
	DataCentersApart(Duration delay, Duration jitter, String... names) {
		start(names);
		for (String from : names) {
			others(from).forEach((to) -> this.far.put(from + to, WideAreaLine.to(server(to).port(), delay, jitter)));
		}
	}

	private void start(String... names) {
		for (String name : names) {
			this.servers.put(name, RedisServer.start());
		}
	}

	/** Run the scripts of decisions with other texts. */
	DataCentersApart changed(UnaryOperator<String> other) {
		this.change = Optional.of(other);
		return this;
	}

	/** Let all clocks stand still at the same time, until {@link #time} sets one. */
	DataCentersApart stopped(Instant at) {
		this.clock = "return decide(tonumber(redis.call('GET', 'clock')))";
		this.servers.keySet().forEach((name) -> time(name, at));
		return this;
	}

	/** Set the clock of one data centre. */
	void time(String name, Instant at) {
		try (Jedis jedis = SharedRedis.connect(server(name))) {
			jedis.set("clock", Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, at)));
		}
	}

	/** Call the Redis of other data centres as a user whose password is secret. */
	DataCentersApart as(String name) {
		this.user = Optional.of(name);
		return this;
	}

	/** Configure only these peers of a data centre. */
	DataCentersApart peers(String name, String... some) {
		this.peers.put(name, List.of(some));
		return this;
	}

	/**
	 * Configure a wrong address.
	 * @param from the data centre in which it is configured
	 * @param to the one whose Redis should be there; the same for its own
	 * @param other the one whose Redis is there
	 */
	DataCentersApart misdirect(String from, String to, String other) {
		this.wrong.put(from + to, other);
		return this;
	}

	/** A limit that all data centres share. */
	static Limit everywhere(String rule, String... thresholds) {
		return everywhere(Everywhere.DEFAULT, rule, thresholds);
	}

	static Limit everywhere(Everywhere scope, String rule, String... thresholds) {
		return Limits.of(RLConfig.builder(rule)
			.algorithm(Algorithm.FIXED_WINDOW)
			.scope(new Everywhere(scope.guaranteedSharePercent(), scope.poolOvershootPercent(), INTERVAL))
			.thresholds(thresholds));
	}

	RedisServer server(String name) {
		return this.servers.get(name);
	}

	/** The line over which one data centre calls another. */
	TcpProxy line(String from, String to) {
		return this.lines.get(from + to);
	}

	/** The same where the data centres are far from each other. */
	WideAreaLine far(String from, String to) {
		return this.far.get(from + to);
	}

	private int port(String from, String to) {
		if (this.wrong.containsKey(from + to)) {
			return server(this.wrong.get(from + to)).port();
		}
		return this.far.isEmpty() ? line(from, to).port() : far(from, to).port();
	}

	private Stream<String> others(String name) {
		return this.servers.keySet().stream().filter((other) -> !other.equals(name));
	}

	/** Open an instance of each data centre, which exchanges these limits. */
	DataCentersApart open(Limit... limits) {
		this.servers.keySet().forEach((name) -> instance(name, "same", limits));
		for (String name : this.servers.keySet()) {
			// A start waits once; a busy machine may take longer.
			for (int i = 0; i < SECONDS_UNTIL_COMPARED; i++) {
				pools(name).awaitComparison();
			}
		}
		return this;
	}

	/** Open another instance, which is the one of its data centre from now on. */
	RedisStore open(String name, String keyHash, Limit... limits) {
		Optional.ofNullable(this.pools.remove(name)).ifPresent(SharedPools::close);
		Optional.ofNullable(this.stores.remove(name)).ifPresent(RedisStore::close);
		return instance(name, keyHash, limits);
	}

	private RedisStore instance(String name, String keyHash, Limit... limits) {
		Map<String, OpenedRedis> peers = new LinkedHashMap<>();
		this.peers.getOrDefault(name, others(name).toList())
			.forEach((to) -> peers.put(to, scripts(runner(peer("127.0.0.1:" + port(name, to))), keyHash)));
		CallRunner home = home(name);
		SharedPools shared = new SharedPools(new Peers(name, peers, System::nanoTime), scripts(home, keyHash));
		RedisStore store = ModuleStores.store(home, shared, this.clock);
		this.pools.put(name, shared);
		this.stores.put(name, store);
		if (limits.length > 0) {
			shared.retain(List.of(limits));
		}
		return store;
	}

	private OpenedRedis scripts(CallRunner runner, String keyHash) {
		return ModuleStores.scripts(runner, keyHash, this.clock);
	}

	private CallRunner home(String name) {
		CallRunner home = runner(
				TestConnectionDetails.standalone(server(this.wrong.getOrDefault(name + name, name)).address()));
		return this.change.<CallRunner>map((other) -> new ChangedScripts(home, other)).orElse(home);
	}

	private TestConnectionDetails peer(String address) {
		TestConnectionDetails details = TestConnectionDetails.standalone(address);
		return this.user.map((name) -> details.as(name, "secret")).orElse(details);
	}

	private static CallRunner runner(TestConnectionDetails details) {
		return new RedisConnections(details, new RedisStoreSettings(SharedRedis.PREFIX, Duration.ofMillis(500), 8, 100))
			.open();
	}

	RedisStore store(String name) {
		return this.stores.get(name);
	}

	SharedPools pools(String name) {
		return this.pools.get(name);
	}

	/** How many of some requests a data centre admits. */
	int admitted(String name, Limit limit, String subject, int requests) {
		return admitted(name, limit, subject, requests, 1);
	}

	/** How many of some requests of a cost a data centre admits. */
	int admitted(String name, Limit limit, String subject, int requests, long cost) {
		int admitted = 0;
		for (int i = 0; i < requests; i++) {
			if (StoreRequests.isAdmitted(
					StoreRequests.acquire(store(name), StoreRequests.request(limit, subject, cost), PATIENCE))) {
				admitted++;
			}
		}
		return admitted;
	}

	/**
	 * What a data centre knows to be taken from the pool of a day.
	 * @param name its name
	 * @param counted rule and subject
	 * @return the permits by data centre
	 */
	Map<String, String> view(String name, String counted) {
		try (Jedis jedis = SharedRedis.connect(server(name))) {
			List<?> parts = (List<?>) jedis.eval(VIEW, List.of(SharedRedis.PREFIX + ":{" + counted + "}:e1"),
					List.of(name));
			Map<String, String> view = new HashMap<>();
			for (int i = 0; i < parts.size(); i += 2) {
				view.put((String) parts.get(i), (String) parts.get(i + 1));
			}
			return view;
		}
	}

	/** Whether all peers have acknowledged what a data centre took for a client. */
	boolean isAcknowledged(String name, String counted) {
		try (Jedis jedis = SharedRedis.connect(server(name))) {
			return Long.valueOf(1)
				.equals(jedis.eval(ACKNOWLEDGED, List.of(SharedRedis.PREFIX + ":{" + counted + "}:e1"), List.of()));
		}
	}

	/** The calls of scripts in the Redis of a data centre. */
	long calls(String name) {
		return calls(SharedRedis.info(server(name), "commandstats"), "evalsha");
	}

	/** The calls of scripts that have only read. Each of them reads one key. */
	long reads(String name) {
		String statistics = SharedRedis.info(server(name), "commandstats");
		return calls(statistics, "get") - calls(statistics, "set");
	}

	private static long calls(String statistics, String command) {
		Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(statistics);
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

	@Override
	public void close() {
		List<AutoCloseable> all = new ArrayList<>(this.pools.values());
		all.addAll(this.stores.values());
		all.addAll(this.lines.values());
		all.addAll(this.far.values());
		all.addAll(this.servers.values());
		for (AutoCloseable each : all) {
			try {
				each.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

}
