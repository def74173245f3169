package dev.ratelimit.web.servlet;

import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The promises of the headers hold, for every algorithm and with several windows: as many
 * further requests as {@code X-RateLimit-Remaining} says are admitted and no more; a
 * client that waits as long as {@code Retry-After} and the body of the refusal say is
 * admitted; and by the time {@code t} a policy has more left.
 */
class HeaderPromisesTests {

	private static final Pattern ITEM = Pattern.compile("\"([^\"]+)\";r=(\\d+)(?:;t=(\\d+))?");

	@Example
	void theWindowThatAdmitsTheFewestFurtherRequestsIsDescribed() {
		LimitedApp app = new LimitedApp(RLConfig.builder("r").paths("/**").thresholds("5/2s", "20/20s").build());
		for (int i = 0; i < 2; i++) {
			for (int j = 0; j < 5; j++) {
				assertThat(app.get("/x").getStatus()).isEqualTo(200);
			}
			app.clock.advance(Duration.ofSeconds(2));
		}
		MockHttpServletResponse response = app.get("/x");
		assertThat(response.getHeader("X-RateLimit-Limit")).isEqualTo("5");
		assertThat(response.getHeader("X-RateLimit-Remaining")).isEqualTo("4");
	}

	@Example
	void aClientOfABucketComesBackForTheNextTokenAndNotForAllOfThem() {
		LimitedApp app = new LimitedApp(RLConfig.builder("r")
			.paths("/**")
			.algorithm(Algorithm.TOKEN_BUCKET)
			.thresholds(List.of(new RLThreshold(5, Duration.ofSeconds(10), 10)))
			.build());
		for (int i = 0; i < 9; i++) {
			app.get("/x");
		}
		MockHttpServletResponse response = app.get("/x");
		assertThat(response.getHeader("RateLimit-Policy")).isEqualTo("\"r\";q=5;w=10;ratelimit-burst=10");
		assertThat(response.getHeader("RateLimit")).isEqualTo("\"r\";r=0;t=2");
		assertThat(response.getHeader("X-RateLimit-Limit")).isEqualTo("10");
		assertThat(response.getHeader("X-RateLimit-Reset")).isEqualTo("20");
		assertThat(app.get("/x").getHeader("RateLimit")).isEqualTo("\"r\";r=0;t=2");
	}

	@Example
	void aClientOfALogComesBackWhenItsOldestRequestLeavesTheWindow() {
		LimitedApp app = new LimitedApp(RLConfig.builder("r").paths("/**").thresholds("3/10s").build());
		assertThat(app.get("/x").getHeader("RateLimit")).isEqualTo("\"r\";r=2");
		app.clock.advance(Duration.ofSeconds(4));
		assertThat(app.get("/x").getHeader("RateLimit")).isEqualTo("\"r\";r=1");
		assertThat(app.get("/x").getHeader("RateLimit")).isEqualTo("\"r\";r=0;t=6");
		assertThat(app.get("/x").getHeader("RateLimit")).isEqualTo("\"r\";r=0;t=6");
	}

	@Example
	void policiesThatDoNotRefuseHaveNoTimeOnARefusal() {
		LimitedApp app = new LimitedApp(
				RLConfig.builder("both")
					.paths("/**")
					.algorithm(Algorithm.FIXED_WINDOW)
					.thresholds("1/2s", "9/60s")
					.build(),
				RLConfig.builder("wide").paths("/**").algorithm(Algorithm.FIXED_WINDOW).thresholds("9/60s").build());
		assertThat(app.get("/x").getHeader("RateLimit"))
			.isEqualTo("\"both-2s\";r=0;t=2,\"both-1m\";r=8;t=40,\"wide\";r=8;t=40");
		MockHttpServletResponse refused = app.get("/x");
		assertThat(refused.getStatus()).isEqualTo(429);
		assertThat(refused.getHeader("RateLimit")).isEqualTo("\"both-2s\";r=0;t=2,\"both-1m\";r=8,\"wide\";r=7");
	}

	@Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
	void asManyAsRemainAreAdmittedAndNoMore(@ForAll("histories") History history) {
		MockHttpServletResponse last = history.replay();
		if (last.getStatus() == 200) {
			for (long i = number(last, "X-RateLimit-Remaining") / history.cost(); i > 0; i--) {
				assertThat(history.app().get("/x").getStatus()).as("of " + history).isEqualTo(200);
			}
			assertThat(history.app().get("/x").getStatus()).as("of " + history).isEqualTo(429);
		}
	}

