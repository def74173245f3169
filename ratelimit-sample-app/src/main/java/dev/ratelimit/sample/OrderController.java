package dev.ratelimit.sample;

import java.util.List;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Five orders in ten seconds per customer. Orders over the limit are not lost: they are
 * enqueued, and {@link QueuedOrders} places them when the limit has room.
 */
@RestController
class OrderController {

	private final OrderBook orders;

	OrderController(OrderBook orders) {
		this.orders = orders;
	}

	@PostMapping("/orders")
	@ResponseStatus(HttpStatus.CREATED)
	OrderBook.Order order(@RequestBody OrderBook.Order order) {
		return this.orders.place(order);
	}

	@GetMapping("/orders")
	List<OrderBook.Order> orders(@RequestHeader("X-Customer") String customer) {
		return this.orders.of(customer);
	}

}
