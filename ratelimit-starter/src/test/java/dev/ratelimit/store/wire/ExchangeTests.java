package dev.ratelimit.store.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.Exchange.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether a request leaves first, or another thread handles it first.
 */
class ExchangeTests {

	private final ScriptCall call = new ScriptCall(Script.of("return 1"), "k".getBytes(StandardCharsets.US_ASCII),
			List.of(), NodeCall.Afterwards.NOTHING);

	private final Node node = RespNodes.nodes(1, 1).at("redis.invalid:6379");

	private final Exchange exchange = Exchanges.of(this.node, this.call, Patience.LONG);

	private final List<NodeCall> toUndo = new ArrayList<>();

	private Fate fate() {
		return ((NodeCall.FailedCall) this.call.outcome()).fate();
	}

	private boolean appointReader() {
		return this.exchange.appointReader((reader) -> {
		});
	}

	@Test
	void aRequestThatHasLeftIsNotSent() {
		assertThat(this.exchange.leave(State.WAITING, StoreFailure.TIMEOUT)).isTrue();
		assertThat(fate()).isEqualTo(Fate.NOT_TAKEN);
		assertThat(this.exchange.send()).isFalse();
		assertThat(this.exchange.hasLeft()).isTrue();
	}

	@Test
	void aRequestThatWasSentMeanwhileHasNotLeft() {
		assertThat(this.exchange.send()).isTrue();
		assertThat(this.exchange.leave(State.WAITING, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.exchange.state()).isEqualTo(State.SENT);
	}

	@Test
	void aReplyToARequestThatHasLeftIsLate() {
		this.exchange.attend();
		this.exchange.send();
		assertThat(this.exchange.leave(State.SENT, StoreFailure.TIMEOUT)).isTrue();
		assertThat(fate()).isEqualTo(Fate.AWAITED);
		assertThat(appointReader()).isFalse();
		this.exchange.received(this.call, 1L, this.toUndo);
		assertThat(this.exchange.hasLeft()).isTrue();
		assertThat(fate()).isEqualTo(Fate.AWAITED);
	}

	@Test
	void aReplyThatHasArrivedIsTheRequestsEvenIfItsTimeIsOver() {
		this.exchange.send();
		this.exchange.received(this.call, 1L, this.toUndo);
		assertThat(this.exchange.leave(State.SENT, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.exchange.hasEnded()).isTrue();
		assertThat(this.exchange.deliver()).isEmpty();
		assertThat(this.call.outcome()).isEqualTo(new NodeCall.Replied(1L));
	}

	@Test
	void aRequestThatReadsForAllHasNotLeft() {
		this.exchange.attend();
		this.exchange.send();
		assertThat(appointReader()).isTrue();
		assertThat(this.exchange.leave(State.SENT, StoreFailure.TIMEOUT)).isFalse();
		this.exchange.received(this.call, 1L, this.toUndo);
		assertThat(this.exchange.hasEnded()).isTrue();
	}

	@Test
	void aThreadThatAttendsToAnotherExchangeDoesNotRead() {
		this.exchange.send();
		assertThat(this.exchange.maySend()).isTrue();
		assertThat(appointReader()).isFalse();
		this.exchange.attend();
		assertThat(appointReader()).isTrue();
	}

	@Test
	void aWaitingRequestIsWokenWhenItIsToRead() throws Exception {
		this.exchange.attend();
		this.exchange.send();
		Thread other = new Thread(this::appointReader);
		other.start();
		assertThat(this.exchange.await(State.SENT, Duration.ofMinutes(1).toNanos())).isFalse();
		assertThat(this.exchange.state()).isEqualTo(State.READS);
		other.join();
	}

	@Test
	void aRequestWaitsNoLongerThanItMay() {
		assertThat(this.exchange.await(State.WAITING, Duration.ofMillis(1).toNanos())).isTrue();
	}

}
