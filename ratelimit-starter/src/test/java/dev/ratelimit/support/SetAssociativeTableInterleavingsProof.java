package dev.ratelimit.support;

import dev.ratelimit.fixture.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads put entries into one place, look at it and remove them. The results are those
 * of some order. So a thread finds only an entry that was put there, and removing an
 * entry never removes the one that has replaced it.
 */
@Tag("proof-interleavings")
@Param(name = "entry", gen = IntGen.class, conf = "1:2")
public class SetAssociativeTableInterleavingsProof {

	private final SetAssociativeTable<Integer> table = new SetAssociativeTable<>(1, 1);

	@Operation
	public Integer get() {
		return this.table.get(0);
	}

	@Operation
	public void put(@Param(name = "entry") int entry) {
		this.table.put(0, entry);
	}

	@Operation
	public void remove(@Param(name = "entry") int entry) {
		this.table.remove(0, entry);
	}

	@Test
	void everyInterleavingHasTheResultsOfSomeOrder() {
		Interleavings.requireSomeOrder(SetAssociativeTableInterleavingsProof.class);
	}

}
