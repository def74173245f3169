package dev.ratelimit.sample;

/**
 * The process that started this one. {@code spring-boot:run} starts the application as a
 * child of Maven, which would live on if Maven is killed.
 */
final class ParentProcess {

	/** System property that the run configuration of the Maven plugin sets. */
	private static final String PROPERTY = "sample.exit-with-parent";

	private ParentProcess() {
	}

	/**
	 * End this application as soon as its parent has ended, if it was started so.
	 */
	static void exitWithIt() {
		if (Boolean.getBoolean(PROPERTY)) {
			ProcessHandle.current().parent().ifPresent(ParentProcess::exitWith);
		}
	}

	private static void exitWith(ProcessHandle parent) {
		Thread thread = new Thread(() -> {
			parent.onExit().join();
			System.exit(1);
		}, "exit-with-parent");
		thread.setDaemon(true);
		thread.start();
	}

}
