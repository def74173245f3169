package com.example.login;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejected;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

/**
 * The matchers recognize a refusal whose rule has another status than 429, by its problem
 * details.
 */
@SpringBootTest(properties = { "ratelimit.rules.login.refusal.status=503", "ratelimit.headers.legacy=false" })
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class OwnRefusalTests {

	@Autowired
	private MockMvc mvc;

	@Test
	void aRefusalWithAnotherStatusIsRejected() throws Exception {
		for (int i = 0; i < 5; i++) {
			this.mvc.perform(post("/login")).andExpect(allowed());
		}
		this.mvc.perform(post("/login")).andExpect(rejected()).andExpect(rejectedBy("login"));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.mvc.perform(post("/login")).andExpect(allowed()))
			.withMessageContaining("it was rejected by login: status 503");
	}

}
