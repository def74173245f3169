package dev.ratelimit.support;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ComputedListTests {

	private final List<String> list = new ComputedList<>(2, (index) -> "element " + index);

	@Test
	void equalsAListOfTheSameElements() {
		assertThat(this.list).isEqualTo(List.of("element 0", "element 1")).hasSize(2);
	}

	@Test
	void hasNoOtherElementsAndTakesNone() {
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.list.get(2));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.list.get(-1));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.list.set(0, "another"));
	}

}
