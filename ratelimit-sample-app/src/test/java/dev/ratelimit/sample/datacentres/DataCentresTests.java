package dev.ratelimit.sample.datacentres;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.sample.datacentres.DataCentresController.Change;
import dev.ratelimit.sample.datacentres.DataCentresController.Requests;
import dev.ratelimit.sample.datacentres.DataCentresController.Sent;
import dev.ratelimit.sample.datacentres.DataCentresController.Side;
import dev.ratelimit.sample.datacentres.DataCentresController.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * The requests of the page of two data centres, sent without a browser; the proof
 * {@code browser} uses one.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, args = "--ratelimit.rules.shared.thresholds=60/1d")
@ActiveProfiles("datacentres")
class DataCentresTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** Of the limit of 60, each is guaranteed 3, and may take 12 more without a reply. */
	private static final int CUT_OFF = 3 + 12;

	private static final int LIMIT = 60;

	private static final int BOUND = 60 + 12;

	private final String name = UUID.randomUUID().toString();

	@LocalServerPort
	private int port;

	private RestTestClient client;

	@BeforeEach
	void connect() {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
	}

	@AfterEach
	void restore() {
		cut(false);
	}

	private void cut(boolean cut) {
		assertThat(this.client.put()
			.uri("/datacentres/line")
			.body(new Change(cut))
			.exchangeSuccessfully()
			.expectBody(Change.class)
			.returnResult()
			.getResponseBody()).isEqualTo(new Change(cut));
	}

	private Sent send(String dataCentre, int count) {
		return this.client.put()
			.uri("/datacentres/{name}/requests", dataCentre)
			.body(new Requests(this.name, count))
			.exchangeSuccessfully()
			.expectBody(Sent.class)
			.returnResult()
			.getResponseBody();
	}

	private State state() {
		return this.client.get()
			.uri("/datacentres/state?client={client}", this.name)
			.exchangeSuccessfully()
			.expectBody(State.class)
			.returnResult()
			.getResponseBody();
	}

	private void awaitExchange(String... states) {
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> assertThat(state().sides()).extracting(Side::exchange).containsOnly(states));
	}

	@Test
	void theLimitAndTheBoundAreShown() {
		State state = state();
		assertThat(state.threshold()).isEqualTo(LIMIT);
		assertThat(state.window()).isEqualTo("1d");
		assertThat(state.share() + state.ahead()).isEqualTo(CUT_OFF);
		assertThat(state.bound()).isEqualTo(BOUND);
		assertThat(state.endsInMillis()).isPositive();
		assertThat(state.cut()).isFalse();
		assertThat(state.sides()).extracting(Side::name).containsExactly("a", "b");
		awaitExchange("exchanging");
		assertThat(state().sides()).allSatisfy((side) -> assertThat(side.ageInMillis()).isPresent());
	}

	@Test
	void cutOffEachAdmitsItsShareAndTheBound() {
		cut(true);
		assertThat(send("a", 30).admitted()).isEqualTo(CUT_OFF);
		assertThat(send("b", 30).admitted()).isEqualTo(CUT_OFF);
		Sent refused = send("a", 1);
		assertThat(refused.last().status()).isEqualTo(429);
		assertThat(refused.last().headers()).contains("X-RateLimit-Limit: 60", "Retry-After: 1");
		State state = state();
		assertThat(state.cut()).isTrue();
		assertThat(state.admitted()).isEqualTo(2 * CUT_OFF);
		assertThat(state.sides()).extracting(Side::admitted).containsExactly(CUT_OFF, CUT_OFF);
		assertThat(state.sides()).extracting(Side::refused).containsExactly(30 - CUT_OFF + 1, 30 - CUT_OFF);
	}

	@Test
	void afterACutTheyAgreeAgainAndStayWithinTheBound() {
		cut(true);
		send("a", 30);
		send("b", 30);
		awaitExchange("Data centre b does not reply", "Data centre a does not reply");
		cut(false);
		awaitExchange("exchanging");
		Awaitility.await().atMost(PATIENCE).until(() -> {
			send("a", 10);
			send("b", 10);
			return state().admitted() >= LIMIT;
		});
		// Both see that nothing is left, so a retry has to wait for the next window.
		Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
			for (String each : List.of("a", "b")) {
				assertThat(send(each, 1).last().headers()).contains("X-RateLimit-Remaining: 0")
					.doesNotContain("Retry-After: 1");
			}
		});
		assertThat(send("a", 100).admitted() + send("b", 100).admitted()).isZero();
		assertThat(state().admitted()).isBetween(LIMIT, BOUND);
	}

	@Test
	void thePageReplacesThePlayground() {
		this.client.get()
			.uri("/")
			.exchange()
			.expectStatus()
			.isFound()
			.expectHeader()
			.location("http://localhost:" + this.port + "/datacentres/index.html");
		this.client.get()
			.uri("/datacentres/index.html")
			.exchangeSuccessfully()
			.expectBody(String.class)
			.value((page) -> assertThat(page).contains("<script type=\"module\" src=\"main.js\"></script>")
				.doesNotContain("://", " style=", " onclick=", "<style")
				.containsOnlyOnce("<script"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "index.html", "main.js", "bar.js", "style.css" })
	void thePageMayConnectToItsApplicationOnly(String file) {
		this.client.get()
			.uri("/datacentres/" + file)
			.exchangeSuccessfully()
			.expectHeader()
			.valueEquals("Content-Security-Policy",
					"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
							+ "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
	}

	@ParameterizedTest
	@CsvSource({ "a, alice, 0, 400", "a, alice, 101, 400", "a, two words, 1, 400", "c, alice, 1, 404" })
	void otherRequestsAreNotSent(String dataCentre, String client, int count, int status) {
		this.client.put()
			.uri("/datacentres/{name}/requests", dataCentre)
			.body(new Requests(client, count))
			.exchange()
			.expectStatus()
			.isEqualTo(status);
	}

	@Test
	void everythingEndsWhenItIsClosed() throws IOException {
		DataCentres dataCentres = DataCentres.start(List.of());
		List<URI> shared = dataCentres.all().stream().map(DataCentre::shared).toList();
		for (URI each : shared) {
			new Socket(each.getHost(), each.getPort()).close();
		}
		dataCentres.close();
		assertThat(shared).allSatisfy(
				(each) -> assertThatIOException().isThrownBy(() -> new Socket(each.getHost(), each.getPort()).close()));
		assertThat(dataCentres.servers()).noneMatch(RedisServer::isAlive);
	}

}
