package dev.ratelimit.sample.datacentres;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The application of each data centre, as {@code datacentre.yml} configures it. It is no
 * component, so that the sample's own application context does not include it.
 */
@EnableAutoConfiguration
class DataCentreApplication {

	@Bean
	RouterFunction<ServerResponse> shared() {
		return RouterFunctions.route().GET("/shared", (request) -> ServerResponse.ok().body("admitted")).build();
	}

}
