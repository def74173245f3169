package dev.ratelimit.store.wire;

import java.util.List;

/**
 * What is sent to a node as one, and has one reply. It carries one call, or several that
 * the node runs in their order. A store extends it by its bytes and replies.
 */
public interface Command {

	/**
	 * Add a call, if one command can carry it together with the others.
	 * @param call the call
	 * @param keysApart whether one command must not name several keys
	 * @return whether it was added
	 */
	boolean add(NodeCall call, boolean keysApart);

	/**
	 * The calls it carries.
	 * @return the calls, in the order in which the node runs them
	 */
	List<? extends NodeCall> calls();

	/**
	 * Whether the next reply is that to something sent in front of the command, such as a
	 * change of mode. It is then taken as read.
	 * @return whether to skip it
	 */
	boolean skipReply();

	/**
	 * Split a reply into the replies to the single calls.
	 * @param reply the reply, or the {@link ErrorReply} that the whole command ended with
	 * @return the replies, in the order of the calls; an error of one call affects only
	 * that call
	 */
	List<Object> repliesFrom(Object reply);

}
