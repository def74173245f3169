package dev.ratelimit.sample.playground;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
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

	private static final int DESKTOP = 1440;

	private static final int PHONE = 390;

	/** As wide as the README shows it. */
	private static final int PICTURE = 800;

	private static final int MAX_PICTURE_BYTES = 100_000;

	private static final int MAX_ANIMATION_BYTES = 400_000;

	private static final int FRAME_MILLIS = 500;

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

	private Visit visit(String story, ColorScheme colors, int width) {
		this.visit = new Visit(chromium.browser(), application.url(), story, colors, width);
		return this.visit;
	}

	private Visit visit(String story) {
		return visit(story, ColorScheme.LIGHT, DESKTOP);
	}

	private Visit run(String story) {
		return visit(story).run();
	}

	/** After each visit. */
	@AfterEach
	void thereWereNoErrorsAndNoForeignRequests() {
		if (this.visit != null) {
			this.visit.restore();
			this.visit.close();
			assertThat(this.visit.errors()).isEmpty();
			assertThat(this.visit.foreignRequests()).isEmpty();
		}
	}

	private static void promise(String text, Object... measured) {
		System.out.printf("Browser: " + text + "%n", measured);
	}

	@Test
	void aFixedWindowAdmitsTwoBurstsAtItsEdgeAndALogOne() {
		Visit visit = run("edge");
		assertThat(visit.totals(0)).isEqualTo("20 admitted, 0 refused");
		assertThat(visit.totals(1)).isEqualTo("10 admitted, 10 refused");
		assertThat(visit.lane(0).locator(".edge").count()).isPositive();
		assertThat(visit.lane(0).locator(".mark.past").count()).as("requests of the window before").isEqualTo(10);
		for (int lane = 0; lane < 2; lane++) {
			assertThat(visit.lane(lane).locator("svg .window").count()).isOne();
			assertThat(visit.lane(lane).locator(".next").count()).isPositive();
			visit.sees(visit.lane(lane).locator(".facts"), Pattern.compile("0 left \u00b7 next in \\d"));
			visit.agreesWithTheMeters(lane);
		}
		promise("edge: a fixed window admits 20 of two bursts of 10, a sliding log 10");
	}

	@Test
	void aClientThatWaitsAsToldIsRefusedOnceAndIsDoneNoLater() {
		Visit visit = run("patient");
		assertThat(visit.count(0, "admitted")).isEqualTo(20);
		assertThat(visit.count(0, "refused")).isBetween(1, 2);
		assertThat(visit.count(1, "admitted")).isEqualTo(20);
		assertThat(visit.count(1, "refused")).isGreaterThan(2 * visit.count(0, "refused"));
		promise("patient: 20 admitted each; the client that waits was refused %d times, the other one %d times",
				visit.count(0, "refused"), visit.count(1, "refused"));
	}

	@Test
	void aClientThatHammersStaysRefusedUntilItPausesIfRefusedRequestsCount() {
		Visit visit = visit("hammer", ColorScheme.LIGHT, PHONE).run();
		assertThat(visit.count(0, "admitted")).isGreaterThan(5 + 3 + 3);
		assertThat(visit.totals(1)).isEqualTo("8 admitted, 25 refused");
		assertThat(visit.detail(1).locator("pre").first().textContent()).contains("count-rejected: true");
		promise("hammer: %d of 33 are admitted, with count-rejected 5, and 3 after a pause",
				visit.count(0, "admitted"));
	}

	@Test
	void aBucketRefillsWhereALogWaitsForItsEntries() {
		Visit visit = run("bucket");
		assertThat(visit.count(0, "admitted")).isGreaterThanOrEqualTo(15);
		assertThat(visit.totals(1)).isEqualTo("10 admitted, 10 refused");
		assertThat(visit.lane(0).locator(".level").count()).isOne();
		promise("bucket: %d of 20 are admitted, by a log 10", visit.count(0, "admitted"));
	}

	@Test
	void eachPlanHasItsLimit() {
		Visit visit = visit("plans", ColorScheme.LIGHT, PHONE).run();
		assertThat(IntStream.range(0, 3).mapToObj(visit::totals)).containsExactly("5 admitted, 7 refused",
				"10 admitted, 2 refused", "0 admitted, 12 refused");
		promise("plans: of 12 requests 5 are admitted, 10 of a client that pays, none of one that is suspended");
	}

	@Test
	void aDeadNodeShowsThePolicyOfEachRuleUntilItIsRevivedAndIsFilmed() throws IOException {
		Visit visit = visit("kill", ColorScheme.LIGHT, PICTURE);
		Animation animation = new Animation(FRAME_MILLIS / 2);
		visit.press("Run");
		visit.seesMarks(visit.lane(0).locator(".mark"), 1);
		while (!visit.isDone()) {
			animation.add(visit.stage());
			visit.page().waitForTimeout(FRAME_MILLIS);
		}
		visit.done();
		for (int lane = 0; lane < 3; lane++) {
			assertThat(visit.lane(lane).locator(".outage").count()).isOne();
			visit.sees(visit.lane(lane).locator(".facts"), "counted in Redis");
			visit.agreesWithTheMeters(lane);
		}
		visit.sees(visit.page().locator("#nodes"), "holds 3 of your keys");
		visit.sees(visit.lane(0).locator(".facts"), Pattern.compile("[1-9]\\d* locally"));
		visit.sees(visit.lane(1).locator(".facts"), Pattern.compile("[1-9]\\d* nowhere"));
		assertThat(visit.count(0, "refused")).isPositive();
		assertThat(visit.count(1, "admitted")).isGreaterThan(visit.count(0, "admitted"));
		assertThat(visit.count(2, "failed")).isGreaterThanOrEqualTo(10);
		assertThat(visit.count(0, "failed") + visit.count(1, "failed")).isZero();
		animation.add(visit.stage());
		Path file = directory().resolve("playground-kill.gif");
		animation.write(file);
		assertThat(Files.size(file)).isLessThan(MAX_ANIMATION_BYTES);
		promise("kill: of 34 requests, local admits %d, allow %d, deny %d and answers %d with 503; %s has %d bytes",
				visit.count(0, "admitted"), visit.count(1, "admitted"), visit.count(2, "admitted"),
				visit.count(2, "failed"), file.getFileName(), Files.size(file));
	}

	@Test
	void threeInstancesShareALimit() {
		Visit visit = visit("instances", ColorScheme.DARK, PHONE).run();
		assertThat(visit.sum("admitted")).isEqualTo(10);
		assertThat(visit.sum("refused")).isEqualTo(8);
		visit.seesStatus("together 10.");
		promise("instances: of 18 requests to three instances, 10 are admitted");
	}

	@Test
	void leasedAndSyncedRulesCallRedisLess() {
		Visit visit = visit("modes", ColorScheme.LIGHT, PHONE).run();
		List<Integer> calls = IntStream.range(0, 3).mapToObj(visit::calls).toList();
		assertThat(visit.sum("admitted")).isEqualTo(180);
		// Requests that arrive together share a call, and a queue of another story may
		// look for work.
		assertThat(calls.get(0)).isBetween(40, 80);
		assertThat(calls.get(1)).isBetween(1, 30);
		assertThat(calls.get(2)).isBetween(1, 20);
		promise("modes: 60 requests cost %d calls of Redis, leased %d, synced %d", calls.toArray());
	}

	@Test
	void delayedRequestsPassOneByOne() {
		Visit visit = visit("delay");
		visit.press("Run");
		visit.seesMarks(visit.lane(0).locator(".chart .pending"), 1);
		visit.done();
		assertThat(visit.count(0, "admitted") + visit.count(0, "delayed")).isEqualTo(8);
		assertThat(visit.count(0, "delayed")).isGreaterThanOrEqualTo(7);
		assertThat(visit.count(0, "refused")).isEqualTo(2);
		assertThat(visit.lane(0).locator(".wait").count()).isEqualTo(visit.count(0, "delayed"));
		assertThat(visit.totals(1)).isEqualTo("8 admitted, 2 refused");
		assertThat(visit.lane(0).locator(".chart .pending").count()).isZero();
		visit.agreesWithTheMeters(0);
		promise("delay: of 10 requests %d wait for their turns, 2 are refused", visit.count(0, "delayed"));
	}

	@Test
	void enqueuedOrdersAreHandledLater() {
		Visit visit = visit("enqueue");
		visit.press("Run");
		visit.sees(visit.lane(0).locator(".totals"), "3 queued");
		visit.done();
		assertThat(visit.totals(0)).isEqualTo("5 admitted, 3 handled, 0 refused");
		promise("enqueue: of 8 orders 5 are placed, 3 enqueued, and handled later");
	}

	@Test
	void aRuleInShadowReportsWhatItWouldRefuse() {
		Visit visit = run("shadow");
		assertThat(visit.totals(0)).isEqualTo("8 admitted, 0 refused");
		assertThat(visit.totals(1)).isEqualTo("5 admitted, 3 refused");
		visit.sees(visit.lane(0).locator(".facts"), "3 would be refused");
		promise("shadow: 8 are admitted, 3 would be refused");
	}

	@Test
	void dataCentresThatAreCutOffStayWithinTheBound() {
		Visit visit = visit("datacentres");
		visit.press("Run");
		for (int lane = 0; lane < 2; lane++) {
			visit.sees(visit.lane(lane).locator(".totals"), "15 admitted5 refused");
		}
		visit.done();
		assertThat(visit.sum("admitted")).isBetween(31, 72);
		assertThat(visit.lane(0).locator(".outage").count()).isOne();
		visit.press("Cut the line", "switch");
		visit.seesStatus("The line is cut.");
		visit.press("Cut the line", "switch");
		visit.seesStatus("The line is whole again.");
		promise("datacentres: each admits 15 while the line is cut, both together %d of at most 72",
				visit.sum("admitted"));
	}

	@Test
	void twoAlgorithmsReceiveTheSameTraffic() {
		Visit visit = visit("compare");
		visit.choose("Left", "fixed-window");
		visit.choose("Right", "token-bucket");
		visit.press("Send 10");
		visit.sees(visit.lane(1).locator(".totals"), "10 admitted");
		visit.press("Send 1");
		visit.sees(visit.lane(1).locator("h3"), "token-bucket");
		for (int lane = 0; lane < 2; lane++) {
			assertThat(visit.count(lane, "admitted")).isGreaterThanOrEqualTo(10);
			visit.sees(visit.detail(lane).locator(".content"), "string");
		}
		visit.press("Reset");
		assertThat(visit.totals(0)).isEqualTo("0 admitted, 0 refused");
		visit.sees(visit.lane(0).locator(".empty"), "Press Run");
		promise("compare: two algorithms get the same requests, and start fresh");
	}

	@Test
	void anEarlierTimeAndTheMeaningOfHeadersAreShown() {
		Visit visit = run("shadow");
		int marks = visit.lane(0).locator(".chart .mark").count();
		visit.page().locator("#time").focus();
		visit.page().keyboard().press("Home");
		visit.sees(visit.lane(0).locator(".facts"), Pattern.compile("^(?!0 left)"));
		assertThat(marks).isEqualTo(8);
		visit.seesMarks(visit.lane(0).locator(".chart .mark"), 0);
		visit.page().keyboard().press("End");
		visit.seesMarks(visit.lane(0).locator(".chart .mark"), marks);
		Locator detail = visit.detail(1);
		visit.sees(detail.locator(".content"), "zset");
		Locator term = detail.locator(".term").getByText("x-ratelimit-limit").first();
		Locator tip = visit.page().locator("#" + term.getAttribute("aria-describedby"));
		assertThat(tip.isVisible()).isFalse();
		term.hover();
		assertThat(tip.isVisible()).isTrue();
		visit.page().mouse().move(0, 0);
		term.focus();
		visit.page().keyboard().press("Shift+Tab");
		visit.page().keyboard().press("Tab");
		assertThat(tip.isVisible()).isTrue();
		assertThat(tip.textContent()).contains("The most that the most restrictive window admits at once");
		visit.page().keyboard().press("Escape");
		assertThat(tip.isVisible()).isFalse();
		promise("the slider looks back, and headers are explained on hover and on focus");
	}

	/** Before and after requests; each run of a story is checked, too. */
	@ParameterizedTest
	@CsvSource({ "LIGHT, " + DESKTOP, "DARK, " + DESKTOP, "LIGHT, " + PHONE, "DARK, " + PHONE })
	void chartsButtonsAndSwitchesAreInOneViewAndAccessible(ColorScheme colors, int width) {
		Visit visit = visit("edge", colors, width);
		List<String> violations = new ArrayList<>();
		int stories = visit.page().locator("#stories button").count();
		for (int i = 0; i < stories; i++) {
			visit.page().locator("#stories button").nth(i).click();
			violations.addAll(visit.misplaced());
			visit.press("Send 10");
			visit.done();
			violations.addAll(check(visit));
		}
		assertThat(violations).isEmpty();
		promise("%s at %d pixels: %d stories fit into one view, axe finds no violation",
				colors.name().toLowerCase(Locale.ROOT), width, stories);
	}

	private static List<String> check(Visit visit) {
		Stream<String> axe = new AxeBuilder(visit.page()).analyze()
			.getViolations()
			.stream()
			.map(BrowserProof::describe);
		return Stream.concat(axe, visit.misplaced().stream()).toList();
	}

	private static String describe(Rule rule) {
		return rule.getId() + ": "
				+ rule.getNodes().stream().map((node) -> node.getHtml() + node.getFailureSummary()).toList();
	}

	@Test
	void theKeyboardIsEnough() {
		Visit visit = visit("edge");
		Keyboard keyboard = visit.page().keyboard();
		Set<String> reached = new TreeSet<>();
		String focused = tab(visit, keyboard);
		for (; !focused.equals("Burst and refill"); focused = tab(visit, keyboard)) {
			reached.add(focused);
		}
		keyboard.press("Enter");
		visit.sees(visit.page().locator("h2"), "Burst and refill");
		for (; !focused.equals("Send 1"); focused = tab(visit, keyboard)) {
			reached.add(focused);
		}
		keyboard.press("Enter");
		visit.sees(visit.lane(0).locator(".totals"), "1 admitted");
		for (; !focused.equals("Kill node 3"); focused = tab(visit, keyboard)) {
			reached.add(focused);
		}
		keyboard.press("Space");
		visit.seesStatus("Node 3 is killed.");
		visit.sees(visit.page().locator(":focus"), "Revive node 3");
		keyboard.press("Space");
		visit.seesStatus("Node 3 is alive again.");
		assertThat(reached).contains("Burst at the edge", "Run", "Reset", "admitted", "window", "next", "time",
				"Kill node 1");
		promise("the keyboard alone chooses, sends, kills and revives; %d places show that they have the focus",
				reached.size() + 1);
	}

	private static String tab(Visit visit, Keyboard keyboard) {
		keyboard.press("Tab");
		assertThat((String) visit.page().evaluate("getComputedStyle(document.activeElement).outlineStyle"))
			.as(focused(visit))
			.isEqualTo("solid");
		return focused(visit);
	}

	/** Its text or its id. */
	private static String focused(Visit visit) {
		return (String) visit.page()
			.evaluate(
					"() => { const e = document.activeElement; return e.tagName === 'INPUT' ? e.id : e.textContent; }");
	}

	@Test
	void withReducedMotionThePictureMovesOnceASecond() {
		Visit visit = visit("delay");
		visit.page().emulateMedia(new Page.EmulateMediaOptions().setReducedMotion(ReducedMotion.REDUCE));
		visit.page().reload();
		visit.press("Run");
		visit.seesMarks(visit.lane(0).locator(".cursor"), 1);
		int moves = (int) visit.page().evaluate("""
				() => new Promise((resolve) => {
				  let moves = 0;
				  const svg = document.querySelector('.chart');
				  new MutationObserver(() => { moves++; }).observe(svg, {childList: true});
				  setTimeout(() => resolve(moves), 2500);
				})""");
		assertThat(moves).isBetween(1, 3);
		promise("with reduced motion the picture moved %d times in 2.5 s", moves);
	}

	@ParameterizedTest
	@EnumSource(names = { "LIGHT", "DARK" })
	void picturesAreTaken(ColorScheme colors) throws IOException {
		Visit visit = visit("edge", colors, PICTURE).run();
		for (int lane = 0; lane < 2; lane++) {
			visit.agreesWithTheMeters(lane);
		}
		Path file = directory().resolve("playground-" + colors.name().toLowerCase(Locale.ROOT) + ".png");
		assertThat(visit.picture(file, PICTURE)).hasSizeLessThan(MAX_PICTURE_BYTES);
		promise("%s has %d bytes, and shows what the meters counted", file.getFileName(), Files.size(file));
	}

	private static Path directory() throws IOException {
		return Files.createDirectories(Path.of(System.getProperty("screenshots", "target/screenshots")));
	}

}
