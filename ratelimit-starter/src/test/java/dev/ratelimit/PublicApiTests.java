package dev.ratelimit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What others may come to rely on grows only on purpose: a new public type is added to
 * {@code public-api.txt} by hand.
 */
class PublicApiTests {

	@Test
	void everyPublicTypeIsListed() throws IOException {
		assertThat(publicTypes()).containsExactlyElementsOf(listed());
	}

	private static List<String> publicTypes() {
		return new ClassFileImporter().importUrl(RateLimiter.class.getProtectionDomain().getCodeSource().getLocation())
			.stream()
			.filter(PublicApiTests::isPublic)
			.map(JavaClass::getName)
			.sorted()
			.toList();
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(PublicApiTests::isPublic).orElse(true);
	}

	private static List<String> listed() throws IOException {
		try (InputStream list = Objects.requireNonNull(PublicApiTests.class.getResourceAsStream("/public-api.txt"))) {
			return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		}
	}

}
