package dev.ratelimit.integration.compatibility;

import dev.ratelimit.integration.support.EveryServer;
import org.junit.jupiter.api.Tag;

/**
 * Every server decides alike: the contract of a store, the histories of its oracles, a
 * Cluster, Sentinels and the least rights, against each server of this machine. Those are
 * the one of the build, Redis 6.2 on Linux and amd64, what is on the PATH, and what
 * {@code -Dproof.servers} names, separated as in a PATH.
 */
@Tag("proof-versions")
class VersionsProof extends EveryServer {

	VersionsProof() {
		super(24, "store.StoreContractTests", "store.BucketContractTests", "store.TurnContractTests",
				"store.InspectorContractTests", "store.redis.RedisBucketTests", "store.redis.RedisCounterTests",
				"store.redis.RedisInspectorTests", "store.redis.RedisInstancesTests", "store.redis.OracleTests",
				"store.redis.PlansOracleTests", "store.redis.SyncOracleTests", "store.redis.CounterOracleTests",
				"store.redis.BucketOracleTests", "store.redis.TurnOracleTests", "store.redis.LargeLogTests",
				"store.redis.ReleasedKeysTests", "store.redis.ClusterTests", "store.redis.FailureTests",
				"store.redis.LeastRightsTests");
	}

}
