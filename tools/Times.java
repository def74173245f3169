import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints what the tests of a module spent: the thirty slowest classes by Surefire's
 * reports, and what they started by Flight Recorder's recordings of the test processes.
 * {@code ./mvnw -Ptimes verify} runs it for each module with tests.
 *
 * <pre>
 * java tools/Times.java ratelimit-starter/target
 * </pre>
 */
public class Times {

	private static final int SLOWEST = 30;

	private static final Pattern SUITE = Pattern
		.compile("<testsuite [^>]*?name=\"([^\"]+)\" time=\"([0-9.,]+)\" tests=\"(\\d+)\"");

	public static void main(String[] args) throws IOException {
		Path target = Path.of(args[0]);
		Path reports = target.resolve("surefire-reports");
		if (!Files.isDirectory(reports)) {
			return;
		}
		List<ClassTime> times = new ArrayList<>();
		for (Path report : files(reports, ".xml")) {
			Matcher suite = SUITE.matcher(Files.readString(report));
			if (suite.find()) {
				times.add(new ClassTime(suite.group(1), Double.parseDouble(suite.group(2).replace(",", "")),
						Integer.parseInt(suite.group(3))));
			}
		}
		times.sort(Comparator.comparingDouble(ClassTime::seconds).reversed());
		System.out.printf("%s: %d classes, %d tests, %.0f s%n", target.toAbsolutePath().getParent().getFileName(),
				times.size(), times.stream().mapToInt(ClassTime::tests).sum(),
				times.stream().mapToDouble(ClassTime::seconds).sum());
		times.stream()
			.limit(SLOWEST)
			.forEach((time) -> System.out.printf("%8.1f s %5d tests  %s%n", time.seconds(), time.tests(), time.name()));
		System.out.println("started: " + started(target));
	}

	private static Map<String, Integer> started(Path target) throws IOException {
		Map<String, Integer> started = new LinkedHashMap<>();
		for (String kind : List.of("web servers", "Redis servers", "JVMs", "other processes")) {
			started.put(kind, 0);
		}
		for (Path recording : files(target, ".jfr")) {
			for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
				String kind = kind(event);
				if (kind != null) {
					started.merge(kind, 1, Integer::sum);
				}
			}
		}
		return started;
	}

	/** An embedded Tomcat starts one thread that accepts. */
	private static String kind(RecordedEvent event) {
		String type = event.getEventType().getName();
		if (type.equals("jdk.ThreadStart")) {
			RecordedThread thread = event.getThread("thread");
			boolean accepts = thread != null && thread.getJavaName() != null
					&& thread.getJavaName().endsWith("-Acceptor");
			return accepts ? "web servers" : null;
		}
		if (!type.equals("jdk.ProcessStart")) {
			return null;
		}
		String command = event.getString("command");
		if (command.contains("redis-server")) {
			return "Redis servers";
		}
		return command.contains("/bin/java") ? "JVMs" : "other processes";
	}

	private static List<Path> files(Path directory, String ending) {
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter((file) -> file.toString().endsWith(ending)).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record ClassTime(String name, double seconds, int tests) {
	}

}
