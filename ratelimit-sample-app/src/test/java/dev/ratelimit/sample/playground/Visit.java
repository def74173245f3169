package dev.ratelimit.sample.playground;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.RequestOptions;
import com.microsoft.playwright.options.SelectOption;
import org.awaitility.Awaitility;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

/**
 * Uses the page of the sample in a browser, and finds elements by their accessible names.
 */
public final class Visit implements AutoCloseable {

	/** The machine may be busy. */
	static final double PATIENCE_MILLIS = 30_000;

	/** So many that each node holds keys of some of them. */
	private static final int PLAYERS = 12;

	/** Not an error: the page shows that a request was refused. */
	private static final Pattern REFUSED = Pattern.compile("Failed to load resource.*(429|503).*");

	private final BrowserContext context;

	private final Page page;

	private final String url;

	private final List<String> errors = new ArrayList<>();

	private final List<String> foreignRequests = new ArrayList<>();

	/** Open the page of an application. */
	public Visit(Browser browser, String url, ColorScheme colors, int width, int height) {
		this.url = url;
		this.context = browser
			.newContext(new Browser.NewContextOptions().setColorScheme(colors).setViewportSize(width, height));
		this.page = this.context.newPage();
		this.page.setDefaultTimeout(PATIENCE_MILLIS);
		this.page.onConsoleMessage((message) -> {
			if (message.type().equals("error") && !REFUSED.matcher(message.text()).matches()) {
				this.errors.add(message.text());
			}
		});
		this.page.onPageError(this.errors::add);
		String host = URI.create(url).getAuthority();
		this.page.onRequest((request) -> {
			if (!host.equals(URI.create(request.url()).getAuthority())) {
				this.foreignRequests.add(request.url());
			}
		});
		this.page.navigate(url + "/");
	}

	public Page page() {
		return this.page;
	}

	public Locator button(String name) {
		return this.page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
	}

	public void press(String button) {
		button(button).click();
	}

	void choose(String label, String text) {
		this.page.getByLabel(label, new Page.GetByLabelOptions().setExact(true))
			.selectOption(new SelectOption().setLabel(text));
	}

	void burst(int requests) {
		this.page.getByLabel("Burst of").fill(Integer.toString(requests));
		press("Send burst");
	}

	Locator lane(int index) {
		return this.page.locator(".lane").nth(index);
	}

	/** Wait until an element contains a text. */
	public void sees(Locator where, String text) {
		assertThat(where).containsText(text, new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE_MILLIS));
	}

	public void sees(Locator where, Pattern text) {
		assertThat(where).containsText(text, new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE_MILLIS));
	}

	public void seesStatus(String text) {
		sees(this.page.getByRole(AriaRole.STATUS), text);
	}

	/** The node that holds the key of the first lane. */
	int owner() {
		Locator owner = lane(0).locator(".owner");
		sees(owner, "on node");
		return Integer.parseInt(owner.textContent().replaceAll(".* on node (\\d).*", "$1"));
	}

	/**
	 * Restore what the next visit expects: all nodes are alive, and no breaker is open. A
	 * breaker tries again on the next request.
	 */
	void reviveAll() {
		for (int node = 1; node <= 3; node++) {
			this.page.request()
				.put(this.url + "/playground/nodes/" + node, RequestOptions.create().setData(Map.of("alive", true)));
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> IntStream.range(0, PLAYERS).allMatch(this::isDecidedByRedis));
	}

	/** Without Redis this rule responds with 503. */
	private boolean isDecidedByRedis(int player) {
		return this.page.request()
			.get(this.url + "/play/strict/fixed-window",
					RequestOptions.create().setHeader("X-Player", "after-" + player))
			.status() != 503;
	}

	public byte[] screenshot(Path file) {
		return this.page.screenshot(new Page.ScreenshotOptions().setPath(file));
	}

	/** The errors that the browser reported, except refusals. */
	public List<String> errors() {
		return List.copyOf(this.errors);
	}

	/** The requests to other hosts than the application. */
	public List<String> foreignRequests() {
		return List.copyOf(this.foreignRequests);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
