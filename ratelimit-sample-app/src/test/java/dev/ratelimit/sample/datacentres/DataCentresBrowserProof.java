package dev.ratelimit.sample.datacentres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.ratelimit.sample.SampleApplication;
import dev.ratelimit.sample.playground.Chromium;
import dev.ratelimit.sample.playground.Visit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of two data centres in a real browser. {@code -Dscreenshots=../docs/images}
 * renews its pictures.
 */
@Tag("proof-browser")
class DataCentresBrowserProof {

	private static final int DESKTOP = 1000;

	private static final int PHONE = 360;

	private static final int HEIGHT = 900;

	private static ConfigurableApplicationContext application;

	private static Chromium chromium;

	private Visit visit;

	/** A day, so that no window ends meanwhile. */
	@BeforeAll
	static void start() {
		application = SpringApplication.run(SampleApplication.class, "--spring.profiles.active=datacentres",
				"--server.port=0", "--ratelimit.rules.shared.thresholds=60/1d");
		chromium = new Chromium();
	}

	@AfterAll
	static void stop() {
		if (chromium != null) {
			chromium.close();
		}
		application.close();
	}

	/** Every visit is another client. */
	private Visit visit(String client, ColorScheme colors, int width) {
		String url = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
		this.visit = new Visit(chromium.browser(), url, colors, width, HEIGHT);
		this.visit.page().getByLabel("Client").fill(client);
		this.visit.sees(this.visit.page().locator("#side-b .command"), client);
		return this.visit;
	}

	@AfterEach
	void thereWereNoErrorsAndNoForeignRequests() {
		application.getBean(DataCentres.class).restore();
		if (this.visit != null) {
			this.visit.close();
			assertThat(this.visit.errors()).isEmpty();
			assertThat(this.visit.foreignRequests()).isEmpty();
		}
	}

	private static void promise(String text, Object... measured) {
		System.out.printf("Browser: " + text + "%n", measured);
	}

	@Test
	void aCutShowsTheBoundBesideTheCount() {
		Visit visit = visit("cut", ColorScheme.LIGHT, DESKTOP);
		visit.sees(visit.page().locator("#bound"), "72 = 60 + 1 \u00d7 12");
		pressSwitch();
		visit.seesStatus("The line is cut.");
		for (String name : List.of("a", "b")) {
			visit.press("Send 10 to " + name);
			visit.seesStatus("Sent 10 to " + name + ": 10 admitted, 0 refused.");
			visit.press("Send 10 to " + name);
			visit.seesStatus("Sent 10 to " + name + ": 5 admitted, 5 refused.");
			visit.sees(side(name, ".answer"), Pattern.compile("HTTP 429.*Retry-After: 1$", Pattern.DOTALL));
			visit.sees(side(name, ".exchange"), "does not reply");
		}
		visit.sees(visit.page().locator("#admitted"), "30");
		assertThat(visit.page().locator("#bar").getAttribute("aria-label"))
			.isEqualTo("15 by a and 15 by b admitted; the limit is 60, the bound 72");
		pressSwitch();
		visit.seesStatus("The line is whole again.");
		for (String name : List.of("a", "b")) {
			visit.sees(side(name, ".exchange"), "exchanging");
		}
		promise("with the line cut, each data centre admits 15 of 20, and the page shows 30 beside 60 and 72");
	}

	private void pressSwitch() {
		this.visit.page()
			.getByRole(AriaRole.SWITCH, new Page.GetByRoleOptions().setName("Cut the line").setExact(true))
			.click();
	}

	private Locator side(String name, String part) {
		return this.visit.page().locator("#side-" + name + " " + part);
	}

	@ParameterizedTest
	@CsvSource({ "LIGHT, " + DESKTOP, "DARK, " + DESKTOP, "LIGHT, " + PHONE, "DARK, " + PHONE })
	void thePageIsAccessibleAndFitsItsWidth(ColorScheme colors, int width) throws IOException {
		String kind = colors.name().toLowerCase(Locale.ROOT) + "-" + width;
		Visit visit = visit(kind, colors, width);
		pressSwitch();
		visit.seesStatus("The line is cut.");
		visit.press("Send 10 to a");
		visit.seesStatus("Sent 10 to a: 10 admitted, 0 refused.");
		visit.press("Send 10 to b");
		visit.seesStatus("Sent 10 to b: 10 admitted, 0 refused.");
		visit.press("Send 10 to b");
		visit.seesStatus("Sent 10 to b: 5 admitted, 5 refused.");
		visit.sees(side("a", ".exchange"), "does not reply");
		visit.sees(side("b", ".exchange"), "does not reply");
		assertThat(new AxeBuilder(visit.page()).analyze().getViolations()).extracting(Rule::getId).isEmpty();
		int wide = (int) visit.page().evaluate("document.documentElement.scrollWidth");
		assertThat(wide).as("width of the page").isLessThanOrEqualTo(width);
		Path directory = Files.createDirectories(Path.of(System.getProperty("screenshots", "target/screenshots")));
		visit.screenshot(directory.resolve("datacentres-" + kind + ".png"));
		promise("two data centres, %s: axe finds no violation, the page is %d wide", kind, wide);
	}

	@Test
	void theKeyboardIsEnough() {
		Visit visit = visit("keyboard", ColorScheme.LIGHT, DESKTOP);
		Keyboard keyboard = visit.page().keyboard();
		keyboard.press("Tab");
		keyboard.press("Enter");
		visit.seesStatus("Sent 10 to a: 10 admitted, 0 refused.");
		keyboard.press("Tab");
		keyboard.press("Space");
		visit.seesStatus("Sent 10 to b: ");
		keyboard.press("Tab");
		keyboard.press("Space");
		visit.seesStatus("The line is cut.");
		assertThat((String) visit.page().evaluate("document.activeElement.getAttribute('aria-checked')"))
			.isEqualTo("true");
		assertThat((String) visit.page().evaluate("getComputedStyle(document.activeElement).outlineStyle"))
			.isEqualTo("solid");
		promise("the keyboard alone sends, and cuts the line");
	}

}
