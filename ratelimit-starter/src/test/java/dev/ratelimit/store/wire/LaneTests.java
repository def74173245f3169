package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.wire.OneConnection.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A reply of which a part has arrived when the thread that reads it has to leave: another
 * thread continues at that byte.
 */
@ParameterizedClass
@EnumSource
class LaneTests {

	private final OneConnection one;

	LaneTests(ThreadKind kind) {
		this.one = new OneConnection(kind);
	}

	@AfterEach
	void close() {
		this.one.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 20 })
	void theDeadlineOfTheReaderPassesInTheMiddleOfAReply(int others) throws Exception {
		this.one.proxy().holdAllBut('*');
		Visitor<AcquireResult> reader = this.one.start(() -> this.one.acquire(OneConnection.SHORT));
		this.one.awaitSent(1);
		List<Visitor<AcquireResult>> waiting = Stream.generate(() -> this.one.send(OneConnection.LONG))
			.limit(others)
			.toList();
		assertThat(reader.result()).isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.proxy().passReplies();
		assertThat(waiting).extracting(Visitor::result).allMatch(StoreRequests::isAdmitted);
		this.one.awaitReported(1);
		assertThat(this.one.reported()).containsExactly("released");
		assertThat(this.one.stored()).isEqualTo(others);
		assertThat(this.one.acquire(OneConnection.LONG)).as("over the same connection")
			.matches(StoreRequests::isAdmitted);
		assertThat(this.one.stat("stats", "total_connections_received:")).isZero();
	}

	/** Those that share its batch are answered all the same. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 20 })
	void theDeadlineOfTheReaderPassesInTheMiddleOfTheReplyToAll(int others) throws Exception {
		Lane held = this.one.take();
		List<Visitor<AcquireResult>> waiting = Stream.generate(() -> this.one.send(OneConnection.LONG))
			.limit(others)
			.toList();
		this.one.proxy().holdAllBut('*');
		Visitor<Boolean> reader = this.one.start(() -> {
			Exchange leader = Exchanges.of(this.one.node(), OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
					OneConnection.SHORT);
			leader.attend();
			this.one.node().waiting().add(leader);
			assertThat(this.one.node().takeUsualSlot()).isTrue();
			held.withSlot().lead(leader);
			this.one.node().await(leader);
			return leader.hasLeft();
		});
		assertThat(reader.result()).isTrue();
		this.one.awaitSent(others + 1);
		assertThat(waiting).noneMatch((visitor) -> visitor.task().isDone());
		this.one.proxy().passReplies();
		assertThat(waiting).extracting(Visitor::result).allMatch(StoreRequests::isAdmitted);
	}

	/** As when the store is closed meanwhile. */
	@Test
	void aReplyThatIsNoLongerAwaitedIsLost() {
		LateReplyRecorder afterwards = new LateReplyRecorder();
		this.one.proxy().holdReplies();
		NodeCall call = OneConnection.call(List.of(), afterwards);
		assertThat(Exchanges.run(this.one.node(), call, Duration.ofMillis(10)).hasLeft()).isTrue();
		this.one.close();
		OneConnection.await(() -> afterwards.late().contains("lost"));
	}

}
