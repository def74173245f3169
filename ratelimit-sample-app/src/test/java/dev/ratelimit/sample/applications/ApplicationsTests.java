package dev.ratelimit.sample.applications;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.sample.applications.Applications.Group;
import dev.ratelimit.sample.applications.ApplicationsController.Change;
import dev.ratelimit.sample.applications.ApplicationsController.LineState;
import dev.ratelimit.sample.applications.ApplicationsController.State;
import dev.ratelimit.sample.applications.ApplicationsController.Wanted;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * The applications that the playground starts, and its requests to them, without a
 * browser; the proof {@code browser} uses one.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ApplicationsTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** Of the limit of 60, each is guaranteed 3, and may take 12 more without a reply. */
	private static final int CUT_OFF = 3 + 12;

	private static final int LIMIT = 60;

	private static final int BOUND = 60 + 12;

	private final String name = UUID.randomUUID().toString();

	@LocalServerPort
	private int port;

	@Autowired
	private Applications applications;

	private RestTestClient client;

	@BeforeEach
	void connect() {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
	}

	@AfterEach
	void stop() {
		run(Group.NONE);
	}

	private State put(String uri, Object body) {
		return this.client.put()
			.uri(uri)
			.body(body)
			.exchangeSuccessfully()
			.expectBody(State.class)
			.returnResult()
			.getResponseBody();
	}

	private State run(Group group) {
		return put("/playground/applications", new Wanted(group));
	}

	private LineState line() {
		return this.applications.dataCentres().map(LineState::of).orElseThrow();
	}

	private void cut(boolean cut) {
		assertThat(put("/playground/applications/line", new Change(cut)).line().map(LineState::cut)).contains(cut);
	}

	private void awaitExchange(boolean exchanging) {
		Awaitility.await().atMost(PATIENCE).until(() -> line().exchanging() == exchanging);
	}

	/** The number of admitted requests. */
	private int send(String application, String rule, int count) {
		String answers = Objects.requireNonNull(this.client.put()
			.uri("/playground/traffic")
			.body(Map.of("to", application, "rule", rule, "client", this.name, "count", count, "everyMillis", 0))
			.exchangeSuccessfully()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
		assertThat(answers.lines()).hasSize(count);
		return (int) answers.lines().filter((answer) -> answer.contains("\"status\":200")).count();
	}

	private int sendEverywhere(String dataCentre, int count) {
		return send(dataCentre, "play-everywhere", count);
	}

	@Test
	void nothingRunsUntilItIsAskedFor() {
		assertThat(run(Group.NONE).running()).isEmpty();
		for (String name : List.of("instance-2", "a", "nonsense")) {
			this.client.put()
				.uri("/playground/traffic")
				.body(Map.of("to", name, "rule", "play-log", "client", this.name, "count", 1, "everyMillis", 0))
				.exchange()
				.expectStatus()
				.isNotFound();
		}
		this.client.put()
			.uri("/playground/applications/line")
			.body(new Change(true))
			.exchange()
			.expectStatus()
			.isNotFound();
	}

	@Test
	void instancesShareALimitAndStopWhenTheyAreNotWanted() {
		assertThat(run(Group.INSTANCES).running()).containsExactlyInAnyOrder("instance-2", "instance-3");
		assertThat(send("instance-2", "play-log", 6) + send("instance-3", "play-log", 6)).isEqualTo(10);
		Collection<URI> instances = this.applications.uris().values();
		assertThat(run(Group.NONE).running()).isEmpty();
		assertThat(instances).allSatisfy(ApplicationsTests::isClosed);
	}

	private static void isClosed(URI uri) {
		assertThatIOException().isThrownBy(() -> new Socket(uri.getHost(), uri.getPort()).close());
	}

	@Test
	void cutOffEachDataCentreAdmitsItsShareAndTheBound() {
		assertThat(run(Group.DATACENTRES).running()).containsExactlyInAnyOrder("a", "b");
		awaitExchange(true);
		assertThat(line().share() + line().ahead()).isEqualTo(CUT_OFF);
		assertThat(line().bound()).isEqualTo(BOUND);
		cut(true);
		assertThat(sendEverywhere("a", 30)).isEqualTo(CUT_OFF);
		assertThat(sendEverywhere("b", 30)).isEqualTo(CUT_OFF);
	}

	@Test
	void afterACutTheyAgreeAgainAndStayWithinTheBound() {
		run(Group.DATACENTRES);
		awaitExchange(true);
		cut(true);
		int[] admitted = { sendEverywhere("a", 30) + sendEverywhere("b", 30) };
		awaitExchange(false);
		cut(false);
		awaitExchange(true);
		Awaitility.await().atMost(PATIENCE).until(() -> {
			admitted[0] += sendEverywhere("a", 10) + sendEverywhere("b", 10);
			return admitted[0] >= LIMIT;
		});
		Awaitility.await()
			.pollDelay(Duration.ofSeconds(1))
			.atMost(PATIENCE)
			.until(() -> sendEverywhere("a", 1) + sendEverywhere("b", 1) == 0);
		assertThat(admitted[0]).isBetween(LIMIT, BOUND);
	}

	@Test
	void everythingEndsWhenItIsClosed() throws IOException {
		DataCentres dataCentres = DataCentres.start();
		Collection<URI> uris = dataCentres.uris().values();
		for (URI each : uris) {
			new Socket(each.getHost(), each.getPort()).close();
		}
		dataCentres.close();
		assertThat(uris).allSatisfy(ApplicationsTests::isClosed);
		assertThat(dataCentres.servers()).noneMatch(RedisServer::isAlive);
	}

}
