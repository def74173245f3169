package dev.ratelimit.integration.routes;

import java.util.Arrays;

import dev.ratelimit.integration.support.App;

import org.springframework.boot.web.server.servlet.ServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.HiddenHttpMethodFilter;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.config.annotation.DefaultServletHandlerConfigurer;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Ways to set up the {@link Catalog}, each of which gives its handlers other spellings.
 */
enum AppVariant {

	DEFAULT("", "", Plain.class),

	/** Behind Spring Security, which permits every request but has a firewall. */
	SECURED("", "", Secured.class),

	CONTEXT_PATH("/ctx", "server.servlet.context-path: /ctx", Plain.class),

	SERVLET_PATH("/app", "spring.mvc.servlet.path: /app", Plain.class),

	BOTH_PATHS("/ctx/app", "server.servlet.context-path: /ctx\nspring.mvc.servlet.path: /app", Plain.class),

	CASE_INSENSITIVE("", "", CaseInsensitive.class),

	/** Trailing slashes are cut off behind the limiter's filters. */
	TRAILING_SLASH("", "", TrailingSlash.class),

	/** Forms choose their method behind the limiter's filters. */
	HIDDEN_METHOD("", "", HiddenMethod.class),

	/** Tomcat trusts forwarding headers from internal addresses. */
	NATIVE_FORWARDING("", "server.forward-headers-strategy: native", Plain.class),

	/** Spring trusts forwarding headers from every address. */
	FRAMEWORK_FORWARDING("", "server.forward-headers-strategy: framework", Plain.class),

	/** The tests themselves are a trusted proxy. */
	TRUSTED("", "", Plain.class),

	/** Static resources have a path of their own. */
	STATIC_PATH("", "spring.mvc.static-path-pattern: /static/**", Plain.class),

	/** The container's own servlet serves what no handler does. */
	DEFAULT_SERVLET("", """
			server.servlet.register-default-servlet: true
			spring.web.resources.add-mappings: false""", DefaultServlet.class),

	/** In another container, which a profile of the build adds. */
	JETTY("", "", Jetty.class),

	/** Matches paths as strings. */
	ANT("", "spring.mvc.pathmatch.matching-strategy: ant_path_matcher", Plain.class);

	private final String prefix;

	private final String yaml;

	private final Class<?> setup;

	AppVariant(String prefix, String yaml, Class<?> setup) {
		this.prefix = prefix;
		this.yaml = yaml;
		this.setup = setup;
	}

	/** Where the paths of the handlers start. */
	String prefix() {
		return this.prefix;
	}

	/** Where the paths of the application start. */
	String contextPath() {
		return this.prefix.startsWith("/ctx") ? "/ctx" : "";
	}

	App start(String thresholds) {
		return run(Catalog.RULES.formatted(thresholds, (this == TRUSTED) ? "127.0.0.0/8" : "10.0.0.0/8"));
	}

	/** With rules that do not name the address. */
	App startByHeader() {
		return run("""
				ratelimit.rules.products-get: {paths: '/api/products/*', key: 'header:X-Tenant-Id', thresholds: 1/1d}
				""");
	}

	private App run(String rules) {
		return start(rules, Catalog.class);
	}

	/** With other rules and handlers. */
	App start(String settings, Class<?>... beans) {
		Class<?>[] all = Arrays.copyOf(beans, beans.length + 1);
		all[beans.length] = this.setup;
		String yaml = settings + this.yaml + "\n";
		return (this == SECURED) ? App.startSecured(yaml, all) : App.start(yaml, all);
	}

	@Configuration(proxyBeanMethods = false)
	static class Plain {

	}

	@Configuration(proxyBeanMethods = false)
	static class Secured {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CaseInsensitive implements WebMvcConfigurer {

		@Override
		public void configurePathMatch(PathMatchConfigurer configurer) {
			PathPatternParser parser = new PathPatternParser();
			parser.setCaseSensitive(false);
			configurer.setPatternParser(parser);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DefaultServlet implements WebMvcConfigurer {

		@Override
		public void configureDefaultServletHandling(DefaultServletHandlerConfigurer configurer) {
			configurer.enable();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Jetty {

		@Bean
		ServletWebServerFactory jetty() throws ReflectiveOperationException {
			return Class.forName("org.springframework.boot.jetty.servlet.JettyServletWebServerFactory")
				.asSubclass(ServletWebServerFactory.class)
				.getConstructor()
				.newInstance();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TrailingSlash {

		@Bean
		FilterRegistrationBean<UrlHandlerFilter> cutter() {
			return new FilterRegistrationBean<>(UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenMethod {

		@Bean
		FilterRegistrationBean<HiddenHttpMethodFilter> hidden() {
			return new FilterRegistrationBean<>(new HiddenHttpMethodFilter());
		}

	}

}
