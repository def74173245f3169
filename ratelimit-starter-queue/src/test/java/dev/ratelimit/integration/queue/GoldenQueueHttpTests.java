package dev.ratelimit.integration.queue;

import dev.ratelimit.fixture.Golden;
import dev.ratelimit.integration.support.Answers;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.KeptRequests;
import dev.ratelimit.integration.support.KeptRequests.Later;
import dev.ratelimit.integration.support.KeptRequests.Orders;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.Test;

/**
 * What clients and operators see of a queue.
 */
class GoldenQueueHttpTests {

	/**
	 * Runs on the clock of Redis; times are rounded to their value in the first second.
	 */
	@Test
	void theAnswersOfAQueueAreUnchanged() {
		String text;
		try (App app = App.start(
				SharedCluster.yaml()
						+ """
								ratelimit.rules.orders: {paths: /orders, key: 'header:X-Client', on-limit: enqueue, max-queue: 1, thresholds: 1/1d}
								""",
				Orders.class, Later.class)) {
			text = Answers.of(app, 3, "POST", "/orders", "X-Client", "ann")
					+ Answers.of(app, 1, "GET", "/ratelimit/queue/orders/nothing");
			KeptRequests.emptyAll(app);
		}
		Golden.assertUnchanged("answers-of-a-queue.txt",
				text.replaceAll("(/orders/|\"id\":\")[A-Za-z0-9_-]{22}", "$1ID")
					.replaceAll("\\b863\\d\\d\\b", "86400"));
	}

}
