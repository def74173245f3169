package dev.ratelimit.test;

import java.util.Arrays;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The public API for the tests of users grows only on purpose.
 */
class PublicApiTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.importUrl(RateLimitClock.class.getProtectionDomain().getCodeSource().getLocation());

	@Test
	void fiveTypesArePublic() {
		assertThat(CLASSES).filteredOn((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.extracting(JavaClass::getSimpleName)
			.containsExactlyInAnyOrder("AutoConfigureTestRateLimits", "RateLimitClock", "RateLimitMatcher",
					"RateLimitStoreContract", "StoreFixture");
	}

	@Test
	void theirMembersAreThese() {
		assertThat(members(AutoConfigureTestRateLimits.class, RateLimitClock.class, RateLimitMatcher.class,
				StoreFixture.class))
			.containsExactlyInAnyOrder("RateLimitClock.START", "RateLimitClock.advance(Duration)",
					"RateLimitClock.instant()", "RateLimitClock.set(Instant)", "RateLimitClock.toString()",
					"RateLimitMatcher.accept(RestTestClient$ResponseSpec)", "RateLimitMatcher.allowed()",
					"RateLimitMatcher.limit(long)", "RateLimitMatcher.match(MvcResult)", "RateLimitMatcher.rejected()",
					"RateLimitMatcher.rejectedBy(String, [Ljava.String;)", "RateLimitMatcher.remaining(long)",
					"RateLimitMatcher.retryAfter(Duration)", "RateLimitMatcher.toString()",
					"RateLimitMatcher.unlimited()");
	}

	private static Stream<String> members(Class<?>... types) {
		return Arrays.stream(types)
			.flatMap((type) -> CLASSES.get(type).getMembers().stream())
			.filter((member) -> member.getModifiers().contains(JavaModifier.PUBLIC)
					&& !member.getModifiers().contains(JavaModifier.SYNTHETIC))
			.map(JavaMember::getFullName)
			.map((name) -> name.replaceAll("\\b(?:[a-z]+\\.)+(?=[A-Z])", ""));
	}

}
