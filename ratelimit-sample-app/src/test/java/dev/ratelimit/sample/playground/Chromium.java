package dev.ratelimit.sample.playground;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;

/**
 * A real browser: the one that the system property {@code chromium} names, else the one
 * on the PATH. Playwright's own browsers are not downloaded.
 */
final class Chromium implements AutoCloseable {

	private final Playwright playwright;

	private final Browser browser;

	Chromium() {
		Path executable = executable();
		this.playwright = Playwright
			.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
		// No foreign content is shown, and a container has no room for a sandbox.
		this.browser = this.playwright.chromium()
			.launch(new BrowserType.LaunchOptions().setExecutablePath(executable)
				.setChromiumSandbox(false)
				.setArgs(List.of("--disable-gpu", "--force-color-profile=srgb")));
	}

	private static Path executable() {
		String given = System.getProperty("chromium");
		if (given != null) {
			return Path.of(given);
		}
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.flatMap((directory) -> Stream.of("chromium", "chromium-browser", "google-chrome")
				.map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("There is no Chromium on the PATH. Install Debian's "
					+ "(apt-get install chromium fonts-dejavu-core), or name one: -Dchromium=/opt/chrome/chrome"));
	}

	Browser browser() {
		return this.browser;
	}

	@Override
	public void close() {
		this.playwright.close();
	}

}
