package dev.ratelimit.memcached;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.limiter.health.StoreConcerns;
import dev.ratelimit.memcached.meta.ServerAddress;
import dev.ratelimit.store.wire.CallRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that evicts is reported, because its clients start anew.
 */
@ExtendWith(OutputCaptureExtension.class)
class EvictionCheckTests {

	private static final String SMALL = "2";

	private final List<AutoCloseable> opened = new ArrayList<>();

	private MemcachedServer server(String... options) {
		MemcachedServer server = MemcachedServer.start(options);
		this.opened.add(server);
		return server;
	}

	private MemcachedStore store(MemcachedServer... servers) {
		ServerAddress[] addresses = List.of(servers)
			.stream()
			.map(MemcachedServer::address)
			.toArray(ServerAddress[]::new);
		MemcachedStore store = new MemcachedStore(MemcachedServer.connections(addresses).open(), "rl",
				InstantSource.system(), (rule, acknowledged) -> {
				});
		this.opened.add(0, store);
		return store;
	}

	private static Supplier<Optional<List<String>>> check(MemcachedStore store) {
		return store.capabilities().diagnostics().concerns();
	}

	private static String concern(MemcachedServer server) {
		return "Memcached at " + server.address() + " has evicted items, which may have been counts: a client that is "
				+ "forgotten starts anew, above the limit. Give the server more memory (-m), or count in a Memcached "
				+ "of its own.";
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.opened) {
			each.close();
		}
	}

	@Test
	void aServerThatHasEvictedIsAConcernUntilItIsRestarted() {
		MemcachedServer server = server("-m", SMALL);
		MemcachedStore store = store(server);
		assertThat(check(store).get()).as("empty").contains(List.of());
		FaultTests.fill(store);
		assertThat(check(store).get()).contains(List.of(concern(server)));
		assertThat(check(store).get()).as("nothing more was evicted").contains(List.of(concern(server)));
		server.restart();
		assertThat(Stream.generate(check(store)).limit(100).flatMap(Optional::stream).findFirst())
			.as("from the first reply on")
			.contains(List.of());
	}

	@Test
	void whatWasEvictedBeforeTheFirstCheckIsNoConcernUntilMoreIs() {
		MemcachedServer server = server("-m", SMALL);
		FaultTests.fill(store(server));
		MemcachedStore later = store(server);
		assertThat(check(later).get()).contains(List.of());
		assertThat(check(later).get()).contains(List.of());
		FaultTests.fill(later);
		assertThat(check(later).get()).contains(List.of(concern(server)));
	}

	/** It refuses to count instead, which requests and their metrics show. */
	@Test
	void aFullServerThatDoesNotEvictIsNoConcern() {
		MemcachedStore store = store(server("-m", SMALL, "-M"));
		assertThat(check(store).get()).as("empty").contains(List.of());
		FaultTests.fill(store);
		assertThat(check(store).get()).contains(List.of());
	}

	@Test
	void eachServerIsCheckedAndOneThatDoesNotReplyIsNoConcern() {
		MemcachedServer small = server("-m", SMALL);
		MemcachedServer large = server("-m", "64");
		MemcachedServer suspended = server("-m", SMALL);
		MemcachedStore store = store(small, large, suspended);
		assertThat(check(store).get()).as("empty").contains(List.of());
		FaultTests.fill(store);
		FaultTests.fill(store(suspended));
		FaultTests.fill(store(small));
		assertThat(check(store).get().orElseThrow()).containsExactlyInAnyOrder(concern(small), concern(suspended));
		suspended.suspend();
		assertThat(check(store).get()).contains(List.of(concern(small)));
		suspended.resume();
	}

	@Test
	void theConcernsOfServersThatDoNotReplyAreUnknown() {
		MemcachedServer server = server();
		MemcachedStore store = store(server);
		server.kill();
		assertThat(check(store).get()).isEmpty();
	}

	@Test
	void eachOfAHundredServersHasAKey() {
		ServerAddress[] servers = IntStream.rangeClosed(1, 100)
			.mapToObj((i) -> new ServerAddress("127.0.0." + i, 1))
			.toArray(ServerAddress[]::new);
		try (CallRunner runner = MemcachedServer.connections(servers).open()) {
			assertThat(new EvictionCheck(runner).keys()).hasSize(100);
		}
	}

	@Test
	void aMinuteAfterTheLastCheckTheLogSaysSoOnce(CapturedOutput output) {
		MemcachedServer server = server("-m", SMALL);
		MemcachedStore store = store(server);
		AtomicLong nanoTime = new AtomicLong();
		StoreConcerns concerns = new StoreConcerns(check(store), nanoTime::get);
		concerns.refresh();
		FaultTests.fill(store);
		for (int minute = 0; minute < 3; minute++) {
			nanoTime.addAndGet(Duration.ofMinutes(1).toNanos());
			concerns.refresh();
		}
		assertThat(concerns.known()).contains(List.of(concern(server)));
		assertThat(output).containsOnlyOnce(concern(server));
	}

}
