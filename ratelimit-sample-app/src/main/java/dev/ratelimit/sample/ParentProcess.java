package dev.ratelimit.sample;

/**
 * The parent of this process. {@code spring-boot:run} starts the application as a child
 * of Maven, and the child would otherwise survive when Maven is killed.
 */
final class ParentProcess {

	/** System property set by the run configuration of the Maven plugin. */
	private static final String PROPERTY = "sample.exit-with-parent";

	private ParentProcess() {
	}

	/**
	 * Exit this application when its parent exits, if the property requests it.
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
