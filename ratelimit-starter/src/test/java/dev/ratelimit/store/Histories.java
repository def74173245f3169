package dev.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;

/**
 * The same random histories in every run, for what must differ somewhere in them.
 */
public final class Histories {

	private static final long SEED = 20261120;

	private Histories() {
	}

	/**
	 * Make histories.
	 * @param ofEachKind how many of each kind
	 * @param kinds the kinds
	 * @return the histories, one kind after the other
	 */
	public static List<Sequence> of(int ofEachKind, List<Arbitrary<Sequence>> kinds) {
		List<Sequence> histories = new ArrayList<>();
		JqwikSession.run(() -> kinds.forEach((kind) -> {
			RandomGenerator<Sequence> generator = kind.generator(1000);
			Random random = new Random(SEED);
			Stream.generate(() -> generator.next(random).value()).limit(ofEachKind).forEach(histories::add);
		}));
		return histories;
	}

}
