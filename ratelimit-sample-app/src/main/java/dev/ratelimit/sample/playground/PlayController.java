package dev.ratelimit.sample.playground;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * What the playground's requests reach, if their rule lets them.
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
