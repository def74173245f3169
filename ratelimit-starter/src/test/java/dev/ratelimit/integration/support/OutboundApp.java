package dev.ratelimit.integration.support;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.registry.ImportHttpServices;

/**
 * An application that calls others, with all the synchronous clients of Spring. It runs
 * on Tomcat where Jetty is on the class path, too.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(
		excludeName = "org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration")
@ImportHttpServices(group = "provider", types = OutboundApp.ProviderClient.class)
public class OutboundApp {

	public static void main(String[] args) {
		SpringApplication.run(OutboundApp.class, args);
	}

	@Bean
	public RestClient restClient(RestClient.Builder builder) {
		return builder.build();
	}

	@Bean
	public RestTemplate restTemplate(RestTemplateBuilder builder) {
		return builder.build();
	}

	/** The same provider as an interface. */
	@HttpExchange
	public interface ProviderClient {

		@GetExchange("/interface")
		void call();

	}

	/** Calls on demand, all of them at once. */
	@RestController
	public static class Calls {

		private final RestClient client;

		Calls(RestClient client) {
			this.client = client;
		}

		@GetMapping("/calls")
		String call(@RequestParam int count, @RequestParam String url) throws InterruptedException, ExecutionException {
			ExecutorService callers = Executors.newFixedThreadPool(count);
			try {
				Callable<Boolean> call = () -> this.client.get()
					.uri(url)
					.retrieve()
					.toBodilessEntity()
					.getStatusCode()
					.is2xxSuccessful();
				int made = 0;
				for (Future<Boolean> one : callers.invokeAll(Collections.nCopies(count, call))) {
					made += one.get() ? 1 : 0;
				}
				return made + " calls made";
			}
			finally {
				callers.shutdownNow();
			}
		}

	}

}
