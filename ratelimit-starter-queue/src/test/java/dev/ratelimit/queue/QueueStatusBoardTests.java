package dev.ratelimit.queue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueStatusBoardTests {

	private final Set<String> enqueuing = new HashSet<>(Set.of("a", "b"));

	private final QueueStatusBoard board = new QueueStatusBoard(this.enqueuing::contains);

	private static QueueStatus dead(long count) {
		return new QueueStatus(List.of(), Optional.empty(), 0, count, Duration.ZERO);
	}

	@Test
	void deadLettersOfARemovedRuleAreNotReportedForEver() {
		this.board.seen("a", dead(2));
		this.board.seen("b", dead(3));
		assertThat(this.board.dead()).isEqualTo(5);
		this.enqueuing.remove("b");
		assertThat(this.board.dead()).isEqualTo(2);
	}

}
