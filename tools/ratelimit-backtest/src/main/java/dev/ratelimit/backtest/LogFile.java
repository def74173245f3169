package dev.ratelimit.backtest;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * A log on disk, plain or compressed.
 */
final class LogFile implements AutoCloseable {

	private static final int[] GZIP = { 0x1f, 0x8b };

	private final Counting counting;

	private final InputStream stream;

	private LogFile(Counting counting, InputStream stream) {
		this.counting = counting;
		this.stream = stream;
	}

	static LogFile open(Path file) throws IOException {
		Counting counting = new Counting(Files.newInputStream(file));
		try {
			BufferedInputStream buffered = new BufferedInputStream(counting, 64 * 1024);
			buffered.mark(GZIP.length);
			boolean compressed = buffered.read() == GZIP[0] && buffered.read() == GZIP[1];
			buffered.reset();
			return new LogFile(counting, compressed ? new GZIPInputStream(buffered, 64 * 1024) : buffered);
		}
		catch (IOException ex) {
			counting.close();
			throw ex;
		}
	}

	InputStream stream() {
		return this.stream;
	}

	/** The number of bytes of the file that have been read. */
	long bytesRead() {
		return this.counting.bytes;
	}

	@Override
	public void close() throws IOException {
		this.stream.close();
	}

	private static final class Counting extends FilterInputStream {

		private long bytes;

		Counting(InputStream stream) {
			super(stream);
		}

		@Override
		public int read() throws IOException {
			int read = super.read();
			this.bytes += (read < 0) ? 0 : 1;
			return read;
		}

		@Override
		public int read(byte[] target, int from, int length) throws IOException {
			int read = super.read(target, from, length);
			this.bytes += Math.max(0, read);
			return read;
		}

	}

}
