package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * A workload and its contenders.
 *
 * @param workload the workload
 * @param floor the reference of the others
 * @param peers the others
 */
record Suite(Workload workload, Peer floor, List<Peer> peers) {

	private static final String OVER_HTTP = ", over HTTP";

	/** Far below the machine's capacity, so that no request queues. */
	private static final int UNHURRIED = 5000;

	static List<Suite> all() {
		return List.of(direct(Workload.admitted("admitted", "", Workload.THREADS)), direct(Workload.hot("hot", "")),
				memory(), refused(), direct(Workload.paced(UNHURRIED)), direct(Workload.virtual(64)),
				direct(Workload.virtual(256)),
				new Suite(Workload.admitted("http", OVER_HTTP, Workload.THREADS), HttpPeers.NO_LIMITER,
						HttpPeers.withControl()),
				new Suite(Workload.hot("http-hot", OVER_HTTP), HttpPeers.NO_LIMITER, HttpPeers.withControl()),
				new Suite(Workload.refused("http-refused", OVER_HTTP), HttpPeers.ALWAYS_REFUSED, HttpPeers.all()));
	}

	/** The contenders that support keys of a Redis Cluster in the same way. */
	static Suite cluster() {
		List<Peer> peers = new ArrayList<>(Ours.all());
		peers.add(Peers.BUCKET4J_JEDIS);
		return inCluster("cluster", "", peers);
	}

	/** Most decisions need two nodes. */
	static Suite clusterWithTwoRules() {
		return inCluster("cluster-two-rules", ", two rules", Ours.withTwoRules());
	}

	private static Suite inCluster(String id, String more, List<Peer> peers) {
		return new Suite(Workload.admitted(id, ", Redis Cluster of three masters" + more, Workload.THREADS),
				Floors.INCR, peers);
	}

	/**
	 * Decisions in Memcached beside those in Redis and the floor of each. The first peer
	 * is the reference of the others.
	 */
	static Suite memcached(Memcached server) {
		MemcachedPeers memcached = new MemcachedPeers(server);
		List<Peer> peers = new ArrayList<>(List.of(Floors.INCR));
		peers.addAll(memcached.ours());
		Ours.all().stream().filter((peer) -> isInMemcachedToo(peer.title())).forEach(peers::add);
		return new Suite(Workload.admitted("memcached", ", Memcached beside Redis", Workload.THREADS),
				memcached.floor(), peers);
	}

	private static boolean isInMemcachedToo(String title) {
		return title.endsWith("fixed-window") || title.endsWith("sliding-window-counter");
	}

	/** Those that need no call of Redis for nearly all decisions. */
	private static Suite memory() {
		List<Peer> peers = new ArrayList<>(List.of(Peers.BUCKET4J_DELAYING));
		peers.addAll(Ours.local());
		return new Suite(Workload.memory(), Floors.INCR, peers);
	}

	/** Only this workload shows a difference when refusals are cached. */
	private static Suite refused() {
		Suite suite = direct(Workload.refused("refused", ""));
		List<Peer> peers = new ArrayList<>(suite.peers());
		peers.add(Ours.withoutDenyCache());
		return new Suite(suite.workload(), suite.floor(), peers);
	}

	private static Suite direct(Workload workload) {
		List<Peer> peers = new ArrayList<>(List.of(Floors.EMPTY_SCRIPT));
		peers.addAll(Ours.all());
		peers.add(Ours.withoutSharing());
		peers.addAll(Ours.local());
		peers.addAll(Peers.all());
		return new Suite(workload, Floors.INCR, peers);
	}

	/** Whether Redis reports what the decisions cost it. */
	boolean isInRedis() {
		return !this.floor.title().equals(MemcachedPeers.FLOOR);
	}

	boolean isOverHttp() {
		return this.workload.title().endsWith(OVER_HTTP);
	}

	/** The peers that are also a reference for the others. */
	boolean isReference(Peer peer) {
		return peer.title().startsWith("bucket4j") && peer.title().endsWith(", Jedis");
	}

	/**
	 * The same suite with some of its peers.
	 * @param titles parts of the titles of those that take part; empty for all
	 * @return the suite with the remaining peers, in the same order
	 */
	Suite only(List<String> titles) {
		List<Peer> some = this.peers.stream()
			.filter((peer) -> titles.isEmpty() || titles.stream().anyMatch(peer.title()::contains))
			.toList();
		if (some.isEmpty()) {
			throw new IllegalArgumentException(
					"No contender of " + this.workload.id() + " has one of these in its title: " + titles
							+ ". There are: " + this.peers.stream().map(Peer::title).toList());
		}
		return new Suite(this.workload, this.floor, some);
	}

	boolean canRun() {
		return this.workload.canRun();
	}

}
