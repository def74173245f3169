package dev.ratelimit.sample.playground;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Clip;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.RequestOptions;
import com.microsoft.playwright.options.SelectOption;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

/**
 * Uses the page of the sample in a browser, and finds elements by their accessible names.
 */
final class Visit implements AutoCloseable {

	/** The machine may be busy. */
	private static final double PATIENCE_MILLIS = 60_000;

	private static final int DESKTOP_HEIGHT = 900;

	private static final int PHONE_HEIGHT = 844;

	private static final int PHONE = 390;

	private static final int MARGIN = 6;

	/** So many that each node holds keys of some of them. */
	private static final int PLAYERS = 12;

	/** Not an error: the page asks for what a dead node does not answer. */
	private static final Pattern UNAVAILABLE = Pattern.compile("Failed to load resource.*503.*");

	/** What is not in one view, too small to read, or cut. */
	private static final String MISPLACED = """
			([width, height]) => {
			  scrollTo(0, 0);
			  const problems = [];
			  const note = (problem, e) => problems.push(`${location.hash} ${problem}: ${e.id || e.className.baseVal
			      || e.className || e.tagName} "${e.textContent.trim().slice(0, 40)}"`);
			  const shown = [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility());
			  shown.filter((e) => e.matches('.chart, .buttons button, #nodes button, #cut')).forEach((e) => {
			    const {left, top, right, bottom} = e.getBoundingClientRect();
			    if (left < 0 || top < 0 || right > width || bottom > height) {
			      note(`not in view (${Math.round(right)}, ${Math.round(bottom)})`, e);
			    }
			  });
			  shown.filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).forEach((e) => {
			    if (Number.parseFloat(getComputedStyle(e).fontSize) < 12) {
			      note('too small', e);
			    }
			    const svg = e.closest('svg.chart');
			    const inner = e.getBoundingClientRect();
			    const outer = svg?.getBoundingClientRect();
			    if (svg ? inner.left < outer.left - 1 || inner.right > outer.right + 1 : e.scrollWidth > e.clientWidth + 1
			        && getComputedStyle(e).display !== 'inline') {
			      note('cut', e);
			    }
			  });
			  if (document.documentElement.scrollWidth > width) {
			    note('too wide', document.documentElement);
			  }
			  return problems;
			}""";

	private final BrowserContext context;

	private final Page page;

	private final String url;

	private final List<String> errors = new ArrayList<>();

	private final List<String> foreignRequests = new ArrayList<>();

	private final String metersBefore;

	private @Nullable Clip stage;

