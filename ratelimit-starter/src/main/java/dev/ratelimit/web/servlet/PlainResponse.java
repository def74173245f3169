package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Writes a response that is a text. Tested by {@code ProblemRejectionHandlerTests}.
 */
public final class PlainResponse {

	private PlainResponse() {
	}

	/**
	 * Write a response, even if a filter in front of ours has already obtained the
	 * writer.
	 * @param response the response, not yet committed
	 * @param status its status
	 * @param type its content type
	 * @param text its body, which is sent in UTF-8; a writer that was obtained before
	 * sends it in its own encoding
	 * @throws IOException if it cannot be written
	 */
	public static void write(HttpServletResponse response, int status, String type, String text) throws IOException {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		response.setStatus(status);
		response.setContentType(type);
		ServletOutputStream out;
		try {
			out = response.getOutputStream();
		}
		catch (IllegalStateException ex) {
			// A response provides either its stream or its writer.
			response.getWriter().write(text);
			return;
		}
		response.setContentLength(bytes.length);
		out.write(bytes);
	}

}