	@Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
	void aClientThatWaitsForRetryAfterIsAdmitted(@ForAll("histories") History history)
			throws UnsupportedEncodingException {
		MockHttpServletResponse last = history.replay();
		if (last.getStatus() == 429) {
			assertThat(last.getContentAsString()).as("of " + history)
				.contains("\"limit\":" + number(last, "X-RateLimit-Limit") + ",\"retry-after\":"
						+ number(last, "Retry-After") + ",");
			history.app().clock.advance(Duration.ofSeconds(number(last, "Retry-After")));
			assertThat(history.app().get("/x").getStatus()).as("of " + history).isEqualTo(200);
		}
	}

	@Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
	void afterItsResetAPolicyHasMoreLeft(@ForAll("histories") History history) {
		MockHttpServletResponse last = history.replay();
		List<MatchResult> items = items(last);
		for (int i = 0; i < items.size(); i++) {
			if (items.get(i).group(3) != null) {
				// Each on its own history, as reading the headers takes a permit.
				LimitedApp app = history.again();
				app.clock.advance(Duration.ofSeconds(Long.parseLong(items.get(i).group(3))));
				MockHttpServletResponse then = app.get("/x");
				long taken = (then.getStatus() == 200) ? history.cost() : 0;
				assertThat(Long.parseLong(items(then).get(i).group(2)) + taken)
					.as(items.get(i).group() + " of " + history)
					.isGreaterThan(Long.parseLong(items.get(i).group(2)));
			}
		}
	}

	private static List<MatchResult> items(MockHttpServletResponse response) {
		return ITEM.matcher(Objects.requireNonNull(response.getHeader("RateLimit"))).results().toList();
	}

	private static long number(MockHttpServletResponse response, String header) {
		return Long.parseLong(Objects.requireNonNull(response.getHeader(header)));
	}

	@Provide
	Arbitrary<History> histories() {
		Arbitrary<Long> thresholds = Arbitraries.longs().between(3, 9);
		Arbitrary<Long> bursts = Arbitraries.longs().between(3, 12);
		Arbitrary<List<RLThreshold>> windows = Combinators
			.combine(thresholds, bursts, thresholds, bursts, thresholds, bursts, Arbitraries.integers().between(1, 3))
			.as((one, burst, two, nextBurst, three, lastBurst, size) -> Stream
				.of(new RLThreshold(one, Duration.ofSeconds(2), burst),
						new RLThreshold(two, Duration.ofSeconds(5), nextBurst),
						new RLThreshold(three + 3, Duration.ofSeconds(13), lastBurst))
				.limit(size)
				.toList());
		Arbitrary<Long> gaps = Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(0L)),
				Tuple.of(2, Arbitraries.longs().between(1, 900_000)),
				Tuple.of(1, Arbitraries.longs().between(900_000, 6_000_000)));
		return Combinators
			.combine(Arbitraries.of(Algorithm.values()), Arbitraries.of(Refill.values()), windows,
					Arbitraries.longs().between(1, 3), gaps.list().ofMinSize(1).ofMaxSize(30))
			.as(History::new);
	}

	/**
	 * Requests of one client, one after each gap.
	 */
	static final class History {

		private final RLConfig rule;

		private final long cost;

		private final List<Long> gaps;

		private LimitedApp app;

		History(Algorithm algorithm, Refill refill, List<RLThreshold> thresholds, long cost, List<Long> gaps) {
			boolean byInterval = algorithm == Algorithm.TOKEN_BUCKET && refill == Refill.INTERVAL;
			List<RLThreshold> windows = new ArrayList<>(thresholds);
			if (byInterval || !algorithm.isBucket()) {
				windows.replaceAll((threshold) -> new RLThreshold(threshold.threshold(), threshold.windowLength()));
			}
			this.rule = RLConfig.builder("r")
				.paths("/**")
				.algorithm(algorithm)
				.refill(byInterval ? Refill.INTERVAL : Refill.CONTINUOUS)
				.thresholds(windows)
				.cost(cost)
				.build();
			this.cost = cost;
			this.gaps = gaps;
			this.app = new LimitedApp(this.rule);
		}

		long cost() {
			return this.cost;
		}

		LimitedApp app() {
			return this.app;
		}

		/** Send all requests, and return the last response. */
		MockHttpServletResponse replay() {
			this.app = new LimitedApp(this.rule);
			MockHttpServletResponse last = this.app.get("/x");
			for (long gap : this.gaps) {
				this.app.clock.advanceMicros(gap);
				last = this.app.get("/x");
			}
			return last;
		}

		/** Replay it anew, up to its last response. */
		LimitedApp again() {
			replay();
			return this.app;
		}

		@Override
		public String toString() {
			return this.rule + " after " + this.gaps;
		}

	}

}
