package dev.ratelimit.store.redis.resp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.redis.StoreCalls;
import dev.ratelimit.store.wire.ErrorReply;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that are sent as commands by hand.
 */
final class SentTogether {

	private SentTogether() {
	}

	static List<ScriptCall> calls(StoreCalls calls, List<AcquireRequest> requests) {
		return requests.stream().map((request) -> calls.of(request)).toList();
	}

	/** The only command that the calls form. */
	static ScriptCommand command(RedisServer server, List<ScriptCall> calls) {
		return only(commands(false, calls));
	}

	private static <T> T only(List<T> all) {
		assertThat(all).hasSize(1);
		return all.get(0);
	}

	static List<ScriptCommand> commands(boolean keysApart, List<ScriptCall> calls) {
		List<ScriptCommand> commands = new ArrayList<>();
		for (ScriptCall call : calls) {
			call.sendText();
			if (commands.stream().noneMatch((command) -> command.add(call, keysApart))) {
				commands.add(new ScriptCommand(call, calls.size()));
			}
		}
		return commands;
	}

	static Object send(RedisServer server, ScriptCommand command) {
		try (Socket socket = new Socket(server.host(), server.port())) {
			RespCodec codec = new RespCodec(socket.getOutputStream());
			codec.write(command);
			codec.flush();
			ByteBuffer received = ByteBuffer.allocate(64 * 1024).limit(0);
			Object reply = null;
			while (reply == null) {
				int end = received.limit();
				int count = socket.getInputStream().read(received.array(), end, received.capacity() - end);
				reply = codec.read(received.limit(end + count));
			}
			return reply;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What a client reads. */
	static Object read(String bytes) {
		try {
			return new RespCodec(OutputStream.nullOutputStream())
				.read(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the calls that ended with an error. */
	static Map<ScriptCall, RuntimeException> deliver(ScriptCommand command, Object reply) {
		Map<ScriptCall, RuntimeException> errors = new LinkedHashMap<>();
		List<Object> replies = command.repliesFrom(reply);
		for (int i = 0; i < replies.size(); i++) {
			ScriptCall call = command.calls().get(i);
			if (replies.get(i) instanceof ErrorReply error) {
				errors.put(call, error.cause());
			}
			else {
				call.replied(replies.get(i));
			}
		}
		return errors;
	}

	/** The arguments of a command, without their lengths. */
	static List<String> sent(ScriptCommand command) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (RedisOutputStream out = new RedisOutputStream(bytes)) {
			command.writeTo(out);
			out.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Object read = Protocol.read(new RedisInputStream(new ByteArrayInputStream(bytes.toByteArray())));
		return ((List<?>) read).stream().map((one) -> new String((byte[]) one, StandardCharsets.UTF_8)).toList();
	}

}
