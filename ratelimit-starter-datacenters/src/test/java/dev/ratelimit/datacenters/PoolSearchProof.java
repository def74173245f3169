package dev.ratelimit.datacenters;

import dev.ratelimit.datacenters.PoolModel.Option;
import dev.ratelimit.datacenters.PoolModel.Result;
import dev.ratelimit.datacenters.PooledWindow.Terms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The searches of {@link PoolSearchTests} that take longer.
 */
@Tag("proof-datacentres")
class PoolSearchProof {

	@Test
	void threeClocksApartAdmitNoMoreInAnyWindow() {
		Terms terms = PoolSearchTests.terms(3, 0, 1, 1);
		Result result = PoolSearchTests.search("three clocks apart",
				PoolModel.of(3, terms, 1, Option.AS_NEEDED).windows(2).total(1));
		assertThat(result.admitted()).isEqualTo(PoolSearchTests.bound(3, terms)).isEqualTo(3);
		assertThat(result.states()).isEqualTo(68_572);
	}

	@Test
	void aLossWithReleasesAddsNoMore() {
		Terms terms = PoolSearchTests.terms(2, 1, 2, 1);
		Result result = PoolSearchTests.search("a loss, releases",
				PoolModel.of(2, terms, 1, Option.AS_NEEDED, Option.LOSS, Option.RELEASES));
		assertThat(result.admitted()).isEqualTo(PoolSearchTests.bound(2, terms) + PoolSearchTests.lost(terms))
			.isEqualTo(8);
		assertThat(result.states()).isEqualTo(42_770);
	}

	@Test
	void aLossOfOneOfThreeAddsNoMore() {
		Terms terms = PoolSearchTests.terms(3, 0, 1, 1);
		Result result = PoolSearchTests.search("a loss of three",
				PoolModel.of(3, terms, 1, Option.AS_NEEDED, Option.LOSS).total(2));
		assertThat(result.admitted())
			.isBetween((int) PoolSearchTests.bound(3, terms),
					(int) (PoolSearchTests.bound(3, terms) + PoolSearchTests.lost(terms)))
			.isEqualTo(4);
		assertThat(result.states()).isEqualTo(160_957);
	}

	@Test
	void afterALossMessagesToTheLostRecordAcknowledgeNothing() {
		Terms terms = PoolSearchTests.terms(2, 0, 3, 1);
		PoolModel model = PoolModel.of(2, terms, 2, Option.AS_NEEDED, Option.LOSS).total(3);
		Result result = PoolSearchTests.search("a loss, late messages", model);
		assertThat(result.admitted()).isEqualTo(PoolSearchTests.bound(2, terms) + PoolSearchTests.lost(terms))
			.isEqualTo(6);
		assertThat(result.states()).isEqualTo(126_848);
		PoolModel sameBorn = PoolModel.of(2, terms, 2, Option.AS_NEEDED, Option.LOSS, Option.SAME_BORN).total(3);
		Result wrong = PoolSearchTests.search("a loss, late messages, same born", sameBorn);
		assertThat(wrong.admitted()).isEqualTo(7);
		assertThat(wrong.states()).isEqualTo(33_588);
		assertThat(wrong.schedule((state) -> state.mostAdmitted() == 7)).contains("the Redis of a loses its data");
	}

	@Test
	void withoutAcknowledgementsThreeDataCentresAdmitTheLimitEach() {
		Result result = PoolSearchTests.search("no acknowledgements, 3",
				PoolModel.of(3, PoolSearchTests.terms(3, 0, 2, 6), 1, Option.AS_NEEDED).total(1));
		assertThat(result.admitted()).isEqualTo(6);
		assertThat(result.states()).isEqualTo(52_138);
	}

}
