package com.example.apikeys;

import java.util.Optional;

import dev.ratelimit.web.key.KeyResolver;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class ApiKeysApplication {

	public static void main(String[] args) {
		SpringApplication.run(ApiKeysApplication.class, args);
	}

	@Bean
	KeyResolver planOfApiKey(JdbcClient jdbc) {
		return (request) -> {
			try {
				return jdbc.sql("select plan from api_key where id = ?")
					.param(request.header("X-Api-Key").orElse(""))
					.query(String.class)
					.optional()
					.or(() -> Optional.of("unknown"));
			}
			catch (DataAccessException ex) {
				return Optional.of("unknown");
			}
		};
	}

	@GetMapping("/api/quotes")
	String quote() {
		return "Less is better.";
	}

}
