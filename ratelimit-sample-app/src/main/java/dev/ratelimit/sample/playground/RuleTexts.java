package dev.ratelimit.sample.playground;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The YAML of the page's rules, as the files have it that configure the applications.
 */
@RestController
class RuleTexts {

	private static final List<String> FILES = List.of("playground.yml", "application.yml", "datacentre.yml");

	@GetMapping(path = "/playground/rules/{id}", produces = MediaType.TEXT_PLAIN_VALUE)
	String text(@PathVariable String id) throws IOException {
		if (TrafficController.isPlayed(id)) {
			Pattern rule = Pattern.compile("^    " + id + ":.*\\R(?:     .*\\R?)+", Pattern.MULTILINE);
			for (String file : FILES) {
				Matcher found = rule.matcher(new ClassPathResource(file).getContentAsString(StandardCharsets.UTF_8));
				if (found.find()) {
					return "ratelimit:\n  rules:\n" + found.group();
				}
			}
		}
		throw new ResponseStatusException(HttpStatus.NOT_FOUND);
	}

}
