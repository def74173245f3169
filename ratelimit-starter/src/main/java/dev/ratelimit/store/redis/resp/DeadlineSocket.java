package dev.ratelimit.store.redis.resp;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A socket whose reads end together, however little each of them brings: the time-out of
 * an ordinary one starts anew with every byte. TLS reads its records from here, so that
 * they are bounded too. Read by one thread at a time.
 */
final class DeadlineSocket extends Socket {

	/** Enough for a reply in several TLS records, each of which takes two. */
	private static final int MAX_LATE_READS = 8;

	private Deadline deadline;

	private int lateReads;

	private long received;

	DeadlineSocket(Deadline deadline) {
		this.deadline = deadline;
	}

	/**
	 * Bound the reads from now on. What has arrived by then may still be read, in a few
	 * steps.
	 * @param deadline their end
	 */
	void readUntil(Deadline deadline) {
		this.deadline = deadline;
		this.lateReads = 0;
	}

	/** How many bytes were read so far. */
	long received() {
		return this.received;
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
			DeadlineSocket.this.received += Math.max(0, read);
			return read;
		}

	}

}
