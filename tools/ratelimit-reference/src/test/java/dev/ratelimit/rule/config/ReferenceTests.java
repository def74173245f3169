package dev.ratelimit.rule.config;

import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.rule.config.ReferencePage.Property;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every key that the limiter reads is described for editors and in the reference.
 */
class ReferenceTests {

	private static final Path PAGE = Path.of("../../docs/reference.md");

	/** Settings that are off, empty or derived from others unless they are set. */
	private static final List<String> WITHOUT_DEFAULT = List.of("management.endpoint.ratelimits.roles",
			"ratelimit.clients", "ratelimit.datacenter.name", "ratelimit.datacenter.peers",
			"ratelimit.defaults.acknowledge", "ratelimit.defaults.plan-key", "ratelimit.defaults.refusal.body",
			"ratelimit.defaults.when", "ratelimit.exempt.addresses", "ratelimit.exempt.paths", "ratelimit.key-prefix",
			"ratelimit.key-secret", "ratelimit.memcached.nodes", "ratelimit.memcached.password",
			"ratelimit.memcached.ssl.bundle", "ratelimit.memcached.username", "ratelimit.rule-source.file",
			"ratelimit.rule-source.jdbc.data-source", "ratelimit.rule-source.jdbc.table", "ratelimit.rules",
			"ratelimit.trusted-proxies");

	private final ReferencePage page = new ReferencePage();

	@Test
	void everySettingBesideTheRulesHasMetadata() {
		assertThat(this.page.properties().keySet()).containsAll(Modules.onClassPath()
			.settings(SettingTypes.of(RateLimitProperties.class))
			.keySet()
			.stream()
			.map((name) -> "ratelimit." + name.replaceAll("\\.\\*.*", ""))
			.toList());
	}

	@Test
	void theMetadataOfDefaultsMatchesTheCode() throws IOException {
		for (Map.Entry<Path, String> file : DefaultsMetadata.texts().entrySet()) {
			assertUpToDate(file.getKey(), file.getValue());
		}
	}

	@Test
	void whatBelongsToWhichModuleMatchesTheCode() throws IOException {
		assertUpToDate(ModuleResource.FILE, ModuleResource.text());
	}

	@Test
	void theSchemasForEditorsMatchTheCode() throws IOException {
		EditorSchema schema = new EditorSchema();
		assertUpToDate(EditorSchema.RULES, schema.ofRules());
		assertUpToDate(EditorSchema.APPLICATION, schema.ofApplication());
	}

	@Test
	void theTypeOfRulesForEditorsMatchesTheCode() throws IOException {
		assertUpToDate(RuleSettingsSource.FILE, RuleSettingsSource.text());
	}

	/** As they find them: by the setters, or by the getters, of a class. */
	@Test
	void editorsFindEveryKeyOfARule() throws IntrospectionException {
		assertThat(properties(RuleSettings.class, "")).containsExactlyInAnyOrderElementsOf(
				KnownNames.ofKeys(Modules.onClassPath().catalogue().options().stream()).kinds().keySet());
		assertThat(properties(RuleSettings.ThresholdSettings.class, ""))
			.containsExactlyInAnyOrderElementsOf(KnownNames.OF_THRESHOLDS.kinds().keySet());
		assertThat(properties(RuleSettings.OverrideSettings.class, ""))
			.containsExactlyInAnyOrderElementsOf(KnownNames.OF_OVERRIDES.kinds().keySet());
	}

	private static List<String> properties(Class<?> type, String prefix) throws IntrospectionException {
		List<String> names = new ArrayList<>();
		for (PropertyDescriptor property : Introspector.getBeanInfo(type, Object.class).getPropertyDescriptors()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(property.getName());
			assertThat(property.getReadMethod()).as(name).isNotNull();
			assertThat(property.getWriteMethod()).as(name).isNotNull();
			if (property.getPropertyType().getEnclosingClass() == RuleSettings.class
					&& !property.getPropertyType().isEnum()) {
				names.addAll(properties(property.getPropertyType(), name + "."));
			}
			else {
				names.add(name);
			}
		}
		return names;
	}

	@Test
	void everyNameHasADescriptionAndAllButTheListedHaveADefault() {
		assertThat(this.page.properties()).allSatisfy((name, property) -> {
			assertThat(property.meaning()).as(name).matches("[A-Z].*\\.");
			assertThat(property.standard().isEmpty()).as("%s has no default", name)
				.isEqualTo(WITHOUT_DEFAULT.contains(name));
		});
	}

	/** By the house rules of Spring Boot. */
	@Test
	void descriptionsBeginAsThoseOfSpringBoot() {
		for (Map.Entry<String, Property> property : this.page.properties().entrySet()) {
			String meaning = property.getValue().meaning();
			assertThat(meaning).as(property.getKey()).doesNotStartWith("The ").doesNotStartWith("A ");
			if (property.getValue().values().equals("`true`, `false`")) {
				assertThat(meaning).as(property.getKey()).startsWith("Whether ");
			}
		}
	}

	@Test
	void thePageMatchesTheCode() throws IOException {
		assertUpToDate(PAGE, this.page.text());
	}

	private static void assertUpToDate(Path file, String text) throws IOException {
		if (System.getProperty("reference.write") != null) {
			Files.writeString(file, text);
		}
		assertThat(file).as("regenerate with -Dreference.write").content().isEqualTo(text);
	}

}
