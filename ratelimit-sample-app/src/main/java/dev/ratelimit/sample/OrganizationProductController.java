package dev.ratelimit.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Products that belong to an organization; each organization has its own limits.
 */
@RestController
@RequestMapping("/v1/organizations/{orgId}/product/{id}")
class OrganizationProductController {

	@GetMapping
	OrganizationProduct get(@PathVariable String orgId, @PathVariable String id) {
		return new OrganizationProduct(orgId, id);
	}

	/** Stores nothing, because the sample shows the limits only. */
	@PutMapping
	OrganizationProduct put(@PathVariable String orgId, @PathVariable String id) {
		return new OrganizationProduct(orgId, id);
	}

	record OrganizationProduct(String organization, String id) {
	}

}
