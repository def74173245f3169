package com.example.login;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README's sample is a test that runs.
 */
class ReadmeTests {

	@Test
	void theSampleIsLoginLimitTests() throws IOException {
		String readme = Files.readString(Path.of("../README.md"));
		String section = readme.substring(readme.indexOf("## Test your limits"));
		int start = section.indexOf("```java\n") + "```java\n".length();
		String sample = section.substring(start, section.indexOf("```", start));
		assertThat(Files.readString(Path.of("src/test/java/com/example/login/LoginLimitTests.java"))).endsWith(sample);
	}

}
