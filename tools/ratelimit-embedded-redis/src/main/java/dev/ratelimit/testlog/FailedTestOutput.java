package dev.ratelimit.testlog;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints the output of a test class in which a test has failed, and the error. The build
 * switches it on where it redirects output to files, so that a green build is quiet.
 */
public final class FailedTestOutput implements TestExecutionListener {

	private static final boolean ON = Boolean.getBoolean("failed-test-output");

	private static final int MOST_BYTES = 32 * 1024;

	/** Surefire passes this one on to the console, as it is. */
	private static final PrintStream CONSOLE = new PrintStream(new FileOutputStream(FileDescriptor.err), true,
			StandardCharsets.UTF_8);

	private final ByteArrayOutputStream written = new ByteArrayOutputStream();

	private PrintStream out = System.out;

	private PrintStream err = System.err;

	@Override
	public void testPlanExecutionStarted(TestPlan plan) {
		this.out = System.out;
		this.err = System.err;
		if (ON) {
			System.setOut(copied(this.out));
			System.setErr(copied(this.err));
		}
	}

	@Override
	public void testPlanExecutionFinished(TestPlan plan) {
		System.setOut(this.out);
		System.setErr(this.err);
	}

	@Override
	public void executionStarted(TestIdentifier test) {
		// A class below the engine. Nested ones and parameters add to its output.
		if (test.getUniqueIdObject().getSegments().size() == 2) {
			synchronized (this.written) {
				this.written.reset();
			}
		}
	}

	@Override
	public void executionFinished(TestIdentifier test, TestExecutionResult result) {
		boolean isEngine = test.getParentIdObject().isEmpty();
		if (ON && !isEngine && result.getStatus() == Status.FAILED) {
			CONSOLE.printf("== Failed: %s%n%s%n", test.getUniqueId(), lastWritten());
			result.getThrowable().ifPresent((error) -> error.printStackTrace(CONSOLE));
		}
	}

	private PrintStream copied(PrintStream stream) {
		return new PrintStream(new OutputStream() {
			@Override
			public void write(int b) {
				write(new byte[] { (byte) b }, 0, 1);
			}

			@Override
			public void write(byte[] bytes, int from, int count) {
				stream.write(bytes, from, count);
				keep(bytes, from, count);
			}

			@Override
			public void flush() {
				stream.flush();
			}
		}, true, StandardCharsets.UTF_8);
	}

	private void keep(byte[] bytes, int from, int count) {
		synchronized (this.written) {
			if (this.written.size() > MOST_BYTES) {
				byte[] last = this.written.toByteArray();
				this.written.reset();
				this.written.write(last, last.length - MOST_BYTES / 2, MOST_BYTES / 2);
			}
			this.written.write(bytes, from, count);
		}
	}

	private String lastWritten() {
		synchronized (this.written) {
			return this.written.toString(StandardCharsets.UTF_8);
		}
	}

}
