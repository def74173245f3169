package dev.ratelimit.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Lists the instances of an application that count in one store. Safe for concurrent use
 * and never throws. Its methods block, so a request must not call them.
 */
public interface InstanceRegistry {

	/**
	 * Report that an instance is alive, and get its position among the live instances.
	 * @param instance its name: letters and digits, unique among the instances
	 * @param forgetAfter how long an instance counts as live after its last report
	 * @return its position among the live instances; empty if the store does not reply
	 */
	Optional<InstanceRank> beat(String instance, Duration forgetAfter);

	/**
	 * Report that an instance ends. If the store does not reply, the instance expires
	 * later.
	 * @param instance its name
	 */
	void leave(String instance);

}
