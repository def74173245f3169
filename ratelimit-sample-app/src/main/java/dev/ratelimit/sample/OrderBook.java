package dev.ratelimit.sample;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.springframework.stereotype.Service;

/**
 * The newest orders, in the memory of this instance.
 */
@Service
class OrderBook {

	private static final int MOST = 1000;

	private final Deque<Order> orders = new ArrayDeque<>();

	/**
	 * The ids of the enqueued orders that were placed. An order may be delivered again,
	 * but is placed once.
	 */
	private final Set<String> placed = new HashSet<>();

	synchronized Order place(Order order) {
		this.orders.addLast(order);
		if (this.orders.size() > MOST) {
			this.orders.removeFirst();
		}
		return order;
	}

	/**
	 * Place an order that may have been placed already.
	 * @param id the unique id of the order
	 * @param order the order
	 */
	synchronized void placeOnce(String id, Order order) {
		if (this.placed.add(id)) {
			place(order);
		}
	}

	synchronized List<Order> of(String customer) {
		return this.orders.stream().filter((order) -> order.customer().equals(customer)).toList();
	}

	record Order(String customer, String item) {

		Order {
			Objects.requireNonNull(customer);
			Objects.requireNonNull(item);
		}

	}

}
