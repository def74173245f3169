package dev.ratelimit.queue.web;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.fixture.MovableClock;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlowBodiesTests {

	private final MovableClock clock = new MovableClock();

	private final SlowBodies bodies = new SlowBodies(this.clock::nanoTime);

	/** A body of which some bytes have arrived; each further byte takes a while. */
	private static class Body extends ServletInputStream {

		private final int length;

		private final int arrived;

		private final Runnable whileItIsAwaited;

		private int read;

		Body(int length, int arrived, Runnable whileItIsAwaited) {
			this.length = length;
			this.arrived = arrived;
			this.whileItIsAwaited = whileItIsAwaited;
		}

		@Override
		public int available() {
			return Math.max(0, this.arrived - this.read);
		}

		@Override
		public int read() {
			if (this.read == this.length) {
				return -1;
			}
			if (this.read >= this.arrived) {
				this.whileItIsAwaited.run();
			}
			this.read++;
			return 'x';
		}

		@Override
		public int read(byte[] bytes, int offset, int length) {
			int next = read();
			bytes[offset] = (byte) next;
			return (next < 0) ? -1 : 1;
		}

		@Override
		public boolean isFinished() {
			return this.read == this.length;
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setReadListener(ReadListener listener) {
		}

	}

	private Body arrived(int length) {
		return new Body(length, length, () -> {
		});
	}

	private Body slow(int length) {
		return new Body(length, 1, () -> this.clock.advance(Duration.ofSeconds(1)));
	}

	@Test
	void aBodyIsReadUntilItsEndOrItsMaximum() throws IOException {
		assertThat(this.bodies.read(arrived(20_000), 30_000, false)).get()
			.extracting((body) -> body.length)
			.isEqualTo(20_000);
		assertThat(this.bodies.read(arrived(20_000), 9_000, false)).get()
			.extracting((body) -> body.length)
			.isEqualTo(9_000);
		assertThat(this.bodies.read(slow(5), 10, false)).hasValueSatisfying((body) -> assertThat(body).hasSize(5));
	}

	@Test
	void aStreamOfAWrapperThatSupportsReadsOnlyIsReadUntilItsEnd() throws IOException {
		assertThat(this.bodies.read(new Body(5, 5, () -> {
		}) {
			@Override
			public int available() {
				throw new UnsupportedOperationException();
			}

			@Override
			public boolean isFinished() {
				throw new UnsupportedOperationException();
			}
		}, 10, false)).hasValueSatisfying((body) -> assertThat(body).hasSize(5));
	}

	@Test
	void aClientThatIsTooSlowIsGivenUp() throws IOException {
		Body body = slow(100);
		assertThat(this.bodies.read(body, 100, false)).isEmpty();
		assertThat(body.read).isEqualTo(6);
	}

	@Test
	void slowBodiesAreBoundedAndABodyThatHasArrivedNeedsNoPlace() throws IOException {
		List<Boolean> read = new ArrayList<>();
		waitFor(32, read, () -> {
			read.add(isRead(slow(2)));
			read.add(isRead(arrived(100)));
		});
		assertThat(read.subList(0, 2)).containsExactly(false, true);
		assertThat(read.subList(2, read.size())).hasSize(32).containsOnly(true);
		assertThat(isRead(slow(2))).isTrue();
	}

	@Test
	void aChunkedBodyNeedsAPlaceAsOnlyPartOfAChunkMayHaveArrived() throws IOException {
		List<Boolean> read = new ArrayList<>();
		waitFor(32, read, () -> {
			try {
				read.add(this.bodies.read(arrived(100), 1000, true).isPresent());
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
		assertThat(read.get(0)).isFalse();
		assertThat(this.bodies.read(arrived(100), 1000, true)).isPresent();
	}

	/** Read slow bodies, each while the one before waits. */
	private void waitFor(int count, List<Boolean> read, Runnable then) {
		read.add(isRead(new Body(2, 1, () -> {
			if (count > 1) {
				waitFor(count - 1, read, then);
			}
			else {
				then.run();
			}
		})));
	}

	private boolean isRead(ServletInputStream in) {
		try {
			return this.bodies.read(in, 1000, false).isPresent();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
