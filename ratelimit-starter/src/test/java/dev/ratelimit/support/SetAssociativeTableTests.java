package dev.ratelimit.support;

import java.util.BitSet;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SetAssociativeTableTests {

	private final SetAssociativeTable<String> table = new SetAssociativeTable<>(64, 4);

	@Test
	void hashesThatDifferInFewBitsAreSpreadOverAllSets() {
		BitSet sets = new BitSet();
		for (int hash = 0; hash < 256; hash++) {
			int set = this.table.firstPlace(hash << 12);
			assertThat(set).isBetween(0, 60).satisfies((first) -> assertThat(first % 4).isZero());
			sets.set(set / 4);
		}
		assertThat(sets.cardinality()).isEqualTo(16);
	}

	@Test
	void removingAnEntryThatWasReplacedKeepsTheNewOne() {
		this.table.put(5, "first");
		this.table.put(5, "second");
		this.table.remove(5, "first");
		assertThat(this.table.get(5)).isEqualTo("second");
		this.table.remove(5, "second");
		assertThat(this.table.get(5)).isNull();
	}

}
