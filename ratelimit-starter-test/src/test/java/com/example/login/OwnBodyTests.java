package com.example.login;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejected;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

/**
 * The matchers recognize a refusal whose rule has a status and a body of its own, by its
 * header.
 */
@SpringBootTest(properties = { "ratelimit.rules.login.refusal.status=503", "ratelimit.rules.login.refusal.body=Busy" })
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class OwnBodyTests {

	@Autowired
	private MockMvc mvc;

	@Test
	void aRefusalWithAnotherStatusAndBodyIsRejected() throws Exception {
		for (int i = 0; i < 5; i++) {
			this.mvc.perform(post("/login")).andExpect(allowed());
		}
		this.mvc.perform(post("/login")).andExpect(rejected());
	}

}
