package dev.ratelimit.test;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The public API for the tests of users grows only on purpose.
 */
class PublicApiTests {

	@Test
	void fiveTypesArePublic() {
		assertThat(new ClassFileImporter()
			.importUrl(RateLimitClock.class.getProtectionDomain().getCodeSource().getLocation()))
			.filteredOn((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.extracting(JavaClass::getSimpleName)
			.containsExactlyInAnyOrder("AutoConfigureTestRateLimits", "RateLimitClock", "RateLimitMatcher",
					"RateLimitStoreContract", "StoreFixture");
	}

}
