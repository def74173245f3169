package dev.ratelimit.sample.datacentres;

import java.util.stream.Stream;

import org.springframework.boot.ApplicationArguments;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Starts the data centres and serves their page in place of the playground.
 */
@Configuration(proxyBeanMethods = false)
@Profile("datacentres")
class DataCentresConfiguration implements WebMvcConfigurer {

	private static final String PAGE = "/datacentres/index.html";

	/** The options about limits concern the data centres. */
	@Bean
	static DataCentres dataCentres(ApplicationArguments arguments) {
		return DataCentres.start(Stream.of(arguments.getSourceArgs())
			.filter((argument) -> argument.startsWith("--ratelimit."))
			.toList());
	}

	@Override
	public void addViewControllers(ViewControllerRegistry registry) {
		registry.addRedirectViewController("/", PAGE);
	}

	/** Not among the static files, which every start of the sample serves. */
	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		registry.addResourceHandler("/datacentres/**").addResourceLocations("classpath:/datacentres/");
	}

}
