package dev.ratelimit.web.key;

import java.util.List;
import java.util.Optional;

/**
 * The origin of a request as the server knows it, before any filter changed it.
 */
public interface Peer {

	/**
	 * The other end of the connection, or the text the server has replaced it with.
	 * @return an address literal or another text; empty if the server knows none
	 */
	Optional<String> remote();

	/**
	 * The other end of the socket, if the server has stored it besides {@link #remote()}.
	 * @return an address literal, or an empty text
	 */
	String socket();

	/**
	 * Whether the request has a header now.
	 * @param name the name of the header
	 * @return whether it has one
	 */
	boolean has(String name);

	/**
	 * The lines of a header as they arrived.
	 * @param name the name of the header
	 * @return its values in their order, empty if it is missing
	 */
	List<String> lines(String name);

}
