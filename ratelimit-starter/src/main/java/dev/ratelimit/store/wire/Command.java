package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * What is sent to a node as one, and has one reply. It carries one call, or several that
 * the node runs in their order. A store extends it by its bytes and replies.
 */
public abstract class Command {

	/** The requests that own the calls, in the same order; none if no request waits. */
	private final List<PendingRequest> requests;

	/**
	 * Create a command.
	 * @param room how many calls it will have
	 */
	protected Command(int room) {
		this.requests = new ArrayList<>(room);
	}

	/**
	 * Combine the calls of requests into commands, where possible.
	 * @param requests the requests
	 * @param node the node that they are sent to
	 * @return the commands; the calls that share one are in the order of the requests
	 */
	static List<Command> of(List<PendingRequest> requests, Node node) {
		List<Command> commands = new ArrayList<>(1);
		for (int i = 0; i < requests.size(); i++) {
			PendingRequest pending = requests.get(i);
			List<Call> calls = pending.calls().calls();
			for (int j = 0; j < calls.size(); j++) {
				commandFor(calls.get(j), node, commands, requests.size() - i).requests.add(pending);
			}
		}
		return commands;
	}

	private static Command commandFor(Call call, Node node, List<Command> commands, int requestsLeft) {
		for (int i = 0; i < commands.size(); i++) {
			if (commands.get(i).add(call, node)) {
				return commands.get(i);
			}
		}
		Command command = call.command(requestsLeft);
		commands.add(command);
		return command;
	}

	/**
	 * Add a call, if one command can carry it together with the others.
	 * @param call the call
	 * @param node the node that they are sent to
	 * @return whether it was added
	 */
	protected abstract boolean add(Call call, Node node);

	/**
	 * The calls it carries.
	 * @return the calls, in the order in which the node runs them
	 */
	protected abstract List<? extends Call> calls();

	/**
	 * Whether the next reply is that to something sent in front of the command, such as a
	 * change of mode. It is then taken as read.
	 * @return whether to skip it
	 */
	protected abstract boolean skipReply();

	/**
	 * Split a reply into the replies to the single calls.
	 * @param reply the reply, or the {@link ErrorReply} that the whole command ended with
	 * @return the replies, in the order of the calls; an error of one call affects only
	 * that call
	 */
	protected abstract List<Object> repliesFrom(Object reply);

	List<PendingRequest> requests() {
		return this.requests;
	}

	/** The outcome of its calls will never be known. */
	void lost() {
		calls().forEach((call) -> call.afterwards().lost());
	}

}
