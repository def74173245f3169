package dev.ratelimit.sample;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class SampleRulesTests {

	private static final Bindable<Map<String, Map<String, String>>> RULES = Bindable
		.of(ResolvableType.forClassWithGenerics(Map.class, ResolvableType.forClass(String.class),
				ResolvableType.forClassWithGenerics(Map.class, String.class, String.class)));

	private Map<String, Map<String, String>> rules;

	@BeforeEach
	void bind() throws Exception {
		List<PropertySource<?>> yaml = new YamlPropertySourceLoader().load("application",
				new ClassPathResource("application.yml"));
		this.rules = new Binder(ConfigurationPropertySources.from(yaml)).bind("ratelimit.rules", RULES).get();
	}

	@Test
	void organizationsHaveLimitsOfTheirOwn() {
		String path = "/v1/organizations/{orgId}/product/{id}";
		assertThat(this.rules.get("get-product")).containsOnly(entry("methods", "GET"), entry("paths", path),
				entry("key", "path:orgId"), entry("thresholds", "1000/10s"));
		assertThat(this.rules.get("put-product")).containsOnly(entry("methods", "PUT"), entry("paths", path),
				entry("key", "path:orgId"), entry("thresholds", "100/10s"));
	}

	@Test
	void productsCountRefusedRequests() {
		assertThat(this.rules.get("v1-product")).containsOnly(entry("paths", "/v1/product"),
				entry("thresholds", "500/2s, 1000/5s"), entry("count-rejected", "true"));
		assertThat(this.rules.get("v2-product")).containsOnly(entry("paths", "/v2/product"),
				entry("thresholds", "400/3s, 1100/10s"), entry("count-rejected", "true"));
	}

	@Test
	void greetingCanBeExhaustedByHand() {
		assertThat(this.rules.get("hello")).containsOnly(entry("methods", "GET"), entry("paths", "/hello"),
				entry("key", "ip"), entry("thresholds", "3/10s"));
	}

	@Test
	void thereAreNoOthers() {
		assertThat(this.rules).containsOnlyKeys("get-product", "put-product", "v1-product", "v2-product", "hello");
	}

}
