package dev.ratelimit.web.servlet;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Decides which requests pages of other origins may send, and which responses they may
 * read.
 */
public interface PageAccess {

	/**
	 * Whether the application lets a page send this request.
	 * @param request the request
	 * @return whether it is no CORS request, or one that is allowed
	 */
	boolean allows(HttpServletRequest request);

	/**
	 * Set the headers that a page needs to read the response to a CORS request.
	 * @param request the request
	 * @param response the response
	 * @return whether the response is still to be written
	 * @throws IOException if it cannot be written
	 */
	boolean letsRead(HttpServletRequest request, HttpServletResponse response) throws IOException;

}
