package dev.ratelimit.autoconfigure;

import dev.ratelimit.fixture.SpeakingLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith({ OutputCaptureExtension.class, SpeakingLog.class })
class PartlyCoveredHandlersTests {

	@Test
	void theStartNamesHandlersThatTakeMoreMethodsThanARule(CapturedOutput output) {
		new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
					RateLimitWebAutoConfiguration.class, WebMvcAutoConfiguration.class,
					DispatcherServletAutoConfiguration.class, ErrorMvcAutoConfiguration.class))
			.withUserConfiguration(Orders.class)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.all.thresholds=9/1m",
					"ratelimit.rules.all.paths=/**", "ratelimit.rules.deletions.thresholds=9/1m",
					"ratelimit.rules.deletions.paths=/orders/**", "ratelimit.rules.deletions.methods=DELETE",
					"ratelimit.rules.forms.thresholds=9/1m", "ratelimit.rules.forms.paths=/**",
					"ratelimit.rules.forms.methods=GET, POST", "ratelimit.rules.single.thresholds=9/1m",
					"ratelimit.rules.single.paths=/orders", "ratelimit.rules.single.methods=POST")
			.run((context) -> assertThat(output.getAll().lines().filter((line) -> line.contains("more methods")))
				.satisfiesExactly(
						(line) -> assertThat(line)
							.endsWith("Rule 'deletions' covers only DELETE of these handlers, which take more methods: "
									+ "Orders#change (DELETE, PUT)"),
						(line) -> assertThat(line)
							.endsWith("Rule 'forms' covers only GET, POST of these handlers, which take more methods: "
									+ "Orders#search (every method)")));
	}

	@RestController
	static class Orders {

		@RequestMapping("/search")
		String search() {
			return "found";
		}

		@RequestMapping(path = "/orders/{id}", method = { RequestMethod.PUT, RequestMethod.DELETE })
		String change() {
			return "changed";
		}

		@GetMapping("/orders")
		String all() {
			return "all";
		}

		@PostMapping("/orders")
		String add() {
			return "added";
		}

	}

}
