package dev.ratelimit.web.key;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.servlet.ServletRequestFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class CompiledCostTests {

	private static final String BELOW_ONE = "Bean 'pages' returned a cost below 1 for rate limit rule 'r'";

	private final MovableClock clock = new MovableClock();

	private final RequestFacts request = new ServletRequestFacts(new MockHttpServletRequest("GET", "/\r\nevil"),
			"/\r\nevil", new ClientAddresses(List.of(), false));

	private CompiledCost compile(String cost, CostResolver bean) {
		return CompiledCost.of(RLConfig.builder("r").thresholds("9/s").cost(cost).build(),
				new Beans(Map.of("pages", bean)), this.clock::nanoTime);
	}

	@Test
	void aFixedCostIsTheSameForEveryRequest() {
		assertThat(compile("3", (request) -> 5).of(this.request)).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 7, 9_007_199_254_740_993L, Long.MAX_VALUE })
	void aBeanReturnsTheCost(long reported, CapturedOutput output) {
		assertThat(compile("bean:pages", (request) -> reported).of(this.request)).isEqualTo(reported);
		assertThat(output).doesNotContain(BELOW_ONE);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
	void belowOneCountsAsOneAndIsLoggedOnceAMinuteWithoutTextOfTheClient(long reported, CapturedOutput output) {
		CompiledCost cost = compile("bean:pages", (request) -> reported);
		assertThat(cost.of(this.request)).isEqualTo(1);
		assertThat(cost.of(this.request)).isEqualTo(1);
		assertThat(output).containsOnlyOnce(BELOW_ONE).doesNotContain("evil");
		this.clock.advance(Duration.ofMinutes(1).minusNanos(1000));
		cost.of(this.request);
		assertThat(output).containsOnlyOnce(BELOW_ONE);
		this.clock.advance(Duration.ofNanos(1000));
		cost.of(this.request);
		assertThat(output.getOut().split(BELOW_ONE, -1)).hasSize(3);
	}

	@Test
	void moreThanALogTakesAtOnceIsLogged(CapturedOutput output) {
		String tooMuch = "Bean 'pages' returned a cost above 100 for rate limit rule 'r'";
		assertThat(compile("bean:pages", (request) -> 100).of(this.request)).isEqualTo(100);
		assertThat(output).doesNotContain(tooMuch);
		assertThat(compile("bean:pages", (request) -> 101).of(this.request)).isEqualTo(101);
		assertThat(output).containsOnlyOnce(tooMuch);
	}

	@Test
	void aBeanThatThrowsCostsOneAndIsLoggedOnceAMinuteWithoutTextOfTheClient(CapturedOutput output) {
		CompiledCost cost = compile("bean:pages", (request) -> {
			throw new IllegalStateException(request.path());
		});
		String line = "Bean 'pages' (cost of rate limit rule 'r') threw an exception or answered null, so that the "
				+ "request counted as 1.";
		assertThat(cost.of(this.request)).isEqualTo(1);
		this.clock.advance(Duration.ofMinutes(1).minusNanos(1000));
		assertThat(cost.of(this.request)).isEqualTo(1);
		assertThat(output).containsOnlyOnce(line).doesNotContain("evil");
		this.clock.advance(Duration.ofNanos(1000));
		assertThat(cost.of(this.request)).isEqualTo(1);
		assertThat(output.getOut().split(Pattern.quote(line), -1)).hasSize(3);
		assertThat(output).doesNotContain("evil");
	}

	@Test
	void aBeanThatIsNotThereIsRefused() {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> compile("bean:nope", (request) -> 1))
			.withMessageContaining("cost 'bean:nope' names no bean of type CostResolver");
	}

}
