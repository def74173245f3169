package com.example.tenants;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.jwt;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class TenantsTests {

	@Autowired
	private MockMvc mvc;

	private ResultActions orders(String user, String tenant) throws Exception {
		return this.mvc.perform(get("/orders").with(jwt().jwt((token) -> token.subject(user).claim("tenant", tenant))));
	}

	@Test
	void theUsersOfATenantShareItsLimit() throws Exception {
		orders("alice", "acme").andExpect(allowed());
		orders("bob", "acme").andExpect(allowed());
		orders("carol", "acme").andExpect(allowed());
		orders("alice", "acme").andExpect(rejectedBy("orders"));
		orders("dave", "umbrella").andExpect(allowed());
	}

	@Test
	void aTokenWithoutATenantIsRefused() throws Exception {
		this.mvc.perform(get("/orders").with(jwt())).andExpect(status().isForbidden());
	}

	@Test
	void requestsWithoutATokenAreCountedByAddress() throws Exception {
		for (int i = 0; i < 100; i++) {
			this.mvc.perform(get("/orders")).andExpect(status().isUnauthorized());
		}
		this.mvc.perform(get("/orders")).andExpect(rejectedBy("addresses"));
	}

}
