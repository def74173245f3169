package dev.ratelimit.integration.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Sends many requests at once over one connection and reads the replies in their order.
 * Where the server closes the connection it replies to no further request, so the rest is
 * sent again over a new one.
 */
public final class Pipeline {

	private final int port;

	public Pipeline(int port) {
		this.port = port;
	}

	/** One reply per request, in their order; empty where the server sent none. */
	public List<Optional<Reply>> send(List<RequestTargets.Request> requests) throws IOException {
		List<Optional<Reply>> replies = new ArrayList<>(requests.size());
		while (replies.size() < requests.size()) {
			int before = replies.size();
			sendRest(requests, replies);
			if (replies.size() == before) {
				replies.add(Optional.empty());
			}
		}
		return replies;
	}

	private void sendRest(List<RequestTargets.Request> requests, List<Optional<Reply>> replies) throws IOException {
		try (Socket socket = RawHttp.connect(this.port)) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			for (RequestTargets.Request request : requests.subList(replies.size(), requests.size())) {
				bytes.writeBytes(request.text().getBytes(StandardCharsets.UTF_8));
			}
			socket.getOutputStream().write(bytes.toByteArray());
			InputStream in = new BufferedInputStream(socket.getInputStream());
			while (replies.size() < requests.size()) {
				Reply reply = read(in, requests.get(replies.size()).isHead());
				replies.add(Optional.of(reply));
				if (reply.values("connection").contains("close")) {
					return;
				}
			}
		}
		catch (EOFException | SocketException ex) {
			// Closed: only the requests whose replies were read have one.
		}
	}

	private static Reply read(InputStream in, boolean head) throws IOException {
		int status = Integer.parseInt(line(in).split(" ", 3)[1]);
		List<String> headers = new ArrayList<>();
		for (String line = line(in); !line.isEmpty(); line = line(in)) {
			headers.add(line);
		}
		Reply reply = new Reply(status, headers, "");
		if (!head && reply.values("transfer-encoding").contains("chunked")) {
			return new Reply(status, headers, chunks(in));
		}
		if (!head && !reply.values("content-length").isEmpty()) {
			return new Reply(status, headers, text(in, Integer.parseInt(reply.values("content-length").get(0))));
		}
		return reply;
	}

	private static String chunks(InputStream in) throws IOException {
		StringBuilder body = new StringBuilder();
		int size;
		do {
			size = Integer.parseInt(line(in), 16);
			body.append(text(in, size));
			in.skipNBytes(2);
		}
		while (size > 0);
		return body.toString();
	}

	private static String text(InputStream in, int size) throws IOException {
		byte[] bytes = in.readNBytes(size);
		if (bytes.length < size) {
			throw new EOFException();
		}
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private static String line(InputStream in) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int c = in.read(); c != '\n'; c = in.read()) {
			if (c < 0) {
				throw new EOFException();
			}
			line.write(c);
		}
		return line.toString(StandardCharsets.UTF_8).strip();
	}

	/**
	 * A reply.
	 *
	 * @param status its status
	 * @param headers its header lines
	 * @param body its body
	 */
	public record Reply(int status, List<String> headers, String body) {

		public List<String> values(String name) {
			return this.headers.stream()
				.filter((line) -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
				.map((line) -> line.substring(name.length() + 1).strip())
				.toList();
		}

	}

}
