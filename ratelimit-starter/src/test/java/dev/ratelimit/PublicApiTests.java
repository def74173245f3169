package dev.ratelimit;

import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.ratelimit.fixture.Golden;
import org.junit.jupiter.api.Test;

/**
 * The public API grows only on purpose: a new public type is a difference to a golden
 * file.
 */
class PublicApiTests {

	@Test
	void everyPublicTypeIsListed() {
		Golden.assertUnchanged("public-types.txt", publicTypes());
	}

	private static String publicTypes() {
		return new ClassFileImporter().importUrl(RateLimiter.class.getProtectionDomain().getCodeSource().getLocation())
			.stream()
			.filter(PublicApiTests::isPublic)
			.map((type) -> type.getName() + "\n")
			.sorted()
			.collect(Collectors.joining());
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(PublicApiTests::isPublic).orElse(true);
	}

}
