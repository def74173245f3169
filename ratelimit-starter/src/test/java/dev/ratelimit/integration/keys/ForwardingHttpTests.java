package dev.ratelimit.integration.keys;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values that clients write into forwarding headers, on a real Tomcat that takes the
 * tests for a trusted proxy: they call from 127.0.0.1.
 */
@ExtendWith(OutputCaptureExtension.class)
class ForwardingHttpTests {

	private static final String RULE = "ratelimit: {store: memory, rules: {open: {paths: /open, thresholds: 3/1d}}}\n";

	private static List<Integer> statuses(App app, String header, String... values) {
		return Stream.of(values).map((value) -> app.get("/open", header, value).statusCode()).toList();
	}

	@Test
	void aTextThatTomcatTakesForAnAddressCountsAsItsPeer(CapturedOutput output) {
		try (App app = App.start("server.forward-headers-strategy: native\n" + RULE)) {
			assertThat(statuses(app, "X-Forwarded-For", "a", "bucket-of-my-own", "6.6.6.6, 1.2.3", "x\u00e9"))
				.containsExactly(200, 200, 200, 429);
			assertThat(app.get("/open").statusCode()).isEqualTo(429);
			assertThat(statuses(app, "X-Forwarded-For", "9.9.9.9")).containsExactly(200);
			assertThat(output).containsOnlyOnce("server.forward-headers-strategy is native");
		}
	}

	@Test
	void anAddressThatSpringTakesFromAnyClientIsNotRead(CapturedOutput output) {
		String framework = "server.forward-headers-strategy: framework\n"
				+ RULE.replace("thresholds", "key: 'header:X-Api-Key', thresholds");
		try (App app = App.start(framework)) {
			assertThat(statuses(app, "X-Forwarded-For", "6.6.6.1", "6.6.6.2", "6.6.6.3", "6.6.6.4"))
				.containsExactly(200, 200, 200, 429);
			assertThat(output).contains("ratelimit.trusted-proxies names no proxy");
		}
		try (App app = App.start(framework + "ratelimit.trusted-proxies: 127.0.0.0/8\n")) {
			assertThat(statuses(app, "X-Forwarded-For", "6.6.6.1, 9.9.9.9", "6.6.6.2, 9.9.9.9", "9.9.9.9", "9.9.9.9"))
				.containsExactly(200, 200, 200, 429);
			assertThat(statuses(app, "X-Forwarded-For", "8.8.8.8")).containsExactly(200);
		}
	}

	@Test
	void anUnclosedQuoteHidesNoClientBehindAnExemptProxy() {
		try (App app = App.start(RULE + "ratelimit.trusted-proxies: 127.0.0.0/8\n"
				+ "ratelimit.forwarded-header: forwarded\nratelimit.exempt.addresses: 127.0.0.0/8\n")) {
			assertThat(app.statuses(5, "GET", "/open")).containsOnly(200);
			String appended = "for=\"x, for=9.9.9.9";
			assertThat(statuses(app, "Forwarded", appended, appended, appended, appended)).containsExactly(200, 200,
					200, 429);
			assertThat(statuses(app, "Forwarded", "for=unknown", "for=\"", "for=\", for=127.0.0.2", "for=unknown"))
				.containsExactly(200, 200, 200, 200);
			assertThat(statuses(app, "Forwarded", "for=unknown", "for=\"")).containsExactly(429, 429);
		}
	}

}
