package dev.ratelimit.memcached;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MemcachedConnections;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every byte of a decision. Lifetimes may have passed a second when they are read.
 */
class DecisionBytesTests {

	private final TestClock clock = new TestClock();

	private MemcachedServer server;

	private RecordingProxy proxy;

	private MemcachedStore store;

	@BeforeEach
	void open() {
		this.server = MemcachedServer.start();
		this.proxy = new RecordingProxy(this.server);
		this.store = new MemcachedStore(new MemcachedConnections(List.of(this.proxy.address()), Duration.ofSeconds(5),
				1, 100, Optional.empty(), Optional.empty())
			.open(), "rl:shop", this.clock, (rule, acknowledged) -> {
			});
		assertThat(this.proxy.sent()).isEqualTo("version\n");
		assertThat(this.proxy.received()).startsWith("VERSION 1.");
	}

	@AfterEach
	void close() throws IOException {
		if (this.store != null) {
			this.store.close();
			this.proxy.close();
			this.server.close();
		}
	}

	private AcquireResult acquire(Limit limit, long cost) {
		return Requests.acquire(this.store, Requests.request(limit, "ualice", cost));
	}

	@Test
	void aFixedWindowIsOneCommand() {
		Limit limit = Requests.limit(Algorithm.FIXED_WINDOW, "login", "5/60s");
		assertThat(acquire(limit, 2)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.proxy.sent()).isEqualTo("ma rl:shop:login:ualice:f1:60 N61 J2 D2 MI v t\nmn\n");
		assertThat(this.proxy.received()).isEqualTo("VA 1 t61\n2\nMN\n");
		assertThat(acquire(limit, 1)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.proxy.received()).matches("VA 1 t6[01]\n3\nMN\n");
	}

	@Test
	@DisplayName("2.5: one round trip reads the count of the window before and increments that of the current one")
	void twoCountersAreOneRoundTrip() {
		Limit limit = Requests.limit(Algorithm.SLIDING_WINDOW_COUNTER, "search", "5/60s");
		assertThat(acquire(limit, 1)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.proxy.sent()).isEqualTo("""
				mg rl:shop:search:ualice:c1:60:29919449 v t
				ma rl:shop:search:ualice:c1:60:29919450 N121 J1 D1 MI v t
				mn
				""");
		assertThat(this.proxy.received()).isEqualTo("EN\nVA 1 t121\n1\nMN\n");
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(acquire(limit, 1)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.proxy.received()).matches("VA 1 t12[01]\n1\nVA 1 t121\n1\nMN\n");
	}

