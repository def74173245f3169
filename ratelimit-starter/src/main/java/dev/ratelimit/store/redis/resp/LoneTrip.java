package dev.ratelimit.store.redis.resp;

import java.util.List;
import java.util.concurrent.Future;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * A round trip that carries one request only, which makes others beside it. Used by one
 * thread.
 */
final class LoneTrip {

	private final NodeExchange exchange;

	private final Share share;

	private final LateReplies late;

	private @Nullable RoundTrip written;

	LoneTrip(NodeExchange exchange, CallTime time, LateReplies late) {
		this.exchange = exchange;
		this.share = new Share(exchange, time);
		this.share.lead();
		this.late = late;
	}

	NodeExchange exchange() {
		return this.exchange;
	}

	/**
	 * Write all calls if there is a connection that nobody uses.
	 * @return whether there was one
	 */
	boolean sendAtOnce() {
		Link idle = this.exchange.node().borrowIdle();
		if (idle != null) {
			write(idle);
		}
		return idle != null;
	}

	/** Write all calls, or let them fail if there is no connection in time. */
	void send() {
		try {
			write(this.exchange.node().borrow(this.share.time()));
		}
		catch (NoLinkException ex) {
			this.exchange.notSent(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.exchange.notSent(StoreFailure.TIMEOUT, ex);
		}
	}

	private void write(Link link) {
		Node node = this.exchange.node();
		RoundTrip trip = new RoundTrip(node, link, this.late, new Pool(node), List.of(this.share));
		if (this.exchange.isLarge() ? writesInTime(trip, link) : trip.write()) {
			this.written = trip;
		}
	}

	private boolean writesInTime(RoundTrip trip, Link link) {
		Node node = this.exchange.node();
		Future<?> end = node.largeWrites().endAt(link, this.share.time().forReply(node));
		try {
			return trip.write();
		}
		finally {
			end.cancel(false);
		}
	}

	/**
	 * Read the replies, if the calls were sent.
	 * @return whether there is something to deliver
	 */
	boolean read() {
		if (this.written != null) {
			this.written.read(this.share);
		}
		return this.share.hasEnded();
	}

	/**
	 * Where connections go back to.
	 *
	 * @param node whose they are
	 */
	private record Pool(Node node) implements RoundTrip.Lane {

		@Override
		public void free(Link link) {
			this.node.release(link);
		}

		@Override
		public void lost() {
		}

	}

}
