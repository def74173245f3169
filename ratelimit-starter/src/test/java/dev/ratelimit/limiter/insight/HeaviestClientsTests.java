package dev.ratelimit.limiter.insight;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeaviestClientsTests {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final HeaviestClients clients = new HeaviestClients();

	private final SplittableRandom hashes = new SplittableRandom(1);

	private boolean add(String subject, boolean refused) {
		return this.clients.add(new Subject(subject), new SplittableRandom(subject.hashCode()).nextLong(), refused);
	}

	@Test
	void fewClientsAreCountedExactlyTheHeaviestFirst() {
		for (String subject : List.of("a", "b", "a", "c", "a", "b")) {
			add(subject, subject.equals("a"));
		}
		assertThat(this.clients.heaviest(2)).containsExactly(new HeavyClient(new Subject("a"), 3, 0, 3),
				new HeavyClient(new Subject("b"), 2, 0, 0));
	}

	@Test
	void theHeaviestAreFoundInACrowdOfAMillion() {
		for (int i = 0; i < 1_000_000; i++) {
			add("once" + i, false);
			if (i % 20 == 0) {
				add("heavy" + i % 200, true);
			}
		}
		assertThat(this.clients.heaviest(10)).hasSize(10).allSatisfy((client) -> {
			assertThat(client.subject().text()).startsWith("heavy");
			assertThat(client.requests()).isBetween(5000L, 5000L + client.overcountAtMost());
			assertThat(client.refused()).isEqualTo(client.surely());
		});
		assertThat(this.clients.heaviest(Integer.MAX_VALUE))
			.hasSize(HeaviestClients.SKETCHES * HeaviestClients.COUNTERS);
	}

	@Test
	void onlyAClientThatSurelyMakesAGoodPartOfAllRequestsIsHeavy() {
		boolean light = false;
		for (int i = 0; i < 10_000; i++) {
			light = add("once" + i, false);
			add("heavy", false);
		}
		assertThat(light).isFalse();
		assertThat(add("heavy", false)).isTrue();
	}

	@Test
	void inheritedCountsMakeNoClientHeavy() {
		for (int i = 1; i < HeaviestClients.COUNTERS; i++) {
			addOften(new Subject("other" + i), 40);
		}
		addOften(new Subject("displaced"), 39);
		boolean heavy = false;
		for (int i = 0; i < 50; i++) {
			heavy |= this.clients.add(new Subject("newcomer"), 42, false);
		}
		assertThat(heavy).as("with 39 that are not its own it would be").isFalse();
		addOften(new Subject("other1"), 20);
		List<HeavyClient> heaviest = this.clients.heaviest(2);
		assertThat(heaviest).extracting((client) -> client.subject().text()).containsExactly("other1", "newcomer");
		assertThat(heaviest).extracting(HeavyClient::requests).containsExactly(60L, 89L);
	}

	@Test
	void itsHeapIsBounded() {
		long before = THREADS.getCurrentThreadAllocatedBytes();
		HeaviestClients full = new HeaviestClients();
		for (int i = 0; i < 600; i++) {
			full.add(new Subject("A0123456789012345678901234567890123456" + (1000 + i)), this.hashes.nextLong(), true);
		}
		assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(160 << 10);
	}

	@Test
	void aKnownClientCostsNoObject() {
		Subject subject = new Subject("known");
		addOften(subject, 10_000);
		long before = THREADS.getCurrentThreadAllocatedBytes();
		addOften(subject, 10_000);
		assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(1000);
	}

	private void addOften(Subject subject, int requests) {
		for (int i = 0; i < requests; i++) {
			this.clients.add(subject, 42, true);
		}
	}

}
