package com.example.apikeys;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.transaction.annotation.Transactional;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class ApiKeysTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private JdbcClient jdbc;

	private ResultActions quote(String key) throws Exception {
		return this.mvc.perform(get("/api/quotes").header("X-Api-Key", key));
	}

	@Test
	void eachKeyHasTheLimitOfItsPlan() throws Exception {
		for (int i = 0; i < 3; i++) {
			quote("key-of-alice").andExpect(allowed());
		}
		quote("key-of-alice").andExpect(rejectedBy("api"));
		for (int i = 0; i < 100; i++) {
			quote("key-of-acme").andExpect(allowed());
		}
		quote("key-of-acme").andExpect(rejectedBy("api"));
	}

	@Test
	@Transactional
	void anotherPlanHoldsFromTheNextRequestOn() throws Exception {
		for (int i = 0; i < 3; i++) {
			quote("key-of-alice").andExpect(allowed());
		}
		this.jdbc.sql("update api_key set plan = 'paid' where id = 'key-of-alice'").update();
		quote("key-of-alice").andExpect(allowed());
	}

	@Test
	void aMissingOrUnknownKeyIsRefused() throws Exception {
		this.mvc.perform(get("/api/quotes")).andExpect(status().isForbidden());
		quote("made-up").andExpect(status().isForbidden());
	}

}
