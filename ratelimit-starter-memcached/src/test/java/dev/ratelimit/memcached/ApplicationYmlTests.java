package dev.ratelimit.memcached;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application.yml of the page limits as it says.
 */
@ExtendWith(OutputCaptureExtension.class)
class ApplicationYmlTests {

	private static String ofThePage() throws IOException {
		String page = Files.readString(Path.of("../docs/memcached.md"));
		String section = page.substring(page.indexOf("## A complete application.yml"));
		int yaml = section.indexOf("```yaml\n") + "```yaml\n".length();
		return section.substring(yaml, section.indexOf("```", yaml));
	}

	@Test
	void theApplicationYmlOfThePageLimitsAsItSays(@TempDir Path directory, CapturedOutput output) throws IOException {
		Path configuration = Files.writeString(directory.resolve("application.yml"), ofThePage());
		try (MemcachedServer server = MemcachedServer.start();
				TestApplication application = new TestApplication(server, configuration)) {
			assertThat(statuses(application, "/login", 6)).containsExactly(200, 200, 200, 200, 200, 429);
			assertThat(limit(application, "/search")).isEqualTo("100");
			assertThat(limit(application, "/catalog")).isEqualTo("300");
			assertThat(limit(application, "/other")).isEqualTo("600");
			assertThat(server.keys()).extracting((key) -> key.split(":", -1)[2]).contains("address", "login", "search");
			assertThat(output.getAll().lines()).noneMatch(ApplicationYmlTests::isOurWarning);
			server.kill();
			assertThat(statuses(application, "/login", 1)).containsExactly(503);
			assertThat(statuses(application, "/other", 1)).containsExactly(200);
		}
	}

	private static boolean isOurWarning(String line) {
		return line.contains(" WARN ") && line.contains("ratelimit");
	}

	private static String limit(TestApplication application, String path) {
		return application.get(path, "").headers().firstValue("X-RateLimit-Limit").orElseThrow();
	}

	private static List<Integer> statuses(TestApplication application, String path, int requests) {
		return Stream.generate(() -> application.get(path, "").statusCode()).limit(requests).toList();
	}

}
