package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.resp.Share.State;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who comes first: the request that leaves, or those that do something about it.
 */
class ShareTests {

	private static final RoundTrip.Lane NOWHERE = new RoundTrip.Lane() {

		@Override
		public void free(Link link) {
		}

		@Override
		public void lost() {
		}

	};

	private final ScriptCall call = new ScriptCall(Script.of("return 1"), "k".getBytes(StandardCharsets.US_ASCII),
			List.of(), ScriptCall.Afterwards.NOTHING);

	private final Node node = new Nodes(DefaultJedisClientConfig.builder().build(), 1, 1)
		.at(new HostAndPort("redis.invalid", 6379));

	private final NodeExchange exchange = new NodeExchange(this.node, (node, failure, cause) -> {
	});

	private final Share share = new Share(this.exchange, new CallTime(Patience.LONG));

	private final RoundTrip trip = new RoundTrip(this.node, null, new LateReplies(), NOWHERE, List.of());

	ShareTests() {
		this.exchange.add(Attempt.first(this.call, this.node));
	}

	private Fate fate() {
		return ((ScriptCall.Failed) this.call.outcome()).result().fate();
	}

	@Test
	void whoHasLeftIsNeitherSentNorWaitedFor() {
		assertThat(this.share.leave(State.WAITING, StoreFailure.TIMEOUT)).isTrue();
		assertThat(fate()).isEqualTo(Fate.NOT_TAKEN);
		assertThat(this.share.board(this.trip)).isFalse();
		assertThat(this.share.lead()).isFalse();
		assertThat(this.share.state()).isEqualTo(State.LEFT);
	}

	@Test
	void whoWasSentMeanwhileHasNotLeft() {
		assertThat(this.share.board(this.trip)).isTrue();
		assertThat(this.share.leave(State.WAITING, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.share.state()).isEqualTo(State.SENT);
		assertThat(this.share.lead()).isFalse();
	}

	@Test
	void whoGotALaneMeanwhileHasNotLeft() {
		assertThat(this.share.lead()).isTrue();
		assertThat(this.share.leave(State.WAITING, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.share.board(this.trip)).isFalse();
		assertThat(this.share.state()).isEqualTo(State.LEADS);
	}

	@Test
	void whatComesWhenTheRequestHasLeftIsLate() {
		this.share.board(this.trip);
		assertThat(this.share.leave(State.SENT, StoreFailure.TIMEOUT)).isTrue();
		assertThat(fate()).isEqualTo(Fate.AWAITED);
		assertThat(this.share.read()).isFalse();
		assertThat(this.share.end()).isFalse();
	}

	@Test
	void whatHasComeIsTheRequestsEvenIfItsTimeIsOver() {
		this.share.board(this.trip);
		assertThat(this.share.end()).isTrue();
		assertThat(this.share.leave(State.SENT, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.share.hasEnded()).isTrue();
	}

	@Test
	void whoReadsForAllHasNotLeft() {
		this.share.board(this.trip);
		assertThat(this.share.read()).isTrue();
		assertThat(this.share.leave(State.SENT, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.share.end()).isTrue();
	}

	@Test
	void whoWaitsIsWokenByWhatIsDoneAboutIt() throws Exception {
		Thread other = new Thread(this.share::lead);
		other.start();
		Deadline ages = Deadline.in(Duration.ofMinutes(1));
		assertThat(this.share.await(State.WAITING, ages.leftNanos())).isEqualTo(State.LEADS);
		assertThat(ages.isOver()).isFalse();
		other.join();
	}

	@Test
	void whoWaitsDoesSoNoLongerThanItMay() {
		assertThat(this.share.await(State.WAITING, Duration.ofMillis(1).toNanos())).isEqualTo(State.WAITING);
	}

}
