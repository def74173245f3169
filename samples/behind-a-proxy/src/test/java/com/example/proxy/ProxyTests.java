package com.example.proxy;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class ProxyTests {

	private static final String PROXY = "10.0.0.7";

	private static final String STRANGER = "198.51.100.1";

	@Autowired
	private MockMvc mvc;

	private ResultActions search(String peer, String forwardedFor) throws Exception {
		return this.mvc.perform(get("/search").remoteAddress(peer).header("X-Forwarded-For", forwardedFor));
	}

	@Test
	void clientsBehindTheProxyAreCountedIndividually() throws Exception {
		for (int i = 0; i < 3; i++) {
			search(PROXY, "203.0.113.1").andExpect(allowed());
		}
		search(PROXY, "203.0.113.1").andExpect(rejectedBy("search"));
		search(PROXY, "203.0.113.2").andExpect(allowed());
	}

	@Test
	void anAddressThatTheClientAddsDoesNotHelp() throws Exception {
		for (int i = 0; i < 3; i++) {
			search(PROXY, "192.0.2." + i + ", 203.0.113.1").andExpect(allowed());
		}
		search(PROXY, "192.0.2.99, 203.0.113.1").andExpect(rejectedBy("search"));
	}

	@Test
	void theHeaderOfAClientThatIsNoProxyIsIgnored() throws Exception {
		for (int i = 0; i < 3; i++) {
			search(STRANGER, "192.0.2." + i).andExpect(allowed());
		}
		search(STRANGER, "192.0.2.99").andExpect(rejectedBy("search"));
	}

}
