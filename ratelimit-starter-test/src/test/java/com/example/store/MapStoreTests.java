package com.example.store;

import java.time.InstantSource;

import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.test.RateLimitStoreContract;

class MapStoreTests extends RateLimitStoreContract {

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return new MapStore(clock);
	}

}
