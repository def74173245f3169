package dev.ratelimit.queue.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Waits for the bodies of requests to be enqueued. The number of bodies waited for at the
 * same time and the time for each are bounded, so clients that send slowly never hold all
 * threads of the container. Data that has already arrived is read without taking one of
 * these places.
 */
public final class SlowBodies {

	private static final String GIVEN_UP = SlowBodies.class.getName() + ".GIVEN_UP";

	private static final int AT_ONCE = 32;

	/** A read under way may last longer, by the timeout of the connection. */
	private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

	private static final int CHUNK_BYTES = 8192;

	private final Semaphore places = new Semaphore(AT_ONCE);

	private final LongSupplier nanoTime;

	/**
	 * Create places for slow bodies.
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public SlowBodies(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Mark a request whose body is no longer waited for.
	 * @param request the request
	 */
	static void giveUp(HttpServletRequest request) {
		request.setAttribute(GIVEN_UP, true);
	}

	/**
	 * Whether the body of a request is no longer waited for.
	 * @param request the request
	 * @return whether it was too slow, or came while too many others were
	 */
	public static boolean isGivenUp(HttpServletRequest request) {
		return request.getAttribute(GIVEN_UP) != null;
	}

	/**
	 * Read a body.
	 * @param in the body
	 * @param maxBytes how much of it to read
	 * @param isChunked whether its length is unknown: then the data that has arrived may
	 * be the beginning of a chunk, without a byte of the body
	 * @return the bytes that were read; empty if the client is too slow, or too many are
	 * @throws IOException if the client does not send it
	 */
	Optional<byte[]> read(ServletInputStream in, int maxBytes, boolean isChunked) throws IOException {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		byte[] chunk = new byte[Math.min(CHUNK_BYTES, maxBytes)];
		boolean waits = false;
		long untilNanos = 0;
		try {
			while (body.size() < maxBytes && !isFinished(in)) {
				if (!waits && (isChunked || !hasArrived(in))) {
					waits = this.places.tryAcquire();
					if (!waits) {
						return Optional.empty();
					}
					untilNanos = this.nanoTime.getAsLong() + PATIENCE_NANOS;
				}
				if (waits && this.nanoTime.getAsLong() - untilNanos >= 0) {
					return Optional.empty();
				}
				int read = in.read(chunk, 0, Math.min(chunk.length, maxBytes - body.size()));
				if (read < 0) {
					break;
				}
				body.write(chunk, 0, read);
			}
			return Optional.of(body.toByteArray());
		}
		finally {
			if (waits) {
				this.places.release();
			}
		}
	}

	/** Streams of wrappers often do not support this; then a read finds the end. */
	private static boolean isFinished(ServletInputStream in) {
		try {
			return in.isFinished();
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private static boolean hasArrived(ServletInputStream in) throws IOException {
		try {
			return in.available() > 0;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

}