	/** Open a story of the page. */
	Visit(Browser browser, String url, String story, ColorScheme colors, int width) {
		this.url = url;
		this.context = browser.newContext(new Browser.NewContextOptions().setColorScheme(colors)
			.setViewportSize(width, (width == PHONE) ? PHONE_HEIGHT : DESKTOP_HEIGHT));
		this.page = this.context.newPage();
		this.page.setDefaultTimeout(PATIENCE_MILLIS);
		this.page.onConsoleMessage((message) -> {
			if (message.type().equals("error") && !UNAVAILABLE.matcher(message.text()).matches()) {
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
		this.metersBefore = meters();
		this.page.navigate(url + "/#" + story);
		sees(lane(0).locator(".totals"), "0 admitted");
	}

	Page page() {
		return this.page;
	}

	void press(String button) {
		press(button, "button");
	}

	void press(String name, String role) {
		this.page
			.getByRole(AriaRole.valueOf(role.toUpperCase(Locale.ROOT)),
					new Page.GetByRoleOptions().setName(name).setExact(true))
			.click();
	}

	void choose(String label, String text) {
		this.page.getByLabel(label, new Page.GetByLabelOptions().setExact(true))
			.selectOption(new SelectOption().setLabel(text));
	}

	/** Run the story, and wait for its end, at which all is still in one view. */
	Visit run() {
		press("Run");
		return done();
	}

	Visit done() {
		seesStatus("Done.");
		Assertions.assertThat(misplaced()).isEmpty();
		return this;
	}

	boolean isDone() {
		return this.page.locator("#said").textContent().startsWith("Done.");
	}

	Locator lane(int index) {
		return this.page.locator(".lane").nth(index);
	}

	Locator detail(int index) {
		return this.page.locator(".detail").nth(index);
	}

	/** For example "10 admitted, 2 refused". */
	String totals(int lane) {
		return String.join(", ", lane(lane).locator(".totals span").allTextContents());
	}

	int count(int lane, String kind) {
		return number(totals(lane), "(\\d+) " + kind);
	}

	int sum(String kind) {
		return IntStream.range(0, this.page.locator(".lane").count()).map((lane) -> count(lane, kind)).sum();
	}

	int calls(int lane) {
		Pattern calls = Pattern.compile("(\\d+) calls to Redis");
		sees(lane(lane).locator(".facts"), calls);
		return number(lane(lane).locator(".facts").textContent(), calls.pattern());
	}

	private static int number(String text, String pattern) {
		return Pattern.compile(pattern)
			.matcher(text)
			.results()
			.findFirst()
			.map((found) -> Integer.parseInt(found.group(1)))
			.orElse(0);
	}

	/** The page shows of a lane what the meters of its rule have counted meanwhile. */
	void agreesWithTheMeters(int lane) {
		String rule = detail(lane).locator("h3").textContent().replaceAll(".*: ", "");
		Assertions.assertThat(counted(rule, "allowed"))
			.as(rule)
			.isEqualTo(count(lane, "admitted") + delayed(lane, rule));
		Assertions.assertThat(counted(rule, "rejected"))
			.as(rule)
			.isEqualTo(count(lane, "refused") + count(lane, "failed"));
	}

	/** A request whose turn comes at once may still be answered late, and is drawn so. */
	private int delayed(int lane, String rule) {
		return count(lane, "delayed") - counted(rule, "delayed");
	}

	private int counted(String rule, String outcome) {
		return sum(meters(), rule, outcome) - sum(this.metersBefore, rule, outcome);
	}

	private static int sum(String meters, String rule, String outcome) {
		return Pattern
			.compile("^ratelimit_requests_total\\{outcome=\"%s\",rule=\"%s\".*} (\\S+)$".formatted(outcome, rule),
					Pattern.MULTILINE)
			.matcher(meters)
			.results()
			.mapToInt((found) -> (int) Double.parseDouble(found.group(1)))
			.sum();
	}

	private String meters() {
		return this.page.request().get(this.url + "/actuator/prometheus?includedNames=ratelimit_requests").text();
	}

	/** Wait until an element contains a text. */
	void sees(Locator where, String text) {
		assertThat(where).containsText(text, new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE_MILLIS));
	}

	void sees(Locator where, Pattern text) {
		assertThat(where).containsText(text, new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE_MILLIS));
	}

	/** Wait until there are so many elements, or at least one. */
	void seesMarks(Locator where, int count) {
		if (count == 1) {
			assertThat(where.first()).isAttached(new LocatorAssertions.IsAttachedOptions().setTimeout(PATIENCE_MILLIS));
		}
		else {
			assertThat(where).hasCount(count, new LocatorAssertions.HasCountOptions().setTimeout(PATIENCE_MILLIS));
		}
	}

	void seesStatus(String text) {
		sees(this.page.getByRole(AriaRole.STATUS), text);
	}

	/** What is not in one view, too small to read, or cut. */
	@SuppressWarnings("unchecked")
	List<String> misplaced() {
		var size = this.page.viewportSize();
		return (List<String>) this.page.evaluate(MISPLACED, List.of(size.width, size.height));
	}

	/**
	 * Restore what the next visit expects: all nodes are alive, no breaker is open, and
	 * no other application runs. A breaker tries again on the next request.
	 */
	void restore() {
		for (int node = 1; node <= 3; node++) {
			this.page.request()
				.put(this.url + "/playground/nodes/" + node, RequestOptions.create().setData(Map.of("alive", true)));
		}
		this.page.request()
			.put(this.url + "/playground/applications", RequestOptions.create().setData(Map.of("group", "NONE")));
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> IntStream.range(0, PLAYERS).allMatch(this::isDecidedByRedis));
	}

	/** Without Redis this rule responds with 503. */
	private boolean isDecidedByRedis(int player) {
		return this.page.request()
			.get(this.url + "/play/deny", RequestOptions.create().setHeader("X-Player", "after-" + player))
			.status() != 503;
	}

	/** The page down to the switches of the nodes, at its own size. */
	byte[] picture(Path file, int width) {
		this.page.setViewportSize(width, (int) bottom());
		return this.page.screenshot(new Page.ScreenshotOptions().setPath(file));
	}

	/** The lanes and the switches of the nodes, always of the same size. */
	byte[] stage() {
		if (this.stage == null) {
			double top = this.page.locator("#said").boundingBox().y;
			this.stage = new Clip(0, top, this.page.viewportSize().width, bottom() - top);
		}
		return this.page.screenshot(new Page.ScreenshotOptions().setClip(this.stage));
	}

	private double bottom() {
		var cluster = this.page.locator("#cluster").boundingBox();
		return Math.ceil(cluster.y + cluster.height + MARGIN);
	}

	/** The errors that the browser reported, except refusals. */
	List<String> errors() {
		return List.copyOf(this.errors);
	}

	/** The requests to other hosts than the application. */
	List<String> foreignRequests() {
		return List.copyOf(this.foreignRequests);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
