package dev.ratelimit.sample.applications;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The application of each instance and data centre, as {@code instance.yml} and
 * {@code datacentre.yml} configure it. It is no component, so that the sample's own
 * application context does not include it.
 */
@EnableAutoConfiguration
class PlayApplication {

	@Bean
	RouterFunction<ServerResponse> play() {
		return RouterFunctions.route().GET("/play/{rule}", (request) -> ServerResponse.ok().body("admitted")).build();
	}

}
