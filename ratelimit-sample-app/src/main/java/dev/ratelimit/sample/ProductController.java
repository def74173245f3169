package dev.ratelimit.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * One product in two versions of the API, each with its own limits.
 */
@RestController
class ProductController {

	@GetMapping("/v1/product")
	Product v1() {
		return new Product("v1");
	}

	@GetMapping("/v2/product")
	Product v2() {
		return new Product("v2");
	}

	record Product(String version) {
	}

}
