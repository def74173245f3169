package dev.ratelimit.sample;

import dev.ratelimit.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Reports, limited by annotations: all handlers share a rule of the configuration, and an
 * export has a rule of its own as well.
 */
@RestController
@RateLimited("reports")
class ReportController {

	@GetMapping("/reports/{id}")
	String read(@PathVariable String id) {
		return "Report " + id;
	}

	@PostMapping("/reports/{id}/export")
	@RateLimited(thresholds = "2/1m")
	String export(@PathVariable String id) {
		return "Exported report " + id;
	}

}
