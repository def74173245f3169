package dev.ratelimit.datacenters;

import dev.ratelimit.fixture.PublicApiContract;

class PublicApiTests extends PublicApiContract {

	PublicApiTests() {
		super(Everywhere.class, "dev.ratelimit.datacenters");
	}

}
