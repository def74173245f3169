package dev.ratelimit.sample.playground;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.options.ColorScheme;
import dev.ratelimit.sample.SampleProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The playground in a real browser, with the real application and its cluster.
 * {@code -Dscreenshots=../docs/images} renews the pictures of the README.
 */
@Tag("proof-browser")
class BrowserProof {

	private static final int DESKTOP = 1280;

	private static final int PHONE = 360;

	private static final int PICTURE = 1000;

	private static final int PICTURE_HEIGHT = 1250;

	private static final int HEIGHT = 800;

	private static final int MAX_PICTURE_BYTES = 200_000;

	private static final Set<String> GRAVE = Set.of("serious", "critical");

	private static SampleProcess application;

	private static Chromium chromium;

	private Visit visit;

	@BeforeAll
	static void start() {
		application = SampleProcess.start();
		chromium = new Chromium();
	}

	@AfterAll
	static void stop() {
		if (chromium != null) {
			chromium.close();
		}
		application.close();
	}

	private Visit visit(ColorScheme colors, int width) {
		this.visit = new Visit(chromium.browser(), application.url(), colors, width, HEIGHT);
		this.visit.sees(this.visit.button("Kill node 3"), "Kill node 3");
		return this.visit;
	}

	private Visit visit() {
		return visit(ColorScheme.LIGHT, DESKTOP);
	}

	/** After each visit. */
	@AfterEach
	void thereWereNoErrorsAndNoForeignRequests() {
		if (this.visit != null) {
			this.visit.reviveAll();
			this.visit.close();
			assertThat(this.visit.errors()).isEmpty();
			assertThat(this.visit.foreignRequests()).isEmpty();
		}
	}

	private static void promise(String text, Object... measured) {
		System.out.printf("Browser: " + text + "%n", measured);
	}

	@Test
	void aBurstIsAdmittedUpToTheLimitAndShownOnThePage() {
		Visit visit = visit();
		visit.burst(20);
		visit.seesStatus("Sent 20. sliding window log: 10 admitted, 10 refused.");
		visit.sees(visit.lane(0).locator(".windows"), "10 in 10s");
		visit.sees(visit.lane(0).locator(".content"), "sorted set of 10");
		visit.sees(visit.lane(0).locator(".sources"), Pattern.compile("store \\d+"));
		visit.press("Send one");
		// The last response of the burst looks the same.
		visit.seesStatus("Sent 1. sliding window log: 0 admitted, 1 refused.");
		visit.sees(visit.lane(0).locator(".answer"),
				Pattern.compile(
						"HTTP 429.*x-ratelimit-limit: 10.*x-ratelimit-remaining: 0.*play-steady-sliding-window-log",
						Pattern.DOTALL));
		assertThat(visit.lane(0).locator(".chart").getAttribute("aria-label")).contains("10 admitted", "11 refused");
		assertThat(visit.lane(0).locator(".bar-admitted").count()).isPositive();
		promise("of a burst of 20 under 10 in 10 s, 10 were admitted, and chart, headers and sorted set agree");
	}

	@Test
	void aSteadyRateRunsUntilItIsStopped() {
		Visit visit = visit();
		visit.choose("Algorithm", "token bucket");
		visit.press("Start steady rate");
		visit.sees(visit.lane(0).locator(".admitted"), Pattern.compile("^[3-9]$"));
		visit.press("Stop steady rate");
		visit.seesStatus("Stopped. token bucket: ");
		promise("a steady rate runs until it is stopped; %s were admitted",
				visit.lane(0).locator(".admitted").textContent());
	}

