package dev.ratelimit.sample.playground;

import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refill;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The Redis keys of one player under one of the playground's rules. The player is
 * identified by the hash that {@code /actuator/ratelimits/{rule}} shows.
 */
@RestController
@ConditionalOnEmbeddedRedis
class KeyController {

	private static final String HASH = "h[A-Za-z0-9_-]{22}";

	private final ActiveRules rules;

	private final StoredKeys keys;

	private final String prefix;

	KeyController(ActiveRules rules, StoredKeys keys,
			@Value("${ratelimit.key-prefix:rl:${spring.application.name}}") String prefix) {
		this.rules = rules;
		this.keys = keys;
		this.prefix = prefix;
	}

	@GetMapping("/playground/key")
	StoredKey key(@RequestParam String rule, @RequestParam String client) {
		if (!client.matches(HASH)) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
		}
		RLConfig played = played(rule);
		Algorithm algorithm = played.counting().algorithm();
		char version = (algorithm == Algorithm.SLIDING_WINDOW_LOG) ? '1' : '2';
		return this.keys.read("%s:{%s:%s}:%c%c".formatted(this.prefix, rule, client,
				(played.counting().refill() == Refill.INTERVAL) ? 'i' : algorithm.letter(), version));
	}

	private RLConfig played(String id) {
		return this.rules.get()
			.ruleSet()
			.rules()
			.stream()
			.filter((rule) -> TrafficController.isPlayed(id) && rule.id().equals(id))
			.findFirst()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
	}

}
