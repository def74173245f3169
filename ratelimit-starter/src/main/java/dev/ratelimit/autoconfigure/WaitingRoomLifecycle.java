package dev.ratelimit.autoconfigure;

import dev.ratelimit.web.servlet.WaitingRoom;

import org.springframework.context.SmartLifecycle;

/**
 * Sends requests away that wait for their turns when the application stops, before the
 * server begins to wait for those that it has.
 */
final class WaitingRoomLifecycle implements SmartLifecycle {

	/** Above that of every web server's graceful shutdown. */
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final WaitingRoom waitingRoom;

	WaitingRoomLifecycle(WaitingRoom waitingRoom) {
		this.waitingRoom = waitingRoom;
	}

	@Override
	public void start() {
		this.waitingRoom.open();
	}

	@Override
	public void stop() {
		this.waitingRoom.evacuate();
	}

	@Override
	public boolean isRunning() {
		return this.waitingRoom.isOpen();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
