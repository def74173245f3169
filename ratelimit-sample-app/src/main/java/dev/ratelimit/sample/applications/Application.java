package dev.ratelimit.sample.applications;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A running application, on a free port of the loopback interface.
 */
final class Application implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private Application(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Start it.
	 * @param configuration the name of its file, for example {@code instance}
	 * @param options further options, for example {@code --server.port=0}
	 */
	static Application start(String configuration, String... options) {
		List<String> arguments = new ArrayList<>(List.of(options));
		arguments
			.addAll(List.of("--spring.config.name=" + configuration, "--server.port=0", "--server.address=127.0.0.1"));
		SpringApplication application = new SpringApplication(PlayApplication.class);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setRegisterShutdownHook(false);
		return new Application(application.run(arguments.toArray(String[]::new)));
	}

	URI uri() {
		int port = Objects.requireNonNull(((WebServerApplicationContext) this.context).getWebServer()).getPort();
		return URI.create("http://127.0.0.1:" + port);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
