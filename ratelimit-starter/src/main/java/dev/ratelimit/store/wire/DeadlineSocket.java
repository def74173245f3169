package dev.ratelimit.store.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A socket whose reads all end at one deadline, however little each of them returns. The
 * timeout of an ordinary socket starts anew with every byte. TLS reads its records
 * through this socket, so they are bounded too, and continues where it has stopped. Used
 * by one reading thread at a time.
 */
public final class DeadlineSocket extends Socket {

	private long endNanos;

	/**
	 * Create a socket that is not connected.
	 * @param deadline the end of all reads of the handshake
	 */
	public DeadlineSocket(Deadline deadline) {
		endReadsIn(deadline.leftNanos());
	}

	/** Bound all reads from now on. */
	void endReadsIn(long nanos) {
		this.endNanos = Deadline.nowNanos() + nanos;
	}

	/** Whether something has arrived. */
	boolean hasInput() throws IOException {
		return super.getInputStream().available() > 0;
	}

	@Override
	public InputStream getInputStream() throws IOException {
		return new BoundedInput(super.getInputStream());
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
			long left = DeadlineSocket.this.endNanos - Deadline.nowNanos();
			if (left <= 0 && !hasInput()) {
				throw new SocketTimeoutException("Nothing more came in time");
			}
			setSoTimeout(Deadline.toMillis(left));
			return this.in.read(buffer, offset, length);
		}

	}

}
