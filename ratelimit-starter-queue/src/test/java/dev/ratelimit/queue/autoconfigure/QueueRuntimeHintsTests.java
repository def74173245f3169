package dev.ratelimit.queue.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;

import static org.assertj.core.api.Assertions.assertThat;

class QueueRuntimeHintsTests {

	@Test
	void aNativeImageContainsTheScripts() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		AotServices.factories()
			.load(RuntimeHintsRegistrar.class)
			.asList()
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		assertThat(scripts()).contains("QueueEnqueue.lua")
			.allSatisfy((script) -> assertThat(
					RuntimeHintsPredicates.resource().forResource("dev/ratelimit/queue/redis/" + script))
				.accepts(hints));
		assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/ratelimit-modules.properties"))
			.as("which names the module of a key")
			.accepts(hints);
	}

	private static List<String> scripts() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("src/main/resources/dev/ratelimit/queue/redis"))) {
			return files.map((file) -> file.getFileName().toString()).toList();
		}
	}

}
