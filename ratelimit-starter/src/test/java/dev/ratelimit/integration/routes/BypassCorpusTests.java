package dev.ratelimit.integration.routes;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import dev.ratelimit.integration.support.RawHttp;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spellings that other limiters let through, over a raw socket: whatever reaches a
 * handler is counted once, in the bucket of the plain request.
 */
class BypassCorpusTests {

	private static App app;

	@BeforeAll
	static void start() {
		app = AppVariant.DEFAULT.start("1/1d");
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	static Stream<CorpusEntry> entries() {
		return CorpusEntry.of(AppVariant.DEFAULT);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("entries")
	void isAnsweredRight(CorpusEntry entry) {
		new CorpusCheck(app, false).check(entry);
	}

	@Test
	void noTwoClientsOfTheCorpusShareABucket() {
		RecordingMemoryStore store = app.bean(RecordingMemoryStore.class);
		store.reset();
		List<CorpusEntry> clients = entries().filter((entry) -> entry.expect() == CorpusEntry.Expect.COUNTED_APART)
			.toList();
		Set<String> buckets = new HashSet<>();
		for (CorpusEntry client : clients) {
			RawHttp.exchange(app.port(), client.request(1));
			buckets.addAll(store.takeAcquired());
		}
		assertThat(buckets).hasSameSizeAs(clients);
	}

}
