package dev.ratelimit.web.key;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.limiter.IpAddress;
import dev.ratelimit.limiter.IpRange;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Finds the client's address. This is the peer's address, unless the peer is a trusted
 * proxy: then it is the right-most hop of the one configured header that is not trusted.
 * A hop that is no address ends the walk at the last trusted one. Names are never looked
 * up.
 *
 * <p>
 * A container that reads forwarding headers itself may pass on any text as the address. A
 * text that is no address is not trusted. The request then counts by its socket's peer,
 * if the container has stored that in {@link #PEER_ATTRIBUTE}, and else as one without an
 * address. Tested by {@code ClientAddressesTests}.
 */
public final class ClientAddresses {

	/** The request attribute with the address of the socket's peer. */
	public static final String PEER_ATTRIBUTE = ClientAddresses.class.getName() + ".PEER";

	private static final Log logger = LogFactory.getLog(ClientAddresses.class);

	private static final List<String> FORWARDING = List.of("X-Forwarded-For", "Forwarded");

	private static final Pattern BRACKETED = Pattern.compile("\\[([^\\]]*)](?::[0-9]{1,5})?");

	private static final Pattern IPV4_PORT = Pattern.compile("([0-9.]+):[0-9]{1,5}");

	private final List<IpRange> trusted;

	private final boolean rfc7239;

	/** Whether forwarding headers that are ignored have still to be reported. */
	private final AtomicBoolean reports;

	/**
	 * Create a finder.
	 * @param trusted the proxies whose header is trusted; if empty, the peer's address is
	 * always used
	 * @param rfc7239 whether the header is {@code Forwarded} instead of
	 * {@code X-Forwarded-For}
	 */
	public ClientAddresses(List<IpRange> trusted, boolean rfc7239) {
		this(trusted, rfc7239, false);
	}

	private ClientAddresses(List<IpRange> trusted, boolean rfc7239, boolean reports) {
		this.trusted = List.copyOf(trusted);
		this.rfc7239 = rfc7239;
		this.reports = new AtomicBoolean(reports);
	}

	/**
	 * A finder that warns once if forwarding headers arrive although it trusts no proxy.
	 * @return the finder
	 */
	public ClientAddresses warning() {
		return new ClientAddresses(this.trusted, this.rfc7239, this.trusted.isEmpty());
	}

	/**
	 * Find the address of a request.
	 * @param peer the peer that sent the request
	 * @return an address literal; empty if the container knows none
	 */
	public String of(Peer peer) {
		return walk(peer).address();
	}

	/**
	 * Find the address of a request if it is certain that it is the client's.
	 * @param peer the peer that sent the request
	 * @return an address literal; empty if a hop could not be read, as the address may
	 * then be a proxy's
	 */
	public Optional<String> certain(Peer peer) {
		Walk walk = walk(peer);
		return walk.completed() ? Optional.of(walk.address()) : Optional.empty();
	}

	private Walk walk(Peer peer) {
		if (this.reports.get()) {
			reportIgnoredHeaders(peer);
		}
		Optional<String> remote = peer.remote();
		Optional<IpAddress> address = remote.flatMap(IpAddress::parse);
		if (remote.isEmpty() || address.isEmpty()) {
			return new Walk(peer.socket(), false);
		}
		return isTrusted(address.get()) ? walk(remote.get(), peer.lines(header())) : new Walk(remote.get(), true);
	}

	/**
	 * Behind a proxy that is not trusted, all clients are counted as one. Costs the read
	 * of a flag once it is reported.
	 */
	private void reportIgnoredHeaders(Peer peer) {
		for (String name : FORWARDING) {
			if (peer.has(name) && this.reports.compareAndSet(true, false)) {
				logger.warn("A request came with the header " + name + ", which is ignored because "
						+ "ratelimit.trusted-proxies names no proxy: rules that count by ip count the address of the "
						+ "peer, and ratelimit.exempt.addresses are compared with it. Behind a proxy that makes one "
						+ "client of all: name the proxy's addresses in "
						+ "ratelimit.trusted-proxies. Without one all is well: a client made the header up. This is "
						+ "logged once.");
			}
		}
	}

	private Walk walk(String peer, List<String> lines) {
		String client = peer;
		for (int i = lines.size() - 1; i >= 0; i--) {
			ForwardedLine line = new ForwardedLine(lines.get(i), this.rfc7239);
			do {
				String hop = literal(line.previous());
				Optional<IpAddress> address = IpAddress.parse(hop);
				if (address.isEmpty()) {
					return new Walk(client, false);
				}
				client = hop;
				if (!isTrusted(address.get())) {
					return new Walk(client, true);
				}
			}
			while (line.hasPrevious());
		}
		return new Walk(client, true);
	}

	private boolean isTrusted(IpAddress address) {
		for (IpRange range : this.trusted) {
			if (range.contains(address)) {
				return true;
			}
		}
		return false;
	}

	/** The header in which trusted proxies name the client. */
	private String header() {
		return this.rfc7239 ? "Forwarded" : "X-Forwarded-For";
	}

	private static String literal(String hop) {
		Matcher bracketed = BRACKETED.matcher(hop);
		if (bracketed.matches()) {
			return bracketed.group(1);
		}
		Matcher port = IPV4_PORT.matcher(hop);
		return port.matches() ? port.group(1) : hop;
	}

	/**
	 * The end of a walk over the hops.
	 *
	 * @param address the last address it reached
	 * @param completed whether every hop on its way could be read
	 */
	private record Walk(String address, boolean completed) {

	}

}
