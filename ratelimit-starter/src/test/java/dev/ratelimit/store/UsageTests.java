package dev.ratelimit.store;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UsageTests {

	@Test
	void aWindowAgesUntilItIsEmptyAndAdmits() {
		Usage refusing = new Usage(0, 10, 4, 0);
		assertThat(refusing.after(3, 0)).isEqualTo(new Usage(0, 7, 1));
		assertThat(refusing.after(4, 0)).isEqualTo(new Usage(0, 6, 0));
		assertThat(refusing.after(11, 0)).isEqualTo(new Usage(0, 0, 0));
	}

	@Test
	void aWindowThatNeverAdmitsStaysSo() {
		assertThat(new Usage(3, 10, Usage.NEVER).after(5, 0)).isEqualTo(new Usage(3, 5, Usage.NEVER));
	}

	@Test
	void permitsThatAreSpentOrLeftSinceThenCount() {
		Usage admitting = new Usage(3, 10, 0, 2);
		assertThat(admitting.after(1, 4)).isEqualTo(new Usage(7, 9, 0));
		assertThat(admitting.after(1, -2)).isEqualTo(new Usage(1, 9, 0));
		assertThat(admitting.after(1, -5)).isEqualTo(new Usage(0, 9, 0));
	}

	@Test
	void theLastWindowToAdmitDecidesTheWait() {
		assertThat(Usage.longestWaitMicros(List.of(new Usage(0, 9, 2), new Usage(0, 9, 7), new Usage(1, 9, 0))))
			.isEqualTo(7);
		assertThat(Usage.longestWaitMicros(List.of(new Usage(1, 9, 0)))).isZero();
	}

}
