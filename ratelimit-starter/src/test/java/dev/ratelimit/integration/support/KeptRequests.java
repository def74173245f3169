package dev.ratelimit.integration.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedRequestHandler;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A user's application that handles orders: those that its rule has room for at once, the
 * others later, when the test lets them pass.
 */
public final class KeptRequests {

	private KeptRequests() {
	}

	@RestController
	public static class Orders {

		public final List<String> handled = new CopyOnWriteArrayList<>();

		@PostMapping("/orders")
		String order(@RequestBody(required = false) String order) {
			this.handled.add(order);
			return "ordered";
		}

		@RequestMapping("/orders/read")
		String read() {
			return "read";
		}

	}

	/** Handles enqueued requests, and records them. */
	public static class Later implements QueuedRequestHandler {

		public final List<QueuedRequest> tried = new CopyOnWriteArrayList<>();

		public final List<String> done = new CopyOnWriteArrayList<>();

		public final Semaphore gate = new Semaphore(0);

		public volatile Predicate<QueuedRequest> fails = (request) -> false;

		@Override
		public void handle(QueuedRequest request) throws InterruptedException {
			this.tried.add(request);
			this.gate.acquire();
			if (this.fails.test(request)) {
				throw new IllegalStateException("not now");
			}
			this.done.add(request.text());
		}

	}

}
