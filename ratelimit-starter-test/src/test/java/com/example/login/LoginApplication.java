package com.example.login;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A user's application, which counts in a Redis Cluster that does not exist.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(LoginApplication.LoginController.class)
class LoginApplication {

	@Bean
	SecurityFilterChain everyRequestIsPermitted(HttpSecurity http) {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
			.csrf((csrf) -> csrf.disable())
			.build();
	}

	@RestController
	static class LoginController {

		@PostMapping("/login")
		String login() {
			return "welcome";
		}

		@GetMapping({ "/search", "/open" })
		String get() {
			return "found";
		}

	}

}
