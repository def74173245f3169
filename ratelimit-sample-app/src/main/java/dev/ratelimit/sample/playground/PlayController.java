package dev.ratelimit.sample.playground;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The endpoints that the playground's requests reach when their rule admits them.
 */
@RestController
class PlayController {

	@GetMapping({ "/play/{rule}", "/modes/{rule}" })
	Played play(@PathVariable String rule) {
		return new Played(rule);
	}

	record Played(String rule) {
	}

}