	@Test
	void twoAlgorithmsReceiveTheSameTraffic() {
		Visit visit = visit();
		visit.choose("Rule", "5 in 2s and 20 in 20s, allow without Redis");
		visit.choose("Compare with", "leaky bucket");
		visit.burst(8);
		visit.seesStatus("Sent 8. sliding window log: ");
		for (int lane = 0; lane < 2; lane++) {
			visit.sees(visit.lane(lane).locator(".windows"), "20 in 20s");
			int admitted = Integer.parseInt(visit.lane(lane).locator(".admitted").textContent());
			int refused = Integer.parseInt(visit.lane(lane).locator(".refused").textContent());
			assertThat(admitted + refused).isEqualTo(8);
			assertThat(admitted).isPositive();
		}
		visit.sees(visit.lane(0).locator(".content"), "sorted set of ");
		visit.sees(visit.lane(1).locator(".content"), "string");
		promise("two algorithms side by side got the same 8 requests each");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			10 in 10s, local without Redis             | HTTP 200 | local
			5 in 2s and 20 in 20s, allow without Redis | HTTP 200 | none
			10 in 10s, deny without Redis              | HTTP 503 | none
			""")
	void aDeadNodeShowsThePolicyOfTheRuleUntilItIsRevived(String rule, String answer, String source) {
		Visit visit = visit();
		visit.choose("Rule", rule);
		visit.press("Send one");
		visit.sees(visit.lane(0).locator(".answer"), "HTTP 200");
		int owner = visit.owner();
		visit.press("Kill node " + owner);
		visit.sees(visit.page().locator("#nodes li").nth(owner - 1), "dead");
		visit.sees(visit.lane(0).locator(".content"), "The node does not answer.");
		visit.press("Send one");
		visit.sees(visit.lane(0).locator(".answer"), answer);
		visit.sees(visit.lane(0).locator(".sources"), source + " 1");
		visit.press("Revive node " + owner);
		visit.sees(visit.page().locator("#nodes li").nth(owner - 1), "alive");
		visit.sees(visit.lane(0).locator(".windows"), "left");
		// The breaker tries again after a while, and only on a request.
		visit.press("Start steady rate");
		visit.sees(visit.lane(0).locator(".sources"), Pattern.compile("store ([2-9]|\\d\\d)"));
		promise("%s: a dead node is %s by %s, a revived one counts again", rule, answer, source);
	}

	@ParameterizedTest
	@CsvSource({ "LIGHT, " + DESKTOP, "DARK, " + DESKTOP, "LIGHT, " + PHONE, "DARK, " + PHONE })
	void thePageIsAccessibleAndFitsItsWidth(ColorScheme colors, int width) {
		Visit visit = visit(colors, width);
		visit.choose("Compare with", "fixed window");
		visit.burst(20);
		visit.seesStatus("Sent 20.");
		visit.sees(visit.lane(1).locator(".content"), "string");
		List<Rule> violations = new AxeBuilder(visit.page()).analyze().getViolations();
		assertThat(violations.stream().filter((rule) -> GRAVE.contains(rule.getImpact())).map(BrowserProof::describe))
			.isEmpty();
		int wide = (int) visit.page().evaluate("document.documentElement.scrollWidth");
		assertThat(wide).as("width of the page").isLessThanOrEqualTo(width);
		promise("%s at %d pixels: axe finds 0 grave violations and %d others, the page is %d wide",
				colors.name().toLowerCase(Locale.ROOT), width, violations.size(), wide);
	}

	private static String describe(Rule rule) {
		return rule.getId() + ": "
				+ rule.getNodes().stream().map((node) -> node.getHtml() + node.getFailureSummary()).toList();
	}

	@Test
	void theKeyboardIsEnough() {
		Visit visit = visit();
		Keyboard keyboard = visit.page().keyboard();
		Set<String> reached = new TreeSet<>();
		String focused = tab(visit, keyboard);
		for (; !focused.equals("Send one"); focused = tab(visit, keyboard)) {
			reached.add(focused);
			if (focused.equals("algorithm")) {
				keyboard.press("ArrowDown");
			}
		}
		keyboard.press("Enter");
		visit.seesStatus("Sent 1. sliding window counter: 1 admitted, 0 refused.");
		for (; !focused.equals("Kill node 3"); focused = tab(visit, keyboard)) {
			reached.add(focused);
		}
		keyboard.press("Space");
		visit.seesStatus("Node 3 is killed.");
		visit.sees(visit.page().locator(":focus"), "Revive node 3");
		keyboard.press("Space");
		visit.seesStatus("Node 3 is alive again.");
		assertThat(reached).contains("player", "kind", "algorithm", "rival", "burst-size", "rate", "Send burst",
				"Start steady rate", "Kill node 1", "Kill node 2");
		promise("the keyboard alone picks, sends, kills and revives; %d places show that they have the focus",
				reached.size() + 1);
	}

	private static String tab(Visit visit, Keyboard keyboard) {
		keyboard.press("Tab");
		assertThat((String) visit.page().evaluate("getComputedStyle(document.activeElement).outlineStyle"))
			.as(focused(visit))
			.isEqualTo("solid");
		return focused(visit);
	}

	/** Its id or its text. */
	private static String focused(Visit visit) {
		String text = "['BUTTON', 'A', 'PRE'].includes(e.tagName) ? e.textContent : e.id";
		return (String) visit.page().evaluate("() => { const e = document.activeElement; return " + text + "; }");
	}

	@ParameterizedTest
	@EnumSource(names = { "LIGHT", "DARK" })
	void picturesAreTaken(ColorScheme colors) throws IOException {
		Visit visit = visit(colors, PICTURE);
		visit.page().setViewportSize(PICTURE, PICTURE_HEIGHT);
		visit.page().getByLabel("Your name").fill((colors == ColorScheme.LIGHT) ? "alice" : "bob");
		visit.choose("Compare with", "token bucket");
		visit.page().getByLabel("Steady rate per second").fill("3");
		visit.press("Start steady rate");
		visit.sees(visit.lane(0).locator(".refused"), Pattern.compile("^([6-9]|\\d\\d)$"));
		visit.press("Stop steady rate");
		visit.sees(visit.lane(0).locator(".content"), "sorted set of");
		Path directory = Files.createDirectories(Path.of(System.getProperty("screenshots", "target/screenshots")));
		Path file = directory.resolve("playground-" + colors.name().toLowerCase(Locale.ROOT) + ".png");
		assertThat(visit.screenshot(file)).hasSizeLessThan(MAX_PICTURE_BYTES);
		promise("%s has %d bytes", file.getFileName(), Files.size(file));
	}

}
