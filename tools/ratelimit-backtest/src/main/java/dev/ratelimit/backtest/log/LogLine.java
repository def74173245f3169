package dev.ratelimit.backtest.log;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A request as an access log tells it.
 *
 * @param number the number of its line, from 1
 * @param time when it came, or ended: as the server logs it
 * @param address the address of the peer
 * @param user the name of the authenticated user
 * @param method the method
 * @param path the path, still encoded
 * @param query what stands behind the question mark
 * @param status the status that was answered
 * @param headers the headers that the log tells, by their names in lower case
 */
public record LogLine(long number, Instant time, String address, Optional<String> user, String method, String path,
		Optional<String> query, int status, Map<String, String> headers) {
}
