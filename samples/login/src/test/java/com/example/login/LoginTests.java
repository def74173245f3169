package com.example.login;

import java.time.Duration;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestBuilders.formLogin;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.security.test.web.servlet.response.SecurityMockMvcResultMatchers.authenticated;
import static org.springframework.security.test.web.servlet.response.SecurityMockMvcResultMatchers.unauthenticated;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class LoginTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private RateLimitClock clock;

	private ResultActions login(String password) throws Exception {
		return this.mvc.perform(formLogin().user("alice").password(password));
	}

	@Test
	void afterFiveFailuresEvenTheRightPasswordIsRefused() throws Exception {
		for (int i = 0; i < 5; i++) {
			login("wrong").andExpect(unauthenticated());
		}
		login("correct").andExpect(rejectedBy("login")).andExpect(unauthenticated());
		this.clock.advance(Duration.ofMinutes(1));
		login("correct").andExpect(authenticated());
	}

	@Test
	void passwordsCannotBeTriedElsewhere() throws Exception {
		this.mvc.perform(get("/").with(httpBasic("alice", "correct"))).andExpect(unauthenticated());
	}

	@Test
	void aLoginThatSucceedsCostsNothing() throws Exception {
		for (int i = 0; i < 20; i++) {
			login("correct").andExpect(authenticated());
		}
	}

}
