package com.example.quotes

import dev.ratelimit.test.AutoConfigureTestRateLimits
import dev.ratelimit.test.RateLimitClock
import dev.ratelimit.test.RateLimitMatcher.allowed
import dev.ratelimit.test.RateLimitMatcher.rejected
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc
import org.springframework.test.web.servlet.MockMvc
import org.springframework.test.web.servlet.get
import java.time.Duration

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class QuotesTests(@Autowired private val mvc: MockMvc, @Autowired private val clock: RateLimitClock) {

    private fun quote(customer: String) = mvc.get("/quotes") { header("X-Customer", customer) }

    @Test
    fun `a fourth quote in a minute is refused`() {
        repeat(3) { quote("alice").andExpect { match(allowed()) } }
        quote("alice").andExpect { match(rejected()) }
        quote("bob").andExpect { match(allowed()) }
        clock.advance(Duration.ofMinutes(1))
        quote("alice").andExpect { match(allowed()) }
    }

}
