package dev.ratelimit.proof;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.proof.Load.Request;
import dev.ratelimit.rule.Mode;

/**
 * The rules for a crowd of addresses. Each mode has two: one that responds with 503 if
 * Redis cannot be called, and one that then counts alone.
 *
 * @param algorithms the modes, and the algorithm of each
 * @param limit the limit of every rule
 * @param size how many addresses send requests
 * @param clients how many clients do so at a time, to each instance
 */
record CrowdRules(Map<Mode.ModeKind, String> algorithms, int limit, int size, int clients) {

	static final int INSTANCES = 2;

	private static final String HEAD = """
			ratelimit.deadline: %dms
			ratelimit.trusted-proxies: 127.0.0.1
			ratelimit.deny-cache: 0
			ratelimit.defaults.key: ip
			ratelimit.rules:
			""";

	private static final String RULES = """
			  deny-%1$s: {mode: %1$s, algorithm: %2$s, paths: %3$s, thresholds: %5$d/1h, on-store-failure: deny}
			  local-%1$s: {mode: %1$s, algorithm: %2$s, paths: %4$s, thresholds: %5$d/1h}
			""";

	/** Limits so small that every address has used them up soon. */
	static CrowdRules strict(String algorithm) {
		return new CrowdRules(Map.of(Mode.ModeKind.STRICT, algorithm), 6, 60, 3);
	}

	/** Limits so large that an instance has something to lease, and to hold back. */
	static CrowdRules leasedAndSynced() {
		Map<Mode.ModeKind, String> algorithms = new EnumMap<>(Mode.ModeKind.class);
		for (Mode.ModeKind mode : List.of(Mode.ModeKind.LEASED, Mode.ModeKind.SYNCED)) {
			algorithms.put(mode, mode.algorithms().get(0).text());
		}
		return new CrowdRules(algorithms, 30, 24, 6);
	}

	/** The settings of an instance. */
	String yaml(String redis, Duration deadline) {
		return redis + HEAD.formatted(deadline.toMillis())
				+ this.algorithms.entrySet()
					.stream()
					.map((rule) -> RULES.formatted(rule.getKey().text(), rule.getValue(), deny(rule.getKey()),
							local(rule.getKey()), this.limit))
					.collect(Collectors.joining());
	}

	/** The n-th request of a round: each address requests every path. */
	Request request(int round, int n) {
		int paths = 2 * this.algorithms.size();
		Mode.ModeKind mode = modes().get(n % paths / 2);
		return new Request((n % 2 == 0) ? deny(mode) : local(mode), address(round, n / paths));
	}

	List<Mode.ModeKind> modes() {
		return this.algorithms.keySet().stream().sorted().toList();
	}

	/** All addresses of a round. */
	List<String> addresses(int round) {
		return IntStream.range(0, this.size).mapToObj((n) -> address(round, n)).toList();
	}

	private String address(int round, int n) {
		return "10." + round + ".0." + (1 + n % this.size);
	}

	/**
	 * The most that both instances admit of a limit that Redis counts, as the
	 * documentation says of a mode.
	 */
	long most(Mode.ModeKind mode) {
		return this.limit + Policies.mostAbove(mode, this.limit, INSTANCES);
	}

	/** The fewest that are admitted of a client that requests more, as documented. */
	long fewest(Mode.ModeKind mode) {
		return (mode == Mode.ModeKind.LEASED) ? this.limit * 9L / 10 : this.limit;
	}

	static String deny(Mode.ModeKind mode) {
		return "/product/deny-" + mode.text();
	}

	static String local(Mode.ModeKind mode) {
		return "/product/local-" + mode.text();
	}

}
