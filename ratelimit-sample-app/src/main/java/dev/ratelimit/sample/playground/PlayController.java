package dev.ratelimit.sample.playground;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The endpoints that the playground's requests reach when their rule admits them.
 */
@RestController
class PlayController {

	@GetMapping("/play/{kind}/{algorithm}")
	Played play(@PathVariable String kind, @PathVariable String algorithm) {
		return new Played(kind, algorithm);
	}

	record Played(String kind, String algorithm) {
	}

}