	@Test
	void aRefusalReleasesItsCostInASecondRoundTrip() {
		Limit limit = Requests.limit(Algorithm.FIXED_WINDOW, "pay", "2/60s", "9/3600s");
		acquire(limit, 2);
		this.proxy.sent();
		this.proxy.received();
		assertThat(acquire(limit, 1)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(this.proxy.sent()).isEqualTo("""
				ma rl:shop:pay:ualice:f1:60 N61 J1 D1 MI v t
				ma rl:shop:pay:ualice:f1:3600 N3601 J1 D1 MI v t
				mn
				ma rl:shop:pay:ualice:f1:60 D1 MD v
				ma rl:shop:pay:ualice:f1:3600 D1 MD v
				mn
				""");
		assertThat(this.proxy.received()).matches("VA 1 t6[01]\n3\nVA 1 t360[01]\n3\nMN\nVA 1\n2\nVA 1\n2\nMN\n");
	}

	/** The limiter writes none. */
	@ParameterizedTest
	@ValueSource(strings = { "5", "0" })
	void aCountWithoutALifetimeIsReportedToLastForAWindow(String count) {
		Limit limit = Requests.limit(Algorithm.FIXED_WINDOW, "ever", "5/60s");
		this.server.ask("ms rl:shop:ever:ualice:f1:60 1 T0", count);
		AcquireResult result = acquire(limit, 1);
		assertThat(this.proxy.received()).startsWith("VA 1 t-1");
		List<Usage> usage = (result instanceof AcquireResult.Admitted admitted) ? admitted.usage()
				: ((AcquireResult.Refused) result).usage();
		assertThat(usage).extracting(Usage::resetMicros).containsExactly(61_000_000L);
		assertThat(this.server.ask("mg rl:shop:ever:ualice:f1:60 v")).as("a refused cost is released")
			.last()
			.isEqualTo(count.equals("5") ? "5" : "1");
	}

	@Test
	void aCostThatNeverFitsIsNotCounted() {
		Limit limit = Requests.limit(Algorithm.FIXED_WINDOW, "big", "2/60s");
		assertThat(acquire(limit, 3)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(this.proxy.sent()).isEqualTo("mg rl:shop:big:ualice:f1:60 v t\nmn\n");
	}

	@Test
	void aReleaseNamesItsWindow() {
		Limit limit = Requests.limit(Algorithm.SLIDING_WINDOW_COUNTER, "search", "5/60s");
		AcquireRequest request = Requests.request(limit, "ualice", 3);
		AcquireResult admitted = Requests.acquire(this.store, request);
		this.clock.advance(Duration.ofMinutes(1));
		this.proxy.sent();
		Requests.release(this.store, request, admitted);
		assertThat(this.proxy.sent()).isEqualTo("ma rl:shop:search:ualice:c1:60:29919450 D3 MD v\nmn\n");
		this.clock.advance(Duration.ofMinutes(1));
		Requests.release(this.store, request, admitted);
		assertThat(this.proxy.sent()).as("when it has passed").isEmpty();
	}

	/** It is the key of the next window, too. */
	@Test
	void aFixedWindowThatMayEndSoonIsNotReleased() {
		AcquireRequest request = Requests.request(Requests.limit(Algorithm.FIXED_WINDOW, "pay", "9/60s"), "ualice", 2);
		AcquireResult admitted = Requests.acquire(this.store, request);
		this.clock.advance(Duration.ofSeconds(58));
		this.proxy.sent();
		assertThat(Requests.release(this.store, request, admitted)).isEqualTo(SettlementResult.ACKNOWLEDGED);
		assertThat(this.proxy.sent()).isEqualTo("ma rl:shop:pay:ualice:f1:60 D2 MD v\nmn\n");
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(Requests.release(this.store, request, admitted)).isEqualTo(SettlementResult.LOST);
		assertThat(this.proxy.sent()).isEmpty();
	}

	@Test
	void aRefusalOfWhichNothingIsReleasedIsOneRoundTrip() {
		Limit limit = Requests.limit(Algorithm.FIXED_WINDOW, "short", "1/1s");
		acquire(limit, 1);
		this.proxy.sent();
		assertThat(acquire(limit, 1)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(this.proxy.sent()).isEqualTo("""
				ma rl:shop:short:ualice:f1:1 N2 J1 D1 MI v t
				mn
				""");
	}

	@Test
	void whatIsCountedBesideAValueThatIsNoCountIsReleased() {
		Limit limit = Requests.limit(Algorithm.SLIDING_WINDOW_COUNTER, "search", "5/60s");
		this.server.ask("ms rl:shop:search:ualice:c1:60:29919449 3", "abc");
		assertThat(acquire(limit, 2)).isEqualTo(new AcquireResult.Failed(StoreFailure.ERROR, Fate.NOT_TAKEN));
		assertThat(this.server.ask("mg rl:shop:search:ualice:c1:60:29919450 v")).last().asString().startsWith("0");
	}

	/**
	 * Its lifetime is a date on the clock of the server, so that of the instance has to
	 * be right.
	 */
	@Test
	void theLongestKeyFits() {
		String rule = "r".repeat(64);
		Limit limit = Requests.limit(Algorithm.SLIDING_WINDOW_COUNTER, rule, "5/29d");
		try (MemcachedStore longest = new MemcachedStore(MemcachedServer.connections(this.server.address()).open(),
				"p".repeat(80), InstantSource.system(), (id, acknowledged) -> {
				})) {
			AcquireRequest request = new AcquireRequest(limit, new Subject("s".repeat(Subject.MAX_LENGTH)), 1,
					new PermitId("p"));
			assertThat(Requests.acquire(longest, request)).isInstanceOf(AcquireResult.Admitted.class);
			assertThat(Requests.acquire(longest, request)).isInstanceOfSatisfying(AcquireResult.Admitted.class,
					(admitted) -> assertThat(admitted.usage().get(0).remaining()).isEqualTo(3));
		}
		assertThat(this.server.keys()).singleElement().asString().hasSizeLessThanOrEqualTo(250);
	}

}
