package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Choices that a test makes again and again: all there are, or some at random.
 */
final class Choices {

	private final IntUnaryOperator choose;

	private Choices(IntUnaryOperator choose) {
		this.choose = choose;
	}

	/**
	 * Choose.
	 * @param options among how many
	 * @return 0 to one less than that
	 */
	int among(int options) {
		return this.choose.applyAsInt(options);
	}

	static Choices atRandom(Random random) {
		return new Choices(random::nextInt);
	}

	static Choices given(int... choices) {
		Iterator<Integer> next = IntStream.of(choices).iterator();
		return new Choices((options) -> next.next());
	}

	/**
	 * Run a body once for each sequence of choices that it can make.
	 * @param body makes the same choices whenever it is given the same ones
	 * @return how often it ran
	 */
	static int exhaust(Consumer<Choices> body) {
		List<Integer> chosen = new ArrayList<>();
		List<Integer> last = new ArrayList<>();
		int runs = 0;
		do {
			int[] depth = { 0 };
			body.accept(new Choices((options) -> {
				if (depth[0] == chosen.size()) {
					chosen.add(0);
					last.add(options - 1);
				}
				return chosen.get(depth[0]++);
			}));
			runs++;
		}
		while (next(chosen, last));
		return runs;
	}

	private static boolean next(List<Integer> chosen, List<Integer> last) {
		for (int i = chosen.size() - 1; i >= 0; i--) {
			if (chosen.get(i) < last.get(i)) {
				chosen.set(i, chosen.get(i) + 1);
				return true;
			}
			chosen.remove(i);
			last.remove(i);
		}
		return false;
	}

}
