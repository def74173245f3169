package dev.ratelimit.sample.playground;

import dev.ratelimit.sample.playground.NodeController.Change;
import dev.ratelimit.test.AutoConfigureTestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The playground works with a Redis that is not the sample's own, but neither shows its
 * keys nor kills it.
 */
@SpringBootTest(properties = "sample.redis=external")
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class ExternalRedisTests {

	@Autowired
	private MockMvcTester mvc;

	@Test
	void thePageAndItsRulesAreAvailable() {
		assertThat(this.mvc.get().uri("/")).hasStatusOk().hasForwardedUrl("index.html");
		assertThat(this.mvc.get().uri("/play/bucket").header("X-Player", "me")).hasStatusOk()
			.headers()
			.hasValue("X-RateLimit-Limit", 10);
	}

	@Test
	void keysNodesAndOtherApplicationsAreNotAvailable() {
		assertThat(this.mvc.get().uri("/playground/applications")).hasStatus(404);
		assertThat(this.mvc.get().uri("/playground/key?rule=play-fixed&client=h")).hasStatus(404);
		assertThat(this.mvc.get().uri("/playground/nodes")).hasStatus(404);
		assertThat(this.mvc.put()
			.uri("/playground/nodes/1")
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"alive\":%s}".formatted(new Change(false).alive()))).hasStatus(404);
	}

}
