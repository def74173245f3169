package dev.ratelimit;

import dev.ratelimit.fixture.PublicApiContract;

class PublicApiTests extends PublicApiContract {

	PublicApiTests() {
		super(RateLimiter.class, "dev.ratelimit", "dev.ratelimit.rule", "dev.ratelimit.spi");
	}

}
