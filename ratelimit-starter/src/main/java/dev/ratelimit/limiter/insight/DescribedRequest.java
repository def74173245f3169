package dev.ratelimit.limiter.insight;

import java.util.Optional;

/**
 * A request as an operator describes it.
 *
 * @param method its method
 * @param path its path within the application, encoded as clients send it
 * @param key what its headers, cookies or user tell of the key of a rule, if that is
 * told: a value per key source that is neither the address nor in the path, in their
 * order, with commas between them
 * @param address the address of the client, if it is told
 * @param plan the plan of the client, if it is told
 */
public record DescribedRequest(String method, String path, Optional<String> key, Optional<String> address,
		Optional<String> plan) {
}
