package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A command of a batch, and the requests that own its calls, in the same order. Tested by
 * {@code SharingTests}.
 */
record BatchedCommand(Command command, List<WaitingRequest> requests) {

	/**
	 * Combine the calls of requests into commands, where possible.
	 * @param requests the requests
	 * @param keysApart whether one command must not name several keys
	 * @return the commands; the calls that share one are in the order of the requests
	 */
	static List<BatchedCommand> of(List<WaitingRequest> requests, boolean keysApart) {
		List<BatchedCommand> commands = new ArrayList<>(1);
		for (int i = 0; i < requests.size(); i++) {
			WaitingRequest pending = requests.get(i);
			List<NodeCall> calls = pending.calls().calls();
			for (int j = 0; j < calls.size(); j++) {
				commandFor(calls.get(j), keysApart, commands, requests.size() - i).requests.add(pending);
			}
		}
		return commands;
	}

	private static BatchedCommand commandFor(NodeCall call, boolean keysApart, List<BatchedCommand> commands,
			int requestsLeft) {
		for (int i = 0; i < commands.size(); i++) {
			if (commands.get(i).command.add(call, keysApart)) {
				return commands.get(i);
			}
		}
		BatchedCommand command = new BatchedCommand(call.command(requestsLeft), new ArrayList<>(requestsLeft));
		commands.add(command);
		return command;
	}

}
