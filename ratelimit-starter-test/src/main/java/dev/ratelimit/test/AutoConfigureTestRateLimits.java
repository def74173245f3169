package dev.ratelimit.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;

/**
 * Annotation for a test class of Spring Boot, such as a {@code @SpringBootTest} or a
 * {@code @WebMvcTest}: the application's own rules apply, but requests are counted in
 * memory regardless of {@code ratelimit.store} and {@code spring.data.redis.*}, and by a
 * {@link RateLimitClock} that stands still until the test moves it. The test needs no
 * Redis and does not sleep.
 * <p>
 * Before each test method all counts are cleared and the clock is reset to
 * {@link RateLimitClock#START}, also where test classes share a cached application
 * context. Methods that run in parallel on one context share its counts and its clock.
 *
 * <pre class="code">
 * &#064;SpringBootTest
 * &#064;AutoConfigureMockMvc
 * &#064;AutoConfigureTestRateLimits
 * class LoginLimitTests {
 *
 *     &#064;Autowired
 *     MockMvc mvc;
 *
 *     &#064;Autowired
 *     RateLimitClock clock;
 *
 *     &#064;Test
 *     void sixthLoginInAMinuteIsRejected() throws Exception {
 *         for (int i = 0; i &lt; 5; i++) {
 *             this.mvc.perform(post("/login")).andExpect(allowed());
 *         }
 *         this.mvc.perform(post("/login")).andExpect(rejectedBy("login"));
 *         this.clock.advance(Duration.ofMinutes(1));
 *         this.mvc.perform(post("/login")).andExpect(allowed());
 *     }
 *
 * }
 * </pre>
 *
 * @see RateLimitMatcher
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Import({ TestRateLimitsConfiguration.class, SlicedRateLimits.class })
public @interface AutoConfigureTestRateLimits {

}
