package com.example.login;

import com.example.login.LoginApplication.LoginController;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimited;
import dev.ratelimit.test.AutoConfigureTestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static dev.ratelimit.test.RateLimitMatcher.remaining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A slice of the application, which by itself includes neither Redis nor the limiter.
 */
@WebMvcTest(controllers = LoginController.class,
		properties = { "ratelimit.rules.later.paths=/later", "ratelimit.rules.later.key=global",
				"ratelimit.rules.later.thresholds=1/1h", "ratelimit.rules.later.on-limit=enqueue" })
@AutoConfigureTestRateLimits
@Import(LoginSliceTests.Mailer.class)
class LoginSliceTests {

	@Autowired
	private MockMvcTester mvc;

	@Test
	void rulesApplyInASlice() {
		assertThat(this.mvc.post().uri("/login")).matches(remaining(4));
		assertThat(this.mvc.post().uri("/login")).matches(remaining(3));
	}

	@Test
	void anEnqueuedRequestReceivesTheSameResponseAsInTheApplication() {
		assertThat(this.mvc.post().uri("/later")).hasStatus(HttpStatus.NOT_FOUND);
		assertThat(this.mvc.post().uri("/later")).hasStatus(HttpStatus.ACCEPTED);
	}

	@Test
	void methodsOfImportedBeansAreLimited(@Autowired Mailer mailer) {
		mailer.send();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(mailer::send);
	}

	@Test
	void filtersAreRegisteredOnBothSidesOfSpringSecurity(@Autowired ApplicationContext context) {
		assertThat(context.getBeansOfType(FilterRegistrationBean.class))
			.containsKeys("rateLimitStarterFilterBeforeSecurity", "rateLimitStarterFilter");
	}

	static class Mailer {

		@RateLimited(thresholds = "1/1h", key = "global")
		void send() {
		}

	}

}
