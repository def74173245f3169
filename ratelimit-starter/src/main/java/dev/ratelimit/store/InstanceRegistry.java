package dev.ratelimit.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Knows which instances of an application count in one store. Safe for concurrent use,
 * never throws, and waits: not for a request to call.
 */
public interface InstanceRegistry {

	/**
	 * Say that an instance lives, and learn who else does.
	 * @param instance its name: letters and digits, unique among the instances
	 * @param forgetAfter how long an instance counts that says nothing more
	 * @return where it stands among those that live, or nothing if the store does not
	 * answer
	 */
	Optional<InstanceRank> beat(String instance, Duration forgetAfter);

	/**
	 * Say that an instance ends. If the store does not answer, it is forgotten later.
	 * @param instance its name
	 */
	void leave(String instance);

}
