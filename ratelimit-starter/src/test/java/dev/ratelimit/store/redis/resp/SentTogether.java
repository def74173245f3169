package dev.ratelimit.store.redis.resp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.redis.StoreCalls;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that are sent as commands by hand.
 */
final class SentTogether {

	private static final JedisClientConfig CONFIG = DefaultJedisClientConfig.builder().build();

	private SentTogether() {
	}

	static List<ScriptCall> calls(StoreCalls calls, List<AcquireRequest> requests) {
		return requests.stream().map((request) -> calls.of(request)).toList();
	}

	/** The only command that the calls form. */
	static ScriptCommand command(RedisServer server, List<ScriptCall> calls) {
		return only(commands(node(server), calls));
	}

	private static <T> T only(List<T> all) {
		assertThat(all).hasSize(1);
		return all.get(0);
	}

	static List<ScriptCommand> commands(Node node, List<ScriptCall> calls) {
		return ScriptCommand.of(calls.stream().map((call) -> {
			NodeCalls ofNode = new NodeCalls(node, (where, failure, cause) -> {
			});
			call.sendAgain(true);
			ofNode.add(call);
			PendingRequest pending = new PendingRequest(ofNode, new CallTime(Patience.LONG));
			pending.lead();
			return pending;
		}).toList(), node);
	}

	static Node node(RedisServer server) {
		return new Nodes(CONFIG, 1, 1).at(new HostAndPort(server.host(), server.port()));
	}

	static Object send(RedisServer server, ScriptCommand command) {
		try (RedisConnection connection = RedisConnection.open(new HostAndPort(server.host(), server.port()), CONFIG)) {
			connection.write(command);
			connection.flush();
			return connection.read(Deadline.in(Patience.LONG));
		}
	}

	/** Returns the calls that ended with an error. */
	static Map<ScriptCall, JedisDataException> deliver(ScriptCommand command, Object reply) {
		Map<ScriptCall, JedisDataException> errors = new LinkedHashMap<>();
		List<Object> replies = command.repliesFrom(reply);
		for (int i = 0; i < replies.size(); i++) {
			ScriptCall call = command.calls().get(i);
			if (replies.get(i) instanceof JedisDataException error) {
				errors.put(call, error);
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
