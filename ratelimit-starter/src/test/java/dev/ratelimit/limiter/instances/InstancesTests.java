package dev.ratelimit.limiter.instances;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.store.InstanceRank;
import dev.ratelimit.store.InstanceRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class InstancesTests {

	private Optional<InstanceRank> ranks = Optional.empty();

	private int beats;

	private String name = "a";

	private final List<String> calls = new ArrayList<>();

	private final Instances instances = instances(OptionalInt.empty());

	private Instances instances(OptionalInt fixed) {
		return new Instances(Optional.of(new Heard()), fixed, () -> this.name);
	}

	private InstanceShare beat(Instances instances, int rank, int living) {
		this.ranks = Optional.of(new InstanceRank(rank, living));
		instances.beat();
		return instances.share();
	}

	@Test
	void aBeatDeterminesTheShare() {
		assertThat(beat(this.instances, 1, 3)).isEqualTo(InstanceShare.of(3, 1));
		assertThat(beat(this.instances, 0, 4)).isEqualTo(InstanceShare.of(4, 0));
	}

	/** Otherwise the first to beat after an outage would take the shares of others. */
	@Test
	void fewerInstancesAreAcceptedAfterThreeBeatsInARow() {
		beat(this.instances, 1, 3);
		assertThat(beat(this.instances, 0, 1)).isEqualTo(InstanceShare.of(3, 1));
		assertThat(beat(this.instances, 0, 1)).isEqualTo(InstanceShare.of(3, 1));
		assertThat(beat(this.instances, 1, 3)).as("the others are back").isEqualTo(InstanceShare.of(3, 1));
		assertThat(beat(this.instances, 0, 2)).isEqualTo(InstanceShare.of(3, 1));
		assertThat(beat(this.instances, 0, 2)).isEqualTo(InstanceShare.of(3, 1));
		assertThat(beat(this.instances, 0, 2)).isEqualTo(InstanceShare.of(2, 0));
	}

	@Test
	void theLastShareHoldsWhileTheStoreIsAway() {
		beat(this.instances, 1, 3);
		this.ranks = Optional.empty();
		this.instances.beat();
		assertThat(this.instances.share()).isEqualTo(InstanceShare.of(3, 1));
	}

	@Test
	void beatsBeforeAnOutageDoNotCountTowardsFewerInstances() {
		beat(this.instances, 1, 3);
		for (int i = 0; i < 5; i++) {
			assertThat(beat(this.instances, 0, 1)).isEqualTo(InstanceShare.of(3, 1));
			this.ranks = Optional.empty();
			assertThat(this.instances.beat()).isFalse();
		}
	}

	@Test
	void aShareThatHasNotChangedIsTheSameObject() {
		InstanceShare share = beat(this.instances, 1, 3);
		assertThat(beat(this.instances, 1, 3)).isSameAs(share);
	}

	@Test
	void anInstanceWithoutARankTakesTheWholeAndWarnsOnceWhenItMatters(CapturedOutput output) {
		this.instances.beat();
		assertThat(output).doesNotContain("ratelimit.instances");
		assertThat(this.instances.share()).isEqualTo(InstanceShare.WHOLE);
		assertThat(this.instances.share()).isEqualTo(InstanceShare.WHOLE);
		assertThat(this.instances.known()).isEmpty();
		assertThat(output.toString().lines().filter((line) -> line.contains("Set ratelimit.instances"))).singleElement()
			.asString()
			.contains("WARN");
	}

	@Test
	void aNumberThatIsSetHoldsAndTheRankIsThatOfTheBeats(CapturedOutput output) {
		Instances three = instances(OptionalInt.of(3));
		assertThat(three.share()).isEqualTo(InstanceShare.unranked(3));
		assertThat(beat(three, 1, 2)).isEqualTo(InstanceShare.of(3, 1));
		assertThat(beat(three, 3, 4)).isEqualTo(InstanceShare.unranked(3));
		assertThat(output).doesNotContain("ratelimit.instances");
	}

	@Test
	void theOnlyInstanceSendsNoBeats() {
		assertThat(beat(instances(OptionalInt.of(1)), 1, 2)).isEqualTo(InstanceShare.WHOLE);
		assertThat(this.beats).isZero();
	}

	@Test
	void anInstanceWithANewNameRemovesItsFormerOne() {
		beat(this.instances, 0, 1);
		this.name = "b";
		beat(this.instances, 0, 2);
		beat(this.instances, 0, 1);
		this.instances.leave();
		assertThat(this.calls).containsExactly("a", "b", "-a", "b", "b", "-b");
	}

	@Test
	void namesThatTheStoreNeverAcknowledgedAreNotRemoved() {
		this.instances.beat();
		this.name = "b";
		this.instances.beat();
		this.name = "c";
		beat(this.instances, 0, 1);
		assertThat(this.calls).containsExactly("a", "b", "c");
	}

	private final class Heard implements InstanceRegistry {

		@Override
		public Optional<InstanceRank> beat(String instance, Duration forgetAfter) {
			InstancesTests.this.beats++;
			InstancesTests.this.calls.add(instance);
			return InstancesTests.this.ranks;
		}

		@Override
		public void leave(String instance) {
			InstancesTests.this.calls.add("-" + instance);
		}

	}

}
