package dev.ratelimit.store.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A socket whose reads all end at one deadline, however little each of them returns. The
 * timeout of an ordinary socket starts anew with every byte. TLS reads its records
 * through this socket, so they are bounded too. Used by one reading thread at a time.
 */
public final class DeadlineSocket extends Socket {

	/** Enough for a reply in several TLS records, each of which takes two reads. */
	private static final int MAX_LATE_READS = 8;

	private Deadline deadline;

	private int lateReads;

	private long received;

	private volatile boolean taken;

	/**
	 * Create a socket that is not connected.
	 * @param deadline the end of the reads until {@link #readUntil} sets another one
	 */
	public DeadlineSocket(Deadline deadline) {
		this.deadline = deadline;
	}

	/**
	 * Bound all reads from now on. Bytes that have arrived by the deadline may still be
	 * read, in a few steps.
	 * @param deadline the end of the reads
	 */
	void readUntil(Deadline deadline) {
		this.deadline = deadline;
		this.lateReads = 0;
	}

	/** The number of bytes read so far. */
	long received() {
		return this.received;
	}

	/** All that was read was processed. */
	void awaitMore() {
		this.taken = false;
	}

	/** Whether something was read since then. Called by any thread. */
	boolean hasTaken() {
		return this.taken;
	}

	/** Whether something has arrived. */
	boolean hasInput() throws IOException {
		return super.getInputStream().available() > 0;
	}

	@Override
	public InputStream getInputStream() throws IOException {
		return new BoundedInput(super.getInputStream());
	}

	private void beforeRead() throws IOException {
		if (this.deadline.isOver()) {
			if (this.lateReads == MAX_LATE_READS || !hasInput()) {
				throw new SocketTimeoutException("Nothing more came in time");
			}
			this.lateReads++;
		}
		setSoTimeout(this.deadline.leftMillis());
	}

	private final class BoundedInput extends FilterInputStream {

		BoundedInput(InputStream in) {
			super(in);
		}

		@Override
		public int read() throws IOException {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
		}

		@Override
		public int read(byte[] buffer, int offset, int length) throws IOException {
			beforeRead();
			int read = this.in.read(buffer, offset, length);
			DeadlineSocket.this.taken = true;
			DeadlineSocket.this.received += Math.max(0, read);
			return read;
		}

	}

}
