package dev.ratelimit.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A shop with rate limits. The rules are in {@code application.yml}, and the starter on
 * the class path enforces them. Only {@link ReportController} and {@link MessageService}
 * name theirs.
 */
@SpringBootApplication
public class SampleApplication {

	/**
	 * Start the application, by default with its own Redis Cluster.
	 * @param args any Spring Boot options, for example {@code --sample.redis=external}
	 */
	public static void main(String[] args) {
		ParentProcess.exitWithIt();
		SpringApplication.run(SampleApplication.class, args);
	}

}
