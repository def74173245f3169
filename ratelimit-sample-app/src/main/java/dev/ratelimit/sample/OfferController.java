package dev.ratelimit.sample;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Offers: reading them is limited by the customer's plan, redeeming one over all
 * customers together, so that a mistake elsewhere cannot give away more.
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
