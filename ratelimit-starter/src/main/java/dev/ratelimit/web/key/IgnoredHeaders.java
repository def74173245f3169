package dev.ratelimit.web.key;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Detects forwarding headers that arrive although no proxy is trusted: behind a proxy,
 * all clients would be counted as one. Warns once; from then on it costs the read of a
 * flag. Tested by {@code WarningsTests}.
 */
final class IgnoredHeaders {

	private static final Log logger = LogFactory.getLog(ClientAddresses.class);

	private static final List<String> NAMES = List.of("X-Forwarded-For", "Forwarded");

	private final AtomicBoolean reported = new AtomicBoolean();

	void warnIfPresent(Peer peer) {
		if (this.reported.get()) {
			return;
		}
		for (String name : NAMES) {
			if (peer.has(name) && this.reported.compareAndSet(false, true)) {
				logger.warn("A request came with the header " + name + ", which is ignored because "
						+ "ratelimit.trusted-proxies names no proxy: rules that count by ip count the address of the "
						+ "peer, and ratelimit.exempt.addresses are compared with it. Behind a proxy that makes one "
						+ "client of all: name the proxy's addresses in "
						+ "ratelimit.trusted-proxies. Without one all is well: a client made the header up. This is "
						+ "logged once.");
			}
		}
	}

}
