package dev.ratelimit.queue;

import dev.ratelimit.fixture.PublicApiContract;

class PublicApiTests extends PublicApiContract {

	PublicApiTests() {
		super(Enqueue.class, "dev.ratelimit.queue");
	}

}
