package dev.ratelimit.sample.playground;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.sample.playground.NodeController.Change;
import dev.ratelimit.sample.playground.NodeController.Node;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.test.web.servlet.client.RestTestClient;

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

	private final JsonMapper mapper = new JsonMapper();

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

	private RestTestClient.ResponseSpec play(String rule) {
		return this.client.get().uri("/play/{rule}", rule).header("X-Player", this.player).exchange();
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
	@ValueSource(strings = { "/", "/index.html", "/playground/stories.js", "/playground/style.css" })
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

	private List<JsonNode> rules() {
		return json("/actuator/ratelimits").get("rules")
			.valueStream()
			.filter((rule) -> rule.get("id").asString().matches("(play|modes)-.*"))
			.toList();
	}

	/** The rules of one threshold by each algorithm, which the page compares. */
	@Test
	void everyAlgorithmHasARuleWithTheSameLimit() {
		List<JsonNode> compared = rules().stream()
			.filter((rule) -> List.of("play-log", "play-counter", "play-fixed", "play-bucket", "play-leaky")
				.contains(rule.get("id").asString()))
			.toList();
		assertThat(compared).extracting((rule) -> rule.get("algorithm").asString())
			.containsExactlyInAnyOrderElementsOf(Stream.of(Algorithm.values()).map(Algorithm::text).toList());
		assertThat(compared).extracting((rule) -> rule.get("thresholds").get(0).get("threshold").asInt())
			.containsOnly(10);
		assertThat(compared).extracting((rule) -> rule.get("thresholds").get(0).get("window").asString())
			.containsOnly("6s");
	}

	@Test
	void thePathOfARuleFollowsFromItsName() {
		assertThat(rules()).isNotEmpty()
			.allSatisfy((rule) -> assertThat(rule.get("paths").get(0).asString())
				.isEqualTo("/" + rule.get("id").asString().replace('-', '/')));
	}

	/** What a reader copies is what the application runs. */
	@Test
	void theYamlOfEachRuleIsWhatTheApplicationIsConfiguredWith(@Autowired Environment environment) throws IOException {
		List<String> ids = Stream.concat(rules().stream().map((rule) -> rule.get("id").asString()), Stream.of("orders"))
			.toList();
		for (String id : ids) {
			PropertySource<?> shown = new YamlPropertySourceLoader()
				.load(id, new ByteArrayResource(text(id).getBytes(StandardCharsets.UTF_8)))
				.get(0);
			String[] names = ((EnumerablePropertySource<?>) shown).getPropertyNames();
			assertThat(names).hasSizeGreaterThan(2);
			assertThat(names).allSatisfy((name) -> {
				assertThat(name).startsWith("ratelimit.rules." + id + ".");
				assertThat(environment.getProperty(name)).isEqualTo(Objects.toString(shown.getProperty(name)));
			});
			long configured = ((ConfigurableEnvironment) environment).getPropertySources()
				.stream()
				.filter(EnumerablePropertySource.class::isInstance)
				.flatMap((source) -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
				.filter((name) -> name.startsWith("ratelimit.rules." + id + "."))
				.count();
			assertThat(names).as(id).hasSize((int) configured);
		}
		assertThat(text("play-everywhere")).contains("scope: everywhere");
		this.client.get().uri("/playground/rules/hello").exchange().expectStatus().isNotFound();
	}

	private String text(String rule) {
		return Objects.requireNonNull(this.client.get()
			.uri("/playground/rules/{rule}", rule)
			.exchangeSuccessfully()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

	@ParameterizedTest
	@CsvSource({ "log", "counter", "fixed", "bucket", "leaky" })
	void theKeyIsShownAsRedisHoldsIt(String rule) {
		play(rule).expectStatus().isOk();
		JsonNode key = key("play-" + rule);
		assertThat(this.cluster.addresses()).contains(key.get("address").asString());
		JsonNode content = key.get("content");
		assertThat(content.get("expiresInMillis").asLong()).isPositive();
		if (rule.equals("log")) {
			assertThat(content.get("type").asString()).isEqualTo("zset");
			assertThat(content.get("entries").valueStream().map((entry) -> entry.get("permit").asString())).hasSize(1);
		}
		else {
			assertThat(content.get("type").asString()).isEqualTo("string");
			assertThat(content.get("text").asString()).matches("[ -~]+");
		}
	}

	private List<JsonNode> send(String rule, int count, long everyMillis) {
		return Objects
			.requireNonNull(this.client.put()
				.uri("/playground/traffic")
				.body(Map.of("rule", rule, "client", this.player, "count", count, "everyMillis", everyMillis))
				.exchangeSuccessfully()
				.expectBody(String.class)
				.returnResult()
				.getResponseBody())
			.lines()
			.map(this.mapper::readTree)
			.toList();
	}

	@Test
	void aBurstIsSentAtOnceAndItsAnswersAreThoseOfTheRule() {
		List<JsonNode> answers = send("play-log", 15, 0);
		assertThat(answers).extracting((answer) -> answer.get("status").asInt())
			.containsOnly(200, 429)
			.filteredOn((status) -> status == 200)
			.hasSize(10);
		assertThat(answers).extracting((answer) -> answer.get("headers").get("x-ratelimit-limit").asString())
			.containsOnly("10");
		play("log").expectAll(rejectedBy("play-log"));
	}

	@Test
	void aPaceIsKept() {
		List<JsonNode> answers = send("play-bucket", 4, 200);
		List<Long> sent = answers.stream().map((answer) -> answer.get("sent").asLong()).sorted().toList();
		assertThat(sent.get(3) - sent.get(0)).isBetween(550L, PATIENCE.toMillis());
	}

	@Test
	void anOrderAboveTheLimitIsEnqueued() {
		assertThat(send("orders", 6, 0)).extracting((answer) -> answer.get("status").asInt())
			.containsExactlyInAnyOrder(201, 201, 201, 201, 201, 202);
	}

	@ParameterizedTest
	@CsvSource({ "hello, alice, 1, 0", "play-../hello, alice, 1, 0", "play-log, Two words, 1, 0",
			"play-log, alice, 0, 0", "play-log, alice, 201, 0", "play-log, alice, 1, -1",
			"play-log, alice, 100, 1000" })
	void otherRequestsAreNotSent(String rule, String name, int count, long everyMillis) {
		this.client.put()
			.uri("/playground/traffic")
			.body(Map.of("rule", rule, "client", name, "count", count, "everyMillis", everyMillis))
			.exchange()
			.expectStatus()
			.isBadRequest();
	}

	@Test
	void onlyKeysOfThePlaygroundAreShown() {
		String hash = "h61NphUiLOgR0gKx-4Pq6aw";
		this.client.get().uri("/playground/key?rule=hello&client=" + hash).exchange().expectStatus().isNotFound();
		this.client.get().uri("/playground/key?rule=playground&client=" + hash).exchange().expectStatus().isNotFound();
		this.client.get().uri("/playground/key?rule=play-no&client=" + hash).exchange().expectStatus().isNotFound();
		this.client.get()
			.uri("/playground/key?rule=play-fixed&client={client}", "h}:f2 *")
			.exchange()
			.expectStatus()
			.isBadRequest();
	}

	@Test
	void theKeysOfADeadNodeAreUnavailableUntilItIsRevived() {
		play("deny").expectStatus().isOk();
		JsonNode before = key("play-deny");
		String hash = before.at("/key").asString().replaceAll(".*:(h[^}]+)}.*", "$1");
		int number = this.cluster.addresses().indexOf(before.get("address").asString()) + 1;
		assertThat(change(number, false)).isEqualTo(new Node(number, before.get("address").asString(), false));
		assertThat(json("/playground/nodes").findValuesAsString("alive")).containsOnlyOnce("false");
		Awaitility.await().atMost(PATIENCE).untilAsserted(() -> play("deny").expectStatus().isEqualTo(503));
		JsonNode away = json("/playground/key?rule=play-deny&client={hash}", hash);
		assertThat(away.get("address")).isEqualTo(before.get("address"));
		assertThat(away.path("content").isNull() || away.path("content").isMissingNode()).isTrue();
		assertThat(change(number, true).alive()).isTrue();
		Awaitility.await().atMost(PATIENCE).untilAsserted(() -> play("deny").expectStatus().isOk());
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
