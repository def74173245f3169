package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Exchanges of the current thread, and the lanes of a node.
 */
final class Exchanges {

	private static final Script ONE = Script.of("return 1");

	private Exchanges() {
	}

	/** An exchange that is not sent yet. */
	static Exchange of(@Nullable Node node, NodeCall call, Duration maxWait) {
		Exchange exchange = new Exchange(node, new CallTime(maxWait), (where, failure, cause) -> {
		}, null);
		exchange.add(call);
		return exchange;
	}

	/** One whose calls weigh as much. */
	static Exchange of(@Nullable Node node, int weight) {
		return of(node, new ScriptCall(ONE, List.of("k".getBytes(US_ASCII)), List.of(), List.of(), weight,
				NodeCall.Afterwards.NOTHING), OneConnection.LONG);
	}

	/** Send it and wait. */
	static Exchange run(Node node, NodeCall call, Duration maxWait) {
		Exchange exchange = of(node, call, maxWait);
		exchange.attend();
		node.send(exchange);
		node.await(exchange);
		return exchange;
	}

	/** Wait for an idle lane, and take it. */
	static Lane takeIdle(Node node) {
		Lane lane = node.takeIdle();
		while (lane == null) {
			node.openAnother();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			lane = node.takeIdle();
		}
		return lane;
	}

	/** Open so many connections. */
	static void open(Node node, int count) {
		List<Lane> lanes = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			lanes.add(takeIdle(node));
		}
		lanes.forEach((lane) -> node.release(lane, false));
	}

	/** Use up the room for costly exchanges but for a weight of one. */
	static Exchange takeRoom(Node node) {
		Exchange room = of(node, NodeQueue.MOST_WEIGHT - 1);
		node.waiting().add(room);
		node.waiting().take(false);
		return room;
	}

	/** Whether no costly exchange is under way. */
	static boolean isRoomFree(Node node) {
		Exchange all = of(node, NodeQueue.MOST_WEIGHT);
		node.waiting().add(all);
		boolean free = node.waiting().isReady();
		node.waiting().remove(all);
		return free;
	}

}
