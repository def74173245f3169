package com.example.instances;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class InstancesApplication {

	public static void main(String[] args) {
		SpringApplication.run(InstancesApplication.class, args);
	}

	@GetMapping("/hello")
	String hello() {
		return "Hello";
	}

}
