package com.example.outbound;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@SpringBootApplication
@RestController
public class OutboundApplication {

	private final RestClient provider;

	OutboundApplication(RestClient.Builder builder) {
		this.provider = builder.baseUrl("https://rates.example.com").build();
	}

	public static void main(String[] args) {
		SpringApplication.run(OutboundApplication.class, args);
	}

	@GetMapping("/price")
	String price() {
		return this.provider.get().uri("/eur").retrieve().body(String.class);
	}

}
