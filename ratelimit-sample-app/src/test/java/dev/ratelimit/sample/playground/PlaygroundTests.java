package dev.ratelimit.sample.playground;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.sample.playground.NodeController.Change;
import dev.ratelimit.sample.playground.NodeController.Node;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.client.RestTestClient;
import dev.ratelimit.rule.Algorithm;
import tools.jackson.databind.JsonNode;

import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static dev.ratelimit.test.RateLimitMatcher.unlimited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * The requests of the page, sent without a browser; the proof {@code browser} uses one.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class PlaygroundTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final int CONNECT_MILLIS = 2000;

	private final String player = UUID.randomUUID().toString();

	@LocalServerPort
	private int port;

	@Autowired
	private RedisCluster cluster;

	private RestTestClient client;

	@BeforeEach
	void connect() {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
	}

	@AfterEach
	void reviveAll() {
		this.cluster.nodes().stream().filter((node) -> !node.isAlive()).forEach(RedisServer::restart);
	}

	private RestTestClient.ResponseSpec play(String kind, String algorithm) {
		return this.client.get()
			.uri("/play/{kind}/{algorithm}", kind, algorithm)
			.header("X-Player", this.player)
			.exchange();
	}

	private JsonNode json(String uri, Object... variables) {
		return this.client.get()
			.uri(uri, variables)
			.exchange()
			.expectBody(JsonNode.class)
			.returnResult()
			.getResponseBody();
	}

	private JsonNode key(String rule) {
		String hash = json("/actuator/ratelimits/{rule}?key={key}", rule, this.player).get("client").asString();
		return json("/playground/key?rule={rule}&client={hash}", rule, hash);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/index.html", "/playground/main.js", "/playground/style.css" })
	void thePageMayConnectToItsApplicationOnly(String path) {
		this.client.get()
			.uri(path)
			.exchangeSuccessfully()
			.expectAll(unlimited())
			.expectHeader()
			.valueEquals("Content-Security-Policy",
					"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
							+ "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
	}

	@Test
	void thePageRefersToNoOtherHostAndHasNoScriptOrStyleInline() {
		this.client.get()
			.uri("/")
			.exchangeSuccessfully()
			.expectBody(String.class)
			.value((page) -> assertThat(page).contains("<script type=\"module\" src=\"playground/main.js\"></script>")
				.doesNotContain("://", " style=", " onclick=", "<style")
				.containsOnlyOnce("<script"));
	}

	@Test
	void everyAlgorithmHasARuleOfEveryKindWithTheSameLimit() {
		List<JsonNode> rules = json("/actuator/ratelimits").get("rules")
			.valueStream()
			.filter((rule) -> rule.get("id").asString().startsWith("play-"))
			.toList();
		Set<String> algorithms = List.of(Algorithm.values()).stream().map(Algorithm::text).collect(Collectors.toSet());
		rules.stream()
			.collect(Collectors.groupingBy((rule) -> rule.get("id").asString().replaceAll("play-(\\w+)-.*", "$1")))
			.forEach((kind, ofKind) -> {
				assertThat(ofKind).extracting((rule) -> rule.get("algorithm").asString())
					.containsExactlyInAnyOrderElementsOf(algorithms);
				assertThat(ofKind).extracting((rule) -> rule.get("onStoreFailure").asString())
					.containsOnly(policy(kind));
				assertThat(ofKind).extracting((rule) -> rule.get("thresholds").findValues("threshold"))
					.containsOnly(ofKind.get(0).get("thresholds").findValues("threshold"));
			});
		assertThat(rules).hasSize(15);
	}

	private static String policy(String kind) {
		return switch (kind) {
			case "steady" -> "local";
			case "tiers" -> "allow";
			default -> "deny";
		};
	}

	@ParameterizedTest
	@EnumSource
	void theKeyIsShownAsRedisHoldsIt(Algorithm algorithm) {
		play("steady", algorithm.text()).expectStatus().isOk();
		JsonNode key = key("play-steady-" + algorithm.text());
		assertThat(this.cluster.addresses()).contains(key.get("address").asString());
		JsonNode content = key.get("content");
		assertThat(content.get("expiresInMillis").asLong()).isPositive();
		if (algorithm == Algorithm.SLIDING_WINDOW_LOG) {
			assertThat(content.get("type").asString()).isEqualTo("zset");
			assertThat(content.get("entries").valueStream().map((entry) -> entry.get("permit").asString())).hasSize(1);
		}
		else {
			assertThat(content.get("type").asString()).isEqualTo("string");
			assertThat(content.get("text").asString()).matches("[ -~]+");
		}
	}

	@Test
	void aPlayerOverTheLimitIsRefused() {
		for (int i = 0; i < 10; i++) {
			play("steady", "sliding-window-log").expectStatus().isOk();
		}
		play("steady", "sliding-window-log").expectAll(rejectedBy("play-steady-sliding-window-log"));
	}

	@Test
	void onlyKeysOfThePlaygroundAreShown() {
		String hash = "h61NphUiLOgR0gKx-4Pq6aw";
		this.client.get().uri("/playground/key?rule=hello&client=" + hash).exchange().expectStatus().isNotFound();
		this.client.get().uri("/playground/key?rule=playground&client=" + hash).exchange().expectStatus().isNotFound();
		this.client.get().uri("/playground/key?rule=play-no&client=" + hash).exchange().expectStatus().isNotFound();
		this.client.get()
			.uri("/playground/key?rule=play-steady-fixed-window&client={client}", "h}:f2 *")
			.exchange()
			.expectStatus()
			.isBadRequest();
	}

	@Test
	void theKeysOfADeadNodeAreUnavailableUntilItIsRevived() {
		play("strict", "sliding-window-log").expectStatus().isOk();
		JsonNode before = key("play-strict-sliding-window-log");
		String hash = before.at("/key").asString().replaceAll(".*:(h[^}]+)}.*", "$1");
		int number = this.cluster.addresses().indexOf(before.get("address").asString()) + 1;
		assertThat(change(number, false)).isEqualTo(new Node(number, before.get("address").asString(), false));
		assertThat(json("/playground/nodes").findValuesAsString("alive")).containsOnlyOnce("false");
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> play("strict", "sliding-window-log").expectStatus().isEqualTo(503));
		JsonNode away = json("/playground/key?rule=play-strict-sliding-window-log&client={hash}", hash);
		assertThat(away.get("address")).isEqualTo(before.get("address"));
		assertThat(away.path("content").isNull() || away.path("content").isMissingNode()).isTrue();
		assertThat(change(number, true).alive()).isTrue();
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> play("strict", "sliding-window-log").expectStatus().isOk());
	}

	private Node change(int number, boolean alive) {
		return this.client.put()
			.uri("/playground/nodes/{number}", number)
			.body(new Change(alive))
			.exchangeSuccessfully()
			.expectBody(Node.class)
			.returnResult()
			.getResponseBody();
	}

	/**
	 * Includes the ports of the cluster's own traffic, which need no password. A listener
	 * on all addresses accepts connections on any address of the loopback network, one on
	 * a single address does not.
	 */
	@Test
	void everythingListensOnOneLoopbackAddressOnly() throws IOException {
		List<Integer> ports = IntStream.concat(IntStream.of(this.port),
				this.cluster.nodes().stream().flatMapToInt((node) -> IntStream.of(node.port(), node.port() + 10_000)))
			.boxed()
			.toList();
		assertThat(ports).hasSize(7).allSatisfy((port) -> connect(InetAddress.getLoopbackAddress(), port));
		InetAddress other = InetAddress.getByName("127.0.0.2");
		assertThat(ports).allSatisfy((port) -> assertThatIOException().isThrownBy(() -> connect(other, port)));
	}

	private static void connect(InetAddress address, int port) throws IOException {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
		}
	}

	@Test
	void thereIsNoFourthNode() {
		for (int number : List.of(0, 4)) {
			this.client.put()
				.uri("/playground/nodes/{number}", number)
				.body(new Change(false))
				.exchange()
				.expectStatus()
				.isNotFound();
		}
		assertThat(this.cluster.nodes()).allMatch(RedisServer::isAlive);
	}

}
