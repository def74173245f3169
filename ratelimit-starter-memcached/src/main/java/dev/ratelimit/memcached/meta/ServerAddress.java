package dev.ratelimit.memcached.meta;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a server.
 *
 * @param host its name, or its address without brackets
 * @param port its port
 */
public record ServerAddress(String host, int port) {

	/** Memcached's own port. */
	public static final int DEFAULT_PORT = 11211;

	private static final Pattern TEXT = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^\\s:\\[\\]]+))(?::(\\d{1,5}))?");

	private static final int MAX_PORT = 65535;

	/**
	 * Read an address.
	 * @param text {@code host}, {@code host:port} or {@code [IPv6]:port}
	 * @return the address; empty if the text has another form
	 */
	public static Optional<ServerAddress> of(String text) {
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches()) {
			return Optional.empty();
		}
		String host = (matcher.group(1) != null) ? matcher.group(1) : matcher.group(2);
		int port = (matcher.group(3) != null) ? Integer.parseInt(matcher.group(3)) : DEFAULT_PORT;
		return (port >= 1 && port <= MAX_PORT) ? Optional.of(new ServerAddress(host, port)) : Optional.empty();
	}

	@Override
	public String toString() {
		return (this.host.contains(":") ? "[" + this.host + "]" : this.host) + ":" + this.port;
	}

}
