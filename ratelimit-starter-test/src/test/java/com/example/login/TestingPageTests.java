package com.example.login;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample of the page about testing is a test that runs.
 */
class TestingPageTests {

	@Test
	void theSampleIsLoginLimitTests() throws IOException {
		String page = Files.readString(Path.of("../docs/testing.md"));
		int start = page.indexOf("```java\n") + "```java\n".length();
		String sample = page.substring(start, page.indexOf("```", start));
		assertThat(Files.readString(Path.of("src/test/java/com/example/login/LoginLimitTests.java"))).endsWith(sample);
	}

}
