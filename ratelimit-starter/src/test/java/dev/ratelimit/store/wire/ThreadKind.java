package dev.ratelimit.store.wire;

import java.util.concurrent.ThreadFactory;

/** The kinds of threads that requests arrive on. */
enum ThreadKind implements ThreadFactory {

	PLATFORM {

		@Override
		public Thread newThread(Runnable task) {
			return new Thread(task);
		}

	},

	/** Looks like a virtual thread to the starter, also on a JDK that has none. */
	VIRTUAL {

		@Override
		public Thread newThread(Runnable task) {
			return new Thread(new ThreadGroup("VirtualThreads"), task);
		}

	}

}
