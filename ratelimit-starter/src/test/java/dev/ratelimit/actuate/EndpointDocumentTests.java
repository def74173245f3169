package dev.ratelimit.actuate;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.actuate.RateLimitsEndpoint.ErrorDescriptor;
import dev.ratelimit.actuate.descriptor.ClientDescriptor;
import dev.ratelimit.actuate.descriptor.ExplanationDescriptor;
import dev.ratelimit.actuate.descriptor.RuleInForceDescriptor;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/endpoint.md shows what the endpoint answers.
 */
class EndpointDocumentTests {

	private static final Pattern SAMPLE = Pattern.compile("(?s)```json\n(.*?)```");

	private static final JsonMapper STRICT = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

	private static String document() throws IOException {
		return Files.readString(Path.of("../docs/endpoint.md"));
	}

	@Test
	void everySampleIsAnAnswerOfTheEndpoint() throws IOException {
		assertThat(SAMPLE.matcher(document()).results().map(EndpointDocumentTests::answer)).hasExactlyElementsOfTypes(
				ClientDescriptor.class, ExplanationDescriptor.class, RuleInForceDescriptor.class,
				ErrorDescriptor.class);
	}

	private static Object answer(MatchResult sample) {
		String json = sample.group(1);
		Class<?> type = json.startsWith("{\"error\"") ? ErrorDescriptor.class
				: json.startsWith("{\"enabled\"") ? ExplanationDescriptor.class
						: json.startsWith("{\"rule\":{") ? RuleInForceDescriptor.class : ClientDescriptor.class;
		return STRICT.readValue(json, type);
	}

	@Test
	void everyFieldOfAClientIsDocumented() throws IOException {
		Set<String> documented = new TreeSet<>();
		Pattern.compile("`([a-zA-Z]+)`").matcher(document()).results().forEach((name) -> documented.add(name.group(1)));
		assertThat(documented).containsAll(names(ClientDescriptor.class, "rule", "windows"))
			.containsAll(names(ClientDescriptor.WindowDescriptor.class))
			.containsAll(names(ExplanationDescriptor.ExplainedRule.class, "rule", "reason", "stage", "shadow"))
			.containsAll(names(RuleInForceDescriptor.class, "rule"));
	}

	private static Set<String> names(Class<?> type, String... selfEvident) {
		Set<String> names = new TreeSet<>();
		Stream.of(type.getRecordComponents()).map(RecordComponent::getName).forEach(names::add);
		names.removeAll(Arrays.asList(selfEvident));
		return names;
	}

}
