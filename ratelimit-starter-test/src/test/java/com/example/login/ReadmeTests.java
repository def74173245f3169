package com.example.login;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README's sample is a test that runs.
 */
class ReadmeTests {

	@ParameterizedTest
	@CsvSource({ "README.md, ## Test your limits", "docs/testing.md, # Testing limits" })
	void theSampleIsLoginLimitTests(String page, String heading) throws IOException {
		String text = Files.readString(Path.of("..").resolve(page));
		String section = text.substring(text.indexOf(heading));
		int start = section.indexOf("```java\n") + "```java\n".length();
		String sample = section.substring(start, section.indexOf("```", start));
		assertThat(Files.readString(Path.of("src/test/java/com/example/login/LoginLimitTests.java"))).endsWith(sample);
	}

}
