package dev.ratelimit.backtest.log;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A request as an access log records it.
 *
 * @param number the number of its line, from 1
 * @param time when it arrived or ended, depending on the server
 * @param address the address of the peer
 * @param user the name of the authenticated user
 * @param method the method
 * @param path the path, still encoded
 * @param query the text behind the question mark
 * @param status the status of the response
 * @param headers the logged headers, by their names in lower case
 */
public record LogLine(long number, Instant time, String address, Optional<String> user, String method, String path,
		Optional<String> query, int status, Map<String, String> headers) {
}
