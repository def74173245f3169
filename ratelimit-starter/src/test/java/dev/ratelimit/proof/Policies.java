package dev.ratelimit.proof;

import java.time.Duration;

import dev.ratelimit.proof.Load.Request;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;

/**
 * One rule of each policy, all with the same limit, each on a path of its own. Every
 * request is meant to reach Redis: no refusal is repeated from memory.
 */
public final class Policies {

	/** How many rules there are. */
	static final int RULES = 3;

	static final int LIMIT = 100;

	static final String ALLOW = "/product/1";

	static final String DENY = "/product/2";

	static final String LOCAL = "/product/3";

	private static final String NEW_CLIENT = "-new-";

	private static final String YAML = """
			spring.data.redis.port: %d
			ratelimit.deadline: %dms
			ratelimit.redis.max-connections: 4
			ratelimit.deny-cache: 0
			ratelimit.rules:
			  allow: {paths: %s, key: 'header:X-Client', thresholds: %d/1h, on-store-failure: allow}
			  deny: {paths: %s, key: 'header:X-Client', thresholds: %d/1h, on-store-failure: deny}
			  local: {paths: %s, key: 'header:X-Client', thresholds: %d/1h}
			ratelimit.defaults: {mode: %s, algorithm: %s}
			""";

	private Policies() {
	}

	/** The settings of an application with these rules. */
	static String yaml(int redisPort, Duration deadline, Mode.ModeKind mode) {
		Algorithm algorithm = mode.algorithms().get(0);
		return YAML.formatted(redisPort, deadline.toMillis(), ALLOW, LIMIT, DENY, LIMIT, LOCAL, LIMIT, mode.text(),
				algorithm.text());
	}

	/**
	 * How far above a limit instances may go together, as the documentation says of a
	 * mode.
	 */
	public static long mostAbove(Mode.ModeKind mode, int limit, int instances) {
		return (mode == Mode.ModeKind.SYNCED)
				? instances * ((long) limit * Mode.SYNCED.maxOvershootPercent() / 100 / (instances + 1)) : 0;
	}

	/**
	 * The n-th request of a round: one rule after the other, in turns of a client that
	 * uses up every limit and of a new client.
	 */
	static Request request(String client, int n) {
		return new Request("/product/" + (1 + n % 3), (n / 3 % 2 == 0) ? client : client + NEW_CLIENT + n);
	}

	static boolean isFromNewClient(Request request) {
		return request.client().contains(NEW_CLIENT);
	}

}
