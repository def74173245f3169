package dev.ratelimit.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.sample.HelloController.Greeting;
import dev.ratelimit.sample.OrderBook.Order;
import dev.ratelimit.sample.OrganizationProductController.OrganizationProduct;
import dev.ratelimit.sample.ProductController.Product;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.EntityExchangeResult;
import org.springframework.test.web.servlet.client.RestTestClient;

import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static dev.ratelimit.test.RateLimitMatcher.remaining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "ratelimit.rules.orders.thresholds=5/5s", "ratelimit.rules.scripts.paths=/playground/**",
				"ratelimit.rules.scripts.thresholds=100000/1m", "ratelimit.rules.page.paths=/index.html",
				"ratelimit.rules.page.thresholds=100000/1m",
				"management.metrics.distribution.percentiles-histogram.ratelimit.decision=true" })
class SampleApplicationTests {

	@LocalServerPort
	private int port;

	private RestTestClient client;

	@BeforeEach
	void connect() {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
	}

	@Test
	void productsOfOrganizationsAreReturned() {
		OrganizationProduct expected = new OrganizationProduct("acme", "7");
		String uri = "/v1/organizations/acme/product/7";
		this.client.get().uri(uri).exchangeSuccessfully().expectBody(OrganizationProduct.class).isEqualTo(expected);
		this.client.put().uri(uri).exchangeSuccessfully().expectBody(OrganizationProduct.class).isEqualTo(expected);
	}

	@Test
	void productsAreReturnedInBothVersions() {
		this.client.get()
			.uri("/v1/product")
			.exchangeSuccessfully()
			.expectBody(Product.class)
			.isEqualTo(new Product("v1"));
		this.client.get()
			.uri("/v2/product")
			.exchangeSuccessfully()
			.expectBody(Product.class)
			.isEqualTo(new Product("v2"));
	}

	@Test
	void helloSucceedsThreeTimesByTheCountOfTheCluster() {
		for (int left = 2; left >= 0; left--) {
			this.client.get()
				.uri("/hello")
				.exchangeSuccessfully()
				.expectAll(remaining(left))
				.expectBody(Greeting.class)
				.isEqualTo(new Greeting("Hello"));
		}
		this.client.get()
			.uri("/hello")
			.exchange()
			.expectAll(rejectedBy("hello"))
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	@Test
	void reportsAreLimitedByTheAnnotationsOfTheirController() {
		for (int left = 1; left >= 0; left--) {
			this.client.post().uri("/reports/7/export").exchangeSuccessfully().expectAll(remaining(left));
		}
		this.client.post().uri("/reports/7/export").exchange().expectAll(rejectedBy("report-controller-export"));
		for (int left = 27; left >= 0; left--) {
			this.client.get().uri("/reports/7").exchangeSuccessfully().expectAll(remaining(left));
		}
		this.client.get().uri("/reports/8").exchange().expectAll(rejectedBy("reports"));
	}

	private EntityExchangeResult<byte[]> order(String item) {
		return this.client.post()
			.uri("/orders")
			.header("X-Customer", "ann")
			.body(new Order("ann", item))
			.exchange()
			.returnResult(byte[].class);
	}

	@Test
	void ordersAboveTheLimitAreEnqueuedAndPlacedInOrder() {
		for (int i = 1; i <= 5; i++) {
			assertThat(order("book " + i).getStatus()).isEqualTo(HttpStatus.CREATED);
		}
		order("book 6");
		EntityExchangeResult<byte[]> enqueued = order("book 7");
		assertThat(enqueued.getStatus()).isEqualTo(HttpStatus.ACCEPTED);
		URI state = Objects.requireNonNull(enqueued.getResponseHeaders().getLocation());
		assertThat(state.getPath()).startsWith("/ratelimit/queue/orders/");
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> this.client.get()
				.uri(state.getPath())
				.exchangeSuccessfully()
				.expectBody(String.class)
				.value((body) -> assertThat(body).contains("\"state\":\"done\"")));
		this.client.get()
			.uri("/orders")
			.header("X-Customer", "ann")
			.exchangeSuccessfully()
			.expectBody(Order[].class)
			.value((orders) -> assertThat(orders).extracting(Order::item)
				.containsExactly("book 1", "book 2", "book 3", "book 4", "book 5", "book 6", "book 7"));
	}

	@Test
	void noSpellingOfAStaticFileBypassesARule() throws Exception {
		List<String> undecided = new ArrayList<>();
		int served = 0;
		HttpClient http = HttpClient.newHttpClient();
		for (String path : List.of("/playground/api.js", "/playground/style.css", "/index.html")) {
			for (String spelling : spellings(path)) {
				HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + spelling))
					.build();
				HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
				if (response.statusCode() == HttpStatus.OK.value()) {
					served++;
					if (response.headers().firstValue("RateLimit-Policy").isEmpty()) {
						undecided.add(spelling);
					}
				}
			}
		}
		assertThat(served).as("requests that were served").isPositive();
		assertThat(undecided).isEmpty();
	}

	private static List<String> spellings(String path) {
		List<String> spellings = new ArrayList<>(List.of(path));
		for (int i = path.indexOf('/'); i >= 0; i = path.indexOf('/', i + 1)) {
			for (String inserted : List.of("/", "./", "%2e/", ";/", ";x/", ".;/", "x/../", "x/..;/", "%20/",
					"%252e/")) {
				spellings.add(path.substring(0, i + 1) + inserted + path.substring(i + 1));
			}
		}
		Stream.of("/", "//", "/.", ";x", "/;x", "%20", ".", "/x/..").map(path::concat).forEach(spellings::add);
		return spellings;
	}

	@Test
	void healthAndMetricsAreExposed() {
		this.client.get().uri("/actuator/health").exchangeSuccessfully();
		this.client.get().uri("/actuator/metrics").exchangeSuccessfully().expectBody(Map.class);
		this.client.get()
			.uri("/actuator/prometheus")
			.exchangeSuccessfully()
			.expectBody(String.class)
			.value((metrics) -> assertThat(metrics).contains("ratelimit_rules "));
	}

	@Test
	void thePropertyOfBootGivesDecisionsAHistogramThatTellsShortOnesApart() {
		String metrics = Objects.requireNonNull(this.client.get()
			.uri("/actuator/prometheus")
			.exchangeSuccessfully()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
		Matcher bounds = Pattern.compile("ratelimit_decision_seconds_bucket\\{.*rule=\"put-product\",.*le=\"([^\"]+)\"")
			.matcher(metrics);
		assertThat(bounds.results().map((bucket) -> bucket.group(1).replace("+Inf", "Infinity")).map(Double::valueOf))
			.hasSizeBetween(50, 100)
			.filteredOn((bound) -> bound < 0.001)
			.hasSizeGreaterThan(10);
	}

	/** An offline build creates none. */
	@Test
	void theBillOfMaterialsNamesTheStarter() {
		assumeThat(getClass().getResource("/META-INF/sbom/application.cdx.json")).isNotNull();
		this.client.get()
			.uri("/actuator/sbom/application")
			.exchangeSuccessfully()
			.expectBody(String.class)
			.value((bill) -> assertThat(bill).contains("\"CycloneDX\"", "pkg:maven/dev.ratelimit/ratelimit-starter@"));
	}

}
