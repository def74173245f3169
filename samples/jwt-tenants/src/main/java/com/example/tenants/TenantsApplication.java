package com.example.tenants;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class TenantsApplication {

	public static void main(String[] args) {
		SpringApplication.run(TenantsApplication.class, args);
	}

	@GetMapping("/orders")
	String orders() {
		return "none";
	}

}
