package dev.ratelimit.harm;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * An application without a reference to the limiter. It prints its state at rest, a line
 * for each fact, and waits for its input to end.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
class InnocentApp {

	/** Prefix of a line that states a fact, as the log is printed too. */
	static final String FACT = "fact: ";

	static final String END = "that is all";

	private static final List<String> OURS = List.of("ratelimit", "dev.ratelimit.");

	public static void main(String[] arguments) throws Exception {
		try (ConfigurableApplicationContext context = SpringApplication.run(InnocentApp.class, arguments)) {
			TreeSet<String> facts = new TreeSet<>();
			DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
			List.of(beans.getBeanDefinitionNames()).forEach((name) -> fact(beans, name, facts));
			for (HttpMessageConverter<?> converter : context.getBean(RequestMappingHandlerAdapter.class)
				.getMessageConverters()) {
				facts.add("converter " + converter.getClass().getName());
			}
			for (Thread thread : Thread.getAllStackTraces().keySet()) {
				// A database pool that is still filling is not at rest.
				if (!thread.getName().endsWith(":connection-adder")) {
					facts.add("thread " + thread.getName().replaceAll("\\d+", "#"));
				}
			}
			facts.forEach((fact) -> System.out.println(FACT + fact));
			System.out.println(FACT + "port " + context.getEnvironment().getProperty("local.server.port"));
			System.out.println(FACT + END);
			int ignored = System.in.read();
		}
	}

	private static void fact(DefaultListableBeanFactory beans, String name, Set<String> facts) {
		Object made = beans.getSingleton(name);
		if (OURS.stream().anyMatch((start) -> name.toLowerCase(Locale.ROOT).startsWith(start))) {
			facts.add(((made != null) ? "ours, made " : "ours ") + name);
		}
		else {
			Class<?> type = (made != null) ? made.getClass() : beans.getType(name, false);
			facts.add("bean " + name + " "
					+ ((type != null) ? type.getName().replaceAll("\\$\\$.*|\\$Proxy\\d+", "") : "?"));
		}
	}

	/** What an application that caches has beside it. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty("caching")
	@EnableCaching
	static class Caching {

	}

}
