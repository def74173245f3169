package dev.ratelimit.queue.autoconfigure;

import java.time.Duration;

import dev.ratelimit.queue.worker.QueueSettings;
import dev.ratelimit.spi.SettingChecks;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Handling of the requests that rules with on-limit enqueue keep.
 *
 * @param path Path under which clients read the states of their requests.
 * @param maxStateReads Number of states that this instance looks up for clients in a
 * second, 1 to 100000. More are answered 429.
 * @param workers Number of requests of a rule that this instance handles at the same
 * time, 1 to 1000.
 * @param lease Time after which another instance handles a request whose instance has
 * stopped responding, 1s to 1h.
 * @param maxTries Number of attempts after which a request becomes a dead letter, 1 to
 * 1000.
 * @param backoff Time until the second attempt, 1ms to 1d. Each further one takes twice
 * as long.
 * @param maxBackoff Longest time until the next attempt, 1ms to 1d.
 * @param keepState Time for which the state of a request is known after its end, 1s to
 * 400d.
 * @param keepDead Time for which dead letters are kept after the last of them, 1s to
 * 400d.
 */
@ConfigurationProperties("ratelimit.queue")
public record RateLimitQueueProperties(@DefaultValue("/ratelimit/queue") String path,
		@DefaultValue("100") int maxStateReads, @DefaultValue("4") int workers, @DefaultValue("30s") Duration lease,
		@DefaultValue("10") int maxTries, @DefaultValue("1s") Duration backoff, @DefaultValue("5m") Duration maxBackoff,
		@DefaultValue("1d") Duration keepState, @DefaultValue("30d") Duration keepDead) {

	public RateLimitQueueProperties {
		SettingChecks.requirePath("queue.path", path);
		SettingChecks.matches("queue.path", path, "(/[A-Za-z0-9._-]+)+", "is no plain path",
				"Use letters, digits, dashes and dots between slashes, and none at the end, such as "
						+ "/ratelimit/queue");
		SettingChecks.between("queue.max-state-reads", maxStateReads, 1, 100_000);
		SettingChecks.between("queue.workers", workers, 1, 1000);
		SettingChecks.between("queue.lease", lease, "1s", "1h");
		SettingChecks.between("queue.max-tries", maxTries, 1, 1000);
		SettingChecks.between("queue.backoff", backoff, "1ms", "1d");
		SettingChecks.between("queue.max-backoff", maxBackoff, "1ms", "1d");
		SettingChecks.between("queue.keep-state", keepState, "1s", "400d");
		SettingChecks.between("queue.keep-dead", keepDead, "1s", "400d");
	}

	QueueSettings settings() {
		return new QueueSettings(this.workers, this.lease, this.maxTries, this.backoff, this.maxBackoff, this.keepState,
				this.keepDead);
	}

}
