package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.HandledLater;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.WaitBudget;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What becomes of a request that a module may handle later, as a rule has no permits for
 * it.
 */
class LaterRequestsTests {

	private static final String PLACE = "/queue/orders/id";

	private final List<String> calls = new ArrayList<>();

	private Standing standing = Standing.FREE;

	private Optional<LaterHandler.Taking> taking = Optional
		.of(new LaterHandler.Taken(PLACE, new LaterHandler.Answer(202, "text/plain", "later")));

	private LimitedApp app = app(rule());

	private LimitedApp app(RLConfigBuilder rule) {
		return new LimitedApp(new Handler(), rule.build(),
				RLConfig.builder("wide").paths("/**").key("global").thresholds("9/1m").build());
	}

	private static RLConfigBuilder rule() {
		return RLConfig.builder("orders")
			.paths("/orders")
			.key("global")
			.algorithm(Algorithm.SLIDING_WINDOW_LOG)
			.thresholds("1/1m")
			.onLimit(new HandledLater());
	}

	/** The second of two requests. */
	private MockHttpServletResponse second(String method) {
		this.app.send(method, "/orders");
		return this.app.send(method, "/orders");
	}

	@Test
	void aRequestThatIsTakenCountsAsAdmitted() throws IOException {
		MockHttpServletResponse response = second("POST");
		assertThat(this.calls).containsExactly("standing", "standing", "take /orders");
		assertThat(response.getStatus()).isEqualTo(202);
		assertThat(response.getHeader("Location")).isEqualTo(PLACE);
		assertThat(response.getContentAsString()).isEqualTo("later");
		assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
		assertThat(response.getHeader("Retry-After")).isNull();
		assertThat(this.app.reached).isOne();
		assertThat(this.app.listener.events()).containsExactly("wide ALLOWED by STORE", "orders ALLOWED by STORE",
				"wide ALLOWED by STORE", "orders ENQUEUED by STORE");
		assertThat(this.app.store.released()).isEmpty();
	}

	@Test
	void aRequestThatIsNotTakenIsRefused() {
		this.taking = Optional.of(new LaterHandler.NotTaken());
		MockHttpServletResponse response = second("POST");
		assertThat(response.getStatus()).isEqualTo(429);
		assertThat(response.getHeader("Location")).isNull();
		assertThat(this.app.listener.events()).contains("orders REJECTED by STORE");
		assertThat(this.app.store.released()).containsExactly("wide");
	}

	@Test
	void aRequestThatIsDeclinedHasTheResponseOfTheModuleAndCountsAsRefused() throws IOException {
		this.taking = Optional.of(new LaterHandler.Declined(new LaterHandler.Answer(413, "text/plain", "too large")));
		MockHttpServletResponse response = second("POST");
		assertThat(response.getStatus()).isEqualTo(413);
		assertThat(response.getContentAsString()).isEqualTo("too large");
		assertThat(response.getHeader("Location")).isNull();
		assertThat(this.app.listener.events()).contains("orders REJECTED by STORE");
		assertThat(this.app.store.released()).containsExactly("wide");
	}

	@Test
	void theClientOfARequestThatMayBeTakenGetsItsPlaceAndARefusal() {
		this.taking = Optional.of(new LaterHandler.Unconfirmed(PLACE));
		MockHttpServletResponse refused = second("POST");
		assertThat(refused.getStatus()).isEqualTo(429);
		assertThat(refused.getHeader("Location")).isEqualTo(PLACE);
		this.app = app(rule().onStoreFailure(OnStoreFailure.DENY));
		MockHttpServletResponse unavailable = second("POST");
		assertThat(unavailable.getStatus()).isEqualTo(503);
		assertThat(unavailable.getHeader("Location")).isEqualTo(PLACE);
	}

	@Test
	void aClientThatLeavesWhileItsBodyIsReadIsCounted() {
		this.taking = Optional.empty();
		assertThatThrownBy(() -> second("POST")).rootCause().isInstanceOf(IOException.class);
		assertThat(this.app.listener.events()).contains("orders REJECTED by STORE");
		assertThat(this.app.store.released()).containsExactly("wide");
	}

	@Test
	void theClientOfASafeMethodWaitsForItsResponse() {
		assertThat(second("GET").getStatus()).isEqualTo(429);
		assertThat(this.calls).isEmpty();
	}

	@Test
	void aRuleInShadowTakesNothing() {
		this.app = app(rule().shadow(true));
		assertThat(second("POST").getStatus()).isEqualTo(200);
		assertThat(this.calls).isEmpty();
	}

	@Test
	void aRequestBehindOthersIsTakenWithoutACallOfTheStore() {
		this.standing = Standing.BEHIND_OTHERS;
		assertThat(this.app.send("POST", "/orders").getStatus()).isEqualTo(202);
		assertThat(this.app.store.acquired()).flatExtracting((call) -> call)
			.extracting((request) -> request.limit().rule())
			.containsExactly("wide");
	}

	@Test
	void whereItsStandingIsUnknownTheRuleDecidesWithoutTheModuleOrRefuses() {
		this.standing = Standing.NO_REPLY;
		assertThat(this.app.send("POST", "/orders").getStatus()).isEqualTo(200);
		this.app = app(rule().onStoreFailure(OnStoreFailure.DENY));
		assertThat(this.app.send("POST", "/orders").getStatus()).isEqualTo(503);
	}

	/** Takes requests as the test says. */
	private final class Handler implements LaterHandler {

		@Override
		public Standing standing(String rule, Subject subject, Duration maxWait) {
			LaterRequestsTests.this.calls.add("standing");
			return LaterRequestsTests.this.standing;
		}

		@Override
		public Taking take(LaterRequest later, HttpServletRequest request, WaitBudget budget) throws IOException {
			LaterRequestsTests.this.calls.add("take " + later.path());
			return LaterRequestsTests.this.taking.orElseThrow(() -> new IOException("of the test"));
		}

	}

}
