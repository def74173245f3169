package dev.ratelimit.sample;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Offers. Reading them is limited by the customer's plan. Redeeming one is limited over
 * all customers together, which bounds what a mistake elsewhere can give away.
 */
@RestController
class OfferController {

	@GetMapping("/offers")
	List<Offer> list() {
		return List.of(new Offer("ten-percent"), new Offer("free-shipping"));
	}

	@PostMapping("/offers/{offer}/redeem")
	Offer redeem(@PathVariable String offer) {
		return new Offer(offer);
	}

	record Offer(String id) {
	}

}
