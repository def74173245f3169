package dev.ratelimit.memcached;

import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What this module uses of the starter: the store and its wire, what is pending, and to
 * be configured the rules and the settings. Never another store.
 */
class ModuleTests {

	private static final String ROOT = "dev.ratelimit.";

	private static final JavaClasses MAIN = new ClassFileImporter()
		.importUrl(MemcachedStore.class.getProtectionDomain().getCodeSource().getLocation());

	@ParameterizedTest
	@CsvSource({ "memcached.meta, memcached.meta store store.wire",
			"memcached, memcached memcached.meta store store.wire rule support",
			"memcached.autoconfigure, memcached.autoconfigure memcached memcached.meta store store.wire rule spi support" })
	void aPackageSeesOnlyWhatLiesBelowIt(String name, String visible) {
		String[] packages = (ROOT + visible.replace(" ", " " + ROOT)).split(" ");
		classes().that()
			.resideInAPackage(ROOT + name)
			.should()
			.onlyDependOnClassesThat(
					resideInAnyPackage(packages).or(DescribedPredicate.not(resideInAnyPackage("dev.ratelimit.."))))
			.check(MAIN);
	}

	@Test
	void onlyTheConfigurationNeedsSpring() {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + "memcached.autoconfigure")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework..", "jakarta..")
			.check(MAIN);
	}

	@Test
	void packagesFormNoCircle() {
		slices().matching("dev.ratelimit.(memcached..)").should().beFreeOfCycles().check(MAIN);
	}

	@Test
	void timeIsThatOfAnInjectedClockAndNamesAreLookedUpByTheWire() {
		noClasses().should()
			.accessTargetWhere(calls(System.class, "currentTimeMillis", "nanoTime").or(calls(Instant.class, "now"))
				.or(calls(InstantSource.class, "system"))
				.or(calls(Thread.class, "sleep", "<init>", "ofPlatform", "ofVirtual"))
				.or(calls(InetAddress.class, "getByName", "getAllByName")))
			.check(MAIN);
	}

	private static DescribedPredicate<JavaAccess<?>> calls(Class<?> owner, String... methods) {
		return new DescribedPredicate<>("target is %s.%s", owner.getSimpleName(), String.join(", ", methods)) {

			@Override
			public boolean test(JavaAccess<?> access) {
				return access.getTargetOwner().isEquivalentTo(owner)
						&& List.of(methods).contains(access.getTarget().getName());
			}

		};
	}

	/** A cursor in what was received, and what was found out about a server. */
	@Test
	void fieldsAreFinalButThese() {
		assertThat(MAIN.stream()
			.flatMap((type) -> type.getFields().stream())
			.filter((field) -> !field.getModifiers().contains(JavaModifier.FINAL))
			.map((field) -> field.getOwner().getSimpleName() + "." + field.getName()))
			.containsExactlyInAnyOrder("MetaCodec.received", "MetaCommands.count", "ServerConnector.unusable");
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(MAIN.stream().map(JavaClass::getPackage).distinct())
			.allMatch((of) -> of.isAnnotatedWith(NullMarked.class));
	}

}
