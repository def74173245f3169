package com.example.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about stores shows code that is compiled and tested here.
 */
class OwnStorePageTests {

	@ParameterizedTest
	@CsvSource({ "MapStore, /**", "MapStoreTests, class" })
	void showsTheCode(String type, String beginning) throws IOException {
		String code = Files.readString(Path.of("src/test/java/com/example/store", type + ".java"));
		String page = Files.readString(Path.of("../docs/own-store.md"));
		assertThat(page).contains("```java\n" + code.substring(code.indexOf("\n" + beginning) + 1) + "```");
	}

}
