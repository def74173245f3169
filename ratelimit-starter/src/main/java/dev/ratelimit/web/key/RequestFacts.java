package dev.ratelimit.web.key;

import java.util.Optional;

/**
 * The facts of a request that a key may be made from, without its body and without a way
 * to change it. All data from the client is untrusted: it may be missing, hostile or
 * huge.
 */
public interface RequestFacts {

	/**
	 * The method of the request.
	 * @return for example {@code GET}
	 */
	String method();

	/**
	 * The path within the application, still encoded.
	 * @return for example {@code /v1/product}
	 */
	String path();

	/**
	 * The address of the client: that of the peer, or the one that trusted proxies
	 * report.
	 * @return an address literal
	 */
	String address();

	/**
	 * The first header of a name.
	 * @param name the name, in any case
	 * @return its value; empty if it is absent or blank
	 */
	Optional<String> header(String name);

	/**
	 * The first cookie of a name.
	 * @param name the name
	 * @return its value; empty if it is absent or blank
	 */
	Optional<String> cookie(String name);

	/**
	 * The first parameter of a name in the query; never one from the body.
	 * @param name the name
	 * @return its decoded value; empty if it is absent or blank
	 */
	Optional<String> query(String name);

	/**
	 * The name of the authenticated user, known only behind Spring Security.
	 * @return the name; empty for an anonymous request, and for a user without a name
	 */
	Optional<String> principal();

	/**
	 * A claim of the token that the user authenticated with: a JWT, an introspected token
	 * or an OpenID Connect login. Known only behind Spring Security.
	 * @param name the name of the claim
	 * @return its text; a whole number is {@code number:42}, a boolean is
	 * {@code boolean:true}, and a text that begins like these gets the prefix
	 * {@code text:}. Empty if there is no such claim, or if it is blank or of any other
	 * type
	 */
	Optional<String> claim(String name);

	/**
	 * The id of the HTTP session, if there is one already.
	 * @return the id; empty if there is no session, whatever id the client sent
	 */
	Optional<String> session();

}
