package com.example.outbound;

import java.time.Duration;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.restclient.test.autoconfigure.AutoConfigureMockRestServiceServer;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

import static org.springframework.http.MediaType.TEXT_PLAIN;
import static org.springframework.test.web.client.ExpectedCount.times;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureMockRestServiceServer
@AutoConfigureTestRateLimits
class OutboundTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private MockRestServiceServer provider;

	@Autowired
	private RateLimitClock clock;

	private ResultActions price() throws Exception {
		return this.mvc.perform(get("/price"));
	}

	@Test
	void theProviderSeesNoMoreCallsThanItAllows() throws Exception {
		this.provider.expect(times(3), requestTo("https://rates.example.com/eur"))
			.andRespond(withSuccess("1.17", TEXT_PLAIN));
		price().andExpect(status().isOk());
		price().andExpect(status().isOk());
		price().andExpect(status().isServiceUnavailable());
		this.clock.advance(Duration.ofSeconds(1));
		price().andExpect(status().isOk());
		this.provider.verify();
	}

}
