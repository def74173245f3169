package dev.ratelimit.store.redis;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The arguments of a limit are kept while it is in use.
 */
class ScriptCallFactoryTests {

	private final StoreCalls calls = StoreCalls.shipped();

	@Test
	void callsOnOneLimitHaveTheSameArguments() {
		Limit limit = limit();
		assertThat(arguments(limit)).isSameAs(arguments(limit)).isNotSameAs(arguments(limit()));
	}

	@Test
	void aLimitThatIsNotInForceAnyMoreIsNotKeptWhenMemoryIsNeeded() {
		WeakReference<Limit> replaced = replaced();
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(ScriptCallFactoryTests::needAllMemory);
		assertThat(replaced.get()).isNull();
	}

	private WeakReference<Limit> replaced() {
		Limit limit = limit();
		assertThat(arguments(limit)).isNotEmpty();
		return new WeakReference<>(limit);
	}

	private static Limit limit() {
		return Limit.of(RLConfig.builder("r").thresholds("5/60s").build());
	}

	private List<byte[]> arguments(Limit limit) {
		return this.calls.of(StoreRequests.request(limit, "s")).limit();
	}

	/** Before an allocation fails, all soft references are cleared. */
	private static void needAllMemory() {
		List<long[]> memory = new ArrayList<>();
		while (memory.size() < Integer.MAX_VALUE) {
			memory.add(new long[Integer.MAX_VALUE - 8]);
		}
	}

}
