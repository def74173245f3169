package dev.ratelimit.integration.openapi;

import dev.ratelimit.RateLimited;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.extensions.Extension;
import io.swagger.v3.oas.annotations.extensions.ExtensionProperty;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Operations that rules cover in each way, or not at all.
 */
@Configuration(proxyBeanMethods = false)
class Shop {

	@RestController
	@RequestMapping(path = "/shop", produces = "application/json")
	static class Api {

		@GetMapping("/offers/{offer}")
		String offer(@PathVariable String offer) {
			return offer;
		}

		@PostMapping("/offers/{offer}")
		String redeem(@PathVariable String offer) {
			return offer;
		}

		@GetMapping("/annotated")
		@RateLimited("named")
		String annotated() {
			return "annotated";
		}

		@GetMapping("/exempt")
		@RateLimited("named")
		String exempt() {
			return "exempt";
		}

		@GetMapping("/watched")
		String watched() {
			return "watched";
		}

		@GetMapping("/authored")
		@Operation(extensions = @Extension(name = "x-ratelimit",
				properties = @ExtensionProperty(name = "see", value = "our pages")))
		@ApiResponse(responseCode = "200", description = "What there is")
		@ApiResponse(responseCode = "429", description = "Slow down",
				headers = @Header(name = "retry-after", description = "Our words"),
				content = @Content(mediaType = "text/plain", schema = @Schema(implementation = String.class)))
		String authored() {
			return "authored";
		}

	}

}
