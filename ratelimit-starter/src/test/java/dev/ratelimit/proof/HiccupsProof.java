package dev.ratelimit.proof;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.proof.DecisionTrace.Decision;
import dev.ratelimit.rule.Mode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis that is occasionally late still makes most decisions.
 */
@Tag("proof-faults")
class HiccupsProof {

	private static final int STALLS = 6;

	/** There is one stall in so many deadlines. */
	private static final int EVERY = 20;

	private static final double MOST = 0.5;

	private final RedisServer server = RedisServer.start();

	private final FaultProxy proxy = FaultProxy.to(this.server.port());

	private App app;

	@BeforeEach
	void start() {
		this.app = App.start(Policies.yaml(this.proxy.port(), Observed.DEADLINE, Mode.ModeKind.STRICT),
				DecisionTrace.class);
		decisions(() -> FaultRound.pass(Duration.ofSeconds(2)), 2);
	}

	@AfterEach
	void stop() {
		this.app.close();
		this.proxy.close();
		this.server.close();
	}

	private static Duration deadlines(double count) {
		return Duration.ofNanos((long) (count * Observed.DEADLINE.toNanos()));
	}

	@SuppressWarnings("try")
	private List<Decision> decisions(Runnable meanwhile, int clients) {
		DecisionTrace trace = this.app.bean(DecisionTrace.class);
		trace.clear();
		try (Load ignored = Load.start(this.app.port(), clients, (n) -> Policies.request("hiccups", n))) {
			meanwhile.run();
			return trace.all();
		}
	}

	private static void assertMost(String fault, List<Decision> decisions) {
		double share = (double) decisions.stream().filter(Decision::isShared).count() / decisions.size();
		System.out.printf(Locale.ROOT, "P5 %s: %.1f %% of %,d decisions made in Redis%n", fault, 100 * share,
				decisions.size());
		assertThat(share).isGreaterThan(MOST);
	}

	@ParameterizedTest
	@ValueSource(ints = { FaultRound.CLIENTS, 4 * FaultRound.CLIENTS })
	void occasionalStallsLeaveMostDecisionsToRedis(int clients) {
		SplittableRandom random = new SplittableRandom(7);
		assertMost("a stall of 1.2 to 2 deadlines every 20, " + clients + " clients",
				decisions(() -> IntStream.range(0, STALLS).forEach((i) -> {
					double stall = 1.2 + 0.8 * random.nextDouble();
					this.proxy.inject(Fault.BLACK_HOLE);
					FaultRound.pass(deadlines(stall));
					this.proxy.inject(Fault.NONE);
					FaultRound.pass(deadlines(EVERY - stall));
				}), clients));
	}

	@Test
	void aThirdOfLateRepliesLeavesMostDecisionsToRedis() {
		this.proxy.injectSometimes(Fault.DELAY, deadlines(1.2), 30);
		assertMost("30 % of the replies 1.2 deadlines late",
				decisions(() -> FaultRound.pass(deadlines(EVERY * STALLS)), FaultRound.CLIENTS));
	}

}
