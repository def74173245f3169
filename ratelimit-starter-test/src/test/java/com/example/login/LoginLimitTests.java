package com.example.login;

import java.time.Duration;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class LoginLimitTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private RateLimitClock clock;

	@Test
	void sixthLoginInAMinuteIsRejected() throws Exception {
		for (int i = 0; i < 5; i++) {
			this.mvc.perform(post("/login")).andExpect(allowed());
		}
		this.mvc.perform(post("/login")).andExpect(rejectedBy("login"));
		this.clock.advance(Duration.ofMinutes(1));
		this.mvc.perform(post("/login")).andExpect(allowed());
	}

}
