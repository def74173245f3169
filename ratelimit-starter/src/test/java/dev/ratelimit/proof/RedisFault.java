package dev.ratelimit.proof;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.fixture.FaultProxy.Fault;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.ClientPauseMode;

/**
 * What can happen to one Redis, or to the connection to it, by its number in the corpus.
 */
enum RedisFault {

	KILL_9("FAULT-002") {

		@Override
		void begin(Place place) {
			place.server().kill();
		}

		@Override
		void end(Place place) {
			place.server().restart();
		}

		@Override
		boolean losesData() {
			return true;
		}

	},

	KILL_STOP("FAULT-003") {

		@Override
		void begin(Place place) {
			place.server().pause();
		}

		@Override
		void end(Place place) {
			place.server().resume();
		}

	},

	PAUSE_ALL("FAULT-004") {

		@Override
		void begin(Place place) {
			place.admin((redis) -> redis.clientPause(PAUSE_MILLIS, ClientPauseMode.ALL));
		}

	},

	PAUSE_WRITE("FAULT-005") {

		@Override
		void begin(Place place) {
			place.admin((redis) -> redis.clientPause(PAUSE_MILLIS, ClientPauseMode.WRITE));
		}

	},

	BUSY("FAULT-006") {

		@Override
		void begin(Place place) {
			place.admin((redis) -> redis.configSet("lua-time-limit", "1500"));
			CompletableFuture<Object> endless = place.later((redis) -> redis.eval("while true do end"));
			Awaitility.await().until(() -> endless.isDone() || place.isBusy());
		}

		@Override
		void end(Place place) {
			place.admin(Jedis::scriptKill);
		}

	},

	PARTITION("FAULT-007") {

		@Override
		void begin(Place place) {
			place.proxy().inject(Fault.BLACK_HOLE);
		}

	},

	RESET("FAULT-008") {

		@Override
		void begin(Place place) {
			place.proxy().inject(Fault.CUT_AFTER_REQUEST);
		}

	},

	DRIP("FAULT-009") {

		@Override
		void begin(Place place) {
			place.proxy().inject(Fault.DRIP, Observed.DEADLINE.dividedBy(2));
		}

	},

	CUT_IN_REPLY("FAULT-010") {

		@Override
		void begin(Place place) {
			place.proxy().inject(Fault.CUT_IN_REPLY);
		}

	},

	CORRUPT("FAULT-011") {

		@Override
		void begin(Place place) {
			place.proxy().inject(Fault.CORRUPT);
		}

	},

	HALF_CLOSE("half-closed") {

		@Override
		void begin(Place place) {
			place.proxy().inject(Fault.HALF_CLOSE);
		}

	},

	SLOW("slow") {

		@Override
		void begin(Place place) {
			place.proxy().inject(Fault.DELAY, Observed.DEADLINE.multipliedBy(3));
		}

	},

	READ_ONLY("FAULT-020") {

		@Override
		void begin(Place place) {
			place.admin((redis) -> redis.replicaof(place.spare().host(), place.spare().port()));
		}

		@Override
		void end(Place place) {
			place.admin(Jedis::replicaofNoOne);
		}

		@Override
		boolean losesData() {
			return true;
		}

	},

	OUT_OF_MEMORY("FAULT-021") {

		@Override
		void begin(Place place) {
			place.admin((redis) -> redis.configSet("maxmemory", "1"));
		}

		@Override
		void end(Place place) {
			place.admin((redis) -> redis.configSet("maxmemory", "0"));
		}

	},

	NO_REPLICAS("FAULT-022") {

		@Override
		void begin(Place place) {
			place.admin((redis) -> redis.configSet("min-replicas-to-write", "1"));
		}

		@Override
		void end(Place place) {
			place.admin((redis) -> redis.configSet("min-replicas-to-write", "0"));
		}

	},

	NO_AUTHENTICATION("FAULT-023") {

		@Override
		void begin(Place place) {
			place.admin((redis) -> {
				redis.configSet("requirepass", "secret");
				redis.sendCommand(Command.CLIENT, "KILL", "TYPE", "NORMAL", "SKIPME", "YES");
			});
		}

		@Override
		void end(Place place) {
			place.admin((redis) -> {
				redis.auth("secret");
				redis.configSet("requirepass", "");
			});
		}

	},

	NO_PERMISSION("FAULT-035") {

		@Override
		void begin(Place place) {
			place.admin((redis) -> redis.aclSetUser("default", "-evalsha", "-eval"));
		}

		@Override
		void end(Place place) {
			place.admin((redis) -> redis.aclSetUser("default", "+evalsha", "+eval"));
		}

	};

	/** A pause cannot be ended early, as that takes a command, too. */
	static final int PAUSE_MILLIS = 3100;

	private final String number;

	RedisFault(String number) {
		this.number = number;
	}

	String number() {
		return this.number;
	}

	abstract void begin(Place place);

	void end(Place place) {
		place.proxy().inject(Fault.NONE);
	}

	/** Whether the counts are gone afterwards. */
	boolean losesData() {
		return false;
	}

}
