package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.ratelimit.fixture.Golden;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.util.ClassUtils;

/**
 * Names that applications use in their configuration.
 */
class GoldenNamesTests {

	@Test
	void theKeysOfTheConfigurationAreUnchanged() throws IOException {
		JSONArray properties;
		try (InputStream stream = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			properties = new JSONObject(new String(stream.readAllBytes(), StandardCharsets.UTF_8))
				.getJSONArray("properties");
		}
		List<String> keys = new ArrayList<>();
		for (int i = 0; i < properties.length(); i++) {
			JSONObject property = properties.getJSONObject(i);
			keys.add(property.getString("name") + " " + property.getString("type") + " "
					+ property.optString("defaultValue"));
		}
		Golden.assertUnchanged("configuration.txt",
				keys.stream()
					.filter((key) -> !key.startsWith("spring."))
					.sorted()
					.map(String::stripTrailing)
					.collect(Collectors.joining("\n", "", "\n")));
	}

	/** By a bean of their name or of their type. */
	@Test
	void theBeansThatApplicationsReplaceAreUnchanged() {
		new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class,
					DispatcherServletAutoConfiguration.class, MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.withConfiguration(ours())
			.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.login.paths=/login",
					"ratelimit.rules.login.thresholds=5/1m", "management.endpoints.web.exposure.include=ratelimits")
			.run((context) -> Golden.assertUnchanged("beans.txt",
					Arrays.stream(context.getBeanDefinitionNames())
						.map((name) -> replaceable(name, context.getBeanFactory().getBeanDefinition(name)))
						.flatMap(Optional::stream)
						.sorted()
						.collect(Collectors.joining("\n", "", "\n"))));
	}

	private static Optional<String> replaceable(String name, BeanDefinition definition) {
		return Optional
			.ofNullable((definition instanceof AnnotatedBeanDefinition annotated) ? annotated.getFactoryMethodMetadata()
					: null)
			.filter((method) -> method.getDeclaringClassName().startsWith("dev.ratelimit.")
					&& method.isAnnotated(ConditionalOnMissingBean.class.getName()))
			.map((method) -> name + " " + method.getReturnTypeName());
	}

	private static AutoConfigurations ours() {
		return AutoConfigurations
			.of(ImportCandidates.load(AutoConfiguration.class, GoldenNamesTests.class.getClassLoader())
				.getCandidates()
				.stream()
				.filter((name) -> name.startsWith("dev.ratelimit."))
				.map((name) -> ClassUtils.resolveClassName(name, null))
				.toArray(Class<?>[]::new));
	}

}
