package dev.ratelimit.queue.redis;

import dev.ratelimit.integration.support.EveryServer;
import org.junit.jupiter.api.Tag;

/**
 * Every server handles a queue alike.
 */
@Tag("proof-versions")
class QueueVersionsProof extends EveryServer {

	QueueVersionsProof() {
		super(0, "queue.ItemQueueContractTests", "queue.redis.RedisItemQueueTests", "queue.redis.QueueRightsTests");
	}

}
