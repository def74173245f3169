package dev.ratelimit.sample;

import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedRequestHandler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * Places enqueued orders as soon as their rule has room for them.
 */
@Component
class QueuedOrders implements QueuedRequestHandler {

	private final OrderBook orders;

	private final JsonMapper json;

	QueuedOrders(OrderBook orders, JsonMapper json) {
		this.orders = orders;
		this.json = json;
	}

	@Override
	public void handle(QueuedRequest request) {
		this.orders.placeOnce(request.id(), this.json.readValue(request.body(), OrderBook.Order.class));
	}

}
