package dev.ratelimit.web.key;

import java.util.List;
import java.util.Optional;

/**
 * What a server knows of where a request came from, before any filter changed it.
 */
public interface Peer {

	/**
	 * The other end of the connection, or what the server has made of it.
	 * @return an address literal or another text; nothing where the server knows none
	 */
	Optional<String> remote();

	/**
	 * The other end of the socket, where the server has kept it beside {@link #remote()}.
	 * @return an address literal, or an empty text
	 */
	String socket();

	/**
	 * Whether the request has a header now.
	 * @param name the name of the header
	 * @return whether it has
	 */
	boolean has(String name);

	/**
	 * The lines of a header as they arrived.
	 * @param name the name of the header
	 * @return its values in their order, none where it is missing
	 */
	List<String> lines(String name);

}
