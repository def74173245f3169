package dev.ratelimit.actuate.insight;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeaviestClientsTests {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final HeaviestClients clients = newClients();

	private int once;

	private static HeaviestClients newClients() {
		return new HeaviestClients(Instant.EPOCH);
	}

	private void add(String subject, boolean refused) {
		this.clients.add(new Subject(subject), refused);
	}

	private void addOften(String subject, int requests) {
		for (int i = 0; i < requests; i++) {
			add(subject, true);
		}
	}

	/** Each counter counts about so many clients more. */
	private void addCrowd(int clientsPerCounter) {
		for (int i = 0; i < clientsPerCounter * HeaviestClients.COUNTERS; i++) {
			add("once" + this.once++, false);
		}
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
		assertThat(this.clients.heaviest(Integer.MAX_VALUE)).hasSize(HeaviestClients.COUNTERS);
	}

	@Test
	void clientsAreOrderedByTheRequestsThatAreSurelyTheirs() {
		addCrowd(20);
		addOften("heavy", 30);
		addCrowd(25);
		addOften("newcomer", 12);
		List<HeavyClient> heaviest = this.clients.heaviest(2);
		assertThat(heaviest).extracting((client) -> client.subject().text()).containsExactly("heavy", "newcomer");
		assertThat(heaviest.get(1).requests()).as("with those of the clients that it displaced")
			.isGreaterThan(heaviest.get(0).requests());
	}

	@Test
	void itsHeapIsBounded() {
		long before = THREADS.getCurrentThreadAllocatedBytes();
		HeaviestClients full = newClients();
		for (int i = 0; i < 600; i++) {
			full.add(new Subject("A0123456789012345678901234567890123456" + (1000 + i)), true);
		}
		assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(160 << 10);
	}

	@Test
	void aKnownClientCostsNoObject() {
		addOften("known", 10_000);
		Subject subject = new Subject("known");
		long before = THREADS.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < 10_000; i++) {
			this.clients.add(subject, true);
		}
		assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(1000);
	}

}
