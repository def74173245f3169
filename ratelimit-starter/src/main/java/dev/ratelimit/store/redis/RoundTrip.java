package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.StoreFailure;

/**
 * The calls of one or several requests on their way to a node and back, over one
 * connection: all are written before anything is read. The owner of the first share does
 * it for all; should its time be over, somebody goes on reading who has more of it, and
 * when nobody has, what is still to come is waited for in the background. Used by one
 * thread at a time.
 */
final class RoundTrip {

	private final Node node;

	private final Link link;

	private final LateReplies late;

	private final Runnable whenOver;

	private final List<Share> shares;

	private final List<ScriptCall> toUndo = new ArrayList<>(0);

	/** Whose replies come next. */
	private int next;

	private boolean usable = true;

	/**
	 * Create a round trip that is about to begin.
	 * @param node where to
	 * @param link the connection, which is released or discarded at the end
	 * @param late waits for what nobody waits for any more
	 * @param whenOver is run once when the connection is not used any more
	 * @param shares what it carries, with more to come until it is written
	 */
	RoundTrip(Node node, Link link, LateReplies late, Runnable whenOver, List<Share> shares) {
		this.node = node;
		this.link = link;
		this.late = late;
		this.whenOver = whenOver;
		this.shares = shares;
	}

	static RoundTrip of(Share share, Link link, LateReplies late) {
		return new RoundTrip(share.exchange().node(), link, late, () -> {
		}, List.of(share));
	}

	/**
	 * Send all calls.
	 * @return whether that was done; else it is over
	 */
	boolean write() {
		boolean written = false;
		try {
			for (Share share : this.shares) {
				share.exchange().writeTo(this.link);
			}
			this.link.flush();
			written = true;
		}
		catch (RuntimeException ex) {
			breakOff(ex);
		}
		catch (Error ex) {
			breakOff(ex);
			throw ex;
		}
		finally {
			if (!written) {
				this.whenOver.run();
			}
		}
		return written;
	}

	/**
	 * Read the replies until all are there, or until the reader's time is over.
	 * @param reader whose owner reads
	 */
	void read(Share reader) {
		boolean over = true;
		// It would close the connection of all, if this is a virtual thread.
		boolean interrupted = Thread.interrupted();
		try {
			readAll(reader.deadline());
			end();
		}
		catch (RuntimeException ex) {
			over = !isGoingOn(reader, ex);
		}
		catch (Error ex) {
			breakOff(ex);
			throw ex;
		}
		finally {
			if (over) {
				this.whenOver.run();
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void readAll(Deadline deadline) {
		while (this.next < this.shares.size()) {
			Share share = this.shares.get(this.next);
			this.usable &= share.exchange().readFrom(this.link, deadline);
			this.next++;
			if (!share.end()) {
				share.exchange().repliedLate(this.toUndo);
			}
		}
	}

	private void end() {
		if (!this.usable) {
			// The idle ones lead to the same server.
			this.node.discard(this.link, StoreFailure.UNREACHABLE);
			this.toUndo.forEach((call) -> call.afterwards().lost());
		}
		else if (this.toUndo.isEmpty()) {
			this.node.release(this.link);
		}
		else {
			this.late.await(this.node, this.link, List.of(), this.toUndo);
		}
	}

	/** Whether somebody else reads on. */
	private boolean isGoingOn(Share reader, RuntimeException cause) {
		if (StoreFailures.classify(cause) != StoreFailure.TIMEOUT || !this.link.isUntouched()
				|| reader.exchange().isAsking()) {
			breakOff(cause);
			return false;
		}
		if (!reader.hasEnded()) {
			reader.leave(reader.state());
		}
		// The youngest comes first: it has most time left.
		for (int i = this.shares.size() - 1; i >= this.next; i--) {
			if (this.shares.get(i).read()) {
				return true;
			}
		}
		readOnInBackground();
		return false;
	}

	private void readOnInBackground() {
		List<ScriptCall> outstanding = new ArrayList<>();
		for (Share share : this.shares.subList(this.next, this.shares.size())) {
			share.exchange().repliedLate(this.toUndo);
			outstanding.addAll(share.exchange().unanswered());
		}
		this.late.await(this.node, this.link, outstanding, this.toUndo);
	}

	/** Allocates nothing, as there may be no memory. */
	private void breakOff(Throwable cause) {
		// The interrupt that closes a connection tells nothing about the server.
		StoreFailure failure = Thread.currentThread().isInterrupted() ? StoreFailure.TIMEOUT
				: StoreFailures.classify(cause);
		this.node.discard(this.link, failure);
		while (this.next < this.shares.size()) {
			Share share = this.shares.get(this.next);
			this.next++;
			share.exchange().breakOff(failure, cause);
			if (!share.end()) {
				share.exchange().repliedLate(this.toUndo);
				share.exchange().unanswered().forEach((call) -> call.afterwards().lost());
			}
		}
		this.toUndo.forEach((call) -> call.afterwards().lost());
	}

}
