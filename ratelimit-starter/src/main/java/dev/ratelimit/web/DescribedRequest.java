package dev.ratelimit.web;

import java.util.Optional;

/**
 * A request as an operator describes it.
 *
 * @param method its method
 * @param path its path within the application, encoded as clients send it
 * @param key the part of a rule's key that headers, cookies or the user supply, if given.
 * One value per key source that is neither the address nor in the path, in their order,
 * separated by commas
 * @param address the address of the client, if given
 * @param plan the plan of the client, if given
 */
public record DescribedRequest(String method, String path, Optional<String> key, Optional<String> address,
		Optional<String> plan) {
}
