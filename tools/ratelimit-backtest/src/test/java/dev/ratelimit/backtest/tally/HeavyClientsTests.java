package dev.ratelimit.backtest.tally;

import java.util.List;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeavyClientsTests {

	@Test
	void aFewClientsAreCountedExactly() {
		HeavyClients clients = new HeavyClients(3);
		for (String client : List.of("a", "b", "a", "c", "a", "b", "c")) {
			clients.add(client, () -> "client " + client);
		}
		assertThat(clients.heaviest(2)).containsExactly(new HeavyClient("client a", 3, 0),
				new HeavyClient("client b", 2, 0));
	}

	@Test
	void aClientWithoutACounterTakesOverTheSmallestCounter() {
		HeavyClients clients = new HeavyClients(2);
		for (String client : List.of("a", "a", "a", "b", "c")) {
			clients.add(client, () -> client);
		}
		assertThat(clients.heaviest(9)).containsExactly(new HeavyClient("a", 3, 0), new HeavyClient("c", 2, 1));
	}

	@Test
	void heavyClientsAreFoundAmongAnyNumberAndNeverCountedTooLow() {
		HeavyClients clients = new HeavyClients(100);
		Map<String, Long> exact = new HashMap<>();
		Random random = new Random(42);
		for (int i = 0; i < 200_000; i++) {
			String client = (random.nextInt(10) < 3) ? "heavy " + random.nextInt(5) : "once " + i;
			exact.merge(client, 1L, Long::sum);
			clients.add(client, () -> client);
		}
		assertThat(clients.heaviest(5)).allSatisfy((heavy) -> {
			assertThat(heavy.client()).startsWith("heavy");
			long count = exact.get(heavy.client());
			assertThat(heavy.refused()).isBetween(count, count + heavy.overcountAtMost());
			assertThat(heavy.overcountAtMost()).isLessThanOrEqualTo(200_000 / 100);
		});
	}

}
