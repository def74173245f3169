package dev.ratelimit.store.redis.resp;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.wire.Command;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.NodeCall;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * One call of a script on one key, or on several of one slot. A reply is a {@code Long}
 * or a list of them. The call is sent again with the text of the script where Redis does
 * not know it, and to another node where Redis redirects it.
 */
public final class ScriptCall extends NodeCall {

	/** What Redis' protocol adds to one part, at most. */
	private static final int BYTES_AROUND = 16;

	private final Script script;

	private final List<byte[]> keys;

	private final List<byte[]> arguments;

	private final List<byte[]> limit;

	private final int weight;

	private boolean withText;

	private boolean asking;

	public ScriptCall(Script script, byte[] key, List<byte[]> arguments, Afterwards afterwards) {
		this(script, List.of(key), arguments, afterwards);
	}

	/**
	 * Create a call on several keys.
	 * @param script a script that does not decide many keys itself
	 * @param keys the keys, all in one slot of a Cluster
	 * @param arguments the arguments of the script
	 * @param afterwards is notified how the call ended, if no request waits any more
	 */
	public ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments, Afterwards afterwards) {
		this(script, keys, arguments, List.of(), 1, afterwards);
	}

	/**
	 * Create a call on a limit.
	 * @param script the script
	 * @param keys the keys
	 * @param arguments the arguments of this call alone
	 * @param limit the arguments of the limit, which follow those: the same object with
	 * every call on that limit
	 * @param weight as how many usual calls it counts in a batch
	 * @param afterwards is notified how the call ended, if no request waits any more
	 */
	public ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments, List<byte[]> limit, int weight,
			Afterwards afterwards) {
		super(afterwards);
		this.script = script;
		this.keys = keys;
		this.arguments = arguments;
		this.limit = limit;
		this.weight = weight;
	}

	public Script script() {
		return this.script;
	}

	@Override
	public byte[] key() {
		return this.keys.get(0);
	}

	public List<byte[]> keys() {
		return this.keys;
	}

	/** The arguments of this call alone. */
	public List<byte[]> arguments() {
		return this.arguments;
	}

	/** The arguments of the limit. */
	public List<byte[]> limit() {
		return this.limit;
	}

	/**
	 * The list that Redis replied.
	 * @return the list; empty if the call failed, or if Redis replied something else
	 */
	public Optional<List<?>> list() {
		return (outcome() instanceof Replied replied && replied.reply() instanceof List<?> list) ? Optional.of(list)
				: Optional.empty();
	}

	@Override
	protected int bytes() {
		return bytes(this.keys) + bytes(this.arguments) + bytes(this.limit)
				+ (this.withText ? this.script.text().length : 0);
	}

	private static int bytes(List<byte[]> parts) {
		int bytes = 0;
		for (int i = 0; i < parts.size(); i++) {
			bytes += parts.get(i).length + BYTES_AROUND;
		}
		return bytes;
	}

	@Override
	public int weight() {
		return this.weight;
	}

	/** Whether the text of the script has to be sent. */
	boolean withText() {
		return this.withText;
	}

	/** Send the text of the script with the call. */
	void sendText() {
		this.withText = true;
	}

	/**
	 * Whether {@code ASKING} must precede the call, because its slot is being migrated to
	 * the node.
	 */
	boolean asking() {
		return this.asking;
	}

	@Override
	protected Command command(int expected) {
		return new ScriptCommand(this, expected);
	}

	@Override
	protected @Nullable String retry(ErrorReply error, String from) {
		if (error.cause() instanceof JedisNoScriptException && !this.withText) {
			sendText();
			return from;
		}
		if (error.cause() instanceof JedisRedirectionException redirection) {
			redirect(redirection instanceof JedisAskDataException);
			return address(redirection.getTargetNode(), from);
		}
		// The one address of a standalone Redis is that of a cluster node, or of a proxy.
		return (error.keysApart() && !error.mayHaveRun()) ? from : null;
	}

	/** The other node is expected to know the script. */
	void redirect(boolean asking) {
		this.asking = asking;
		this.withText = false;
	}

	private static String address(HostAndPort target, String from) {
		String host = SlotTable.hostOr(target.getHost(), HostAndPort.from(from).getHost());
		return new HostAndPort(host, target.getPort()).toString();
	}

}
