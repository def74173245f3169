package dev.ratelimit.queue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What this module uses of the starter: what every module may use.
 */
class ModuleTests {

	private static final String ROOT = "dev.ratelimit";

	private static final JavaClasses MAIN = new ClassFileImporter()
		.importUrl(Enqueue.class.getProtectionDomain().getCodeSource().getLocation());

	@Test
	void aModuleSeesOnlyWhatIsMeantForModules() {
		classes().should()
			.onlyDependOnClassesThat(resideInAnyPackage(ROOT + ".queue..", ROOT, ROOT + ".rule", ROOT + ".store",
					ROOT + ".spi", ROOT + ".support")
				.or(DescribedPredicate.not(resideInAnyPackage(ROOT + ".."))))
			.check(MAIN);
	}

	@Test
	void springIsUsedByTheConfigurationAndTheStateRouteAndMicrometerByTheMeters() {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + ".queue.autoconfigure")
			.and()
			.doNotHaveSimpleName("QueueStates")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework..")
			.check(MAIN);
		noClasses().that()
			.haveNameNotMatching(".*(QueueMetersConfiguration|MicrometerQueueListener).*")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.micrometer..")
			.check(MAIN);
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(MAIN.stream().map(JavaClass::getPackage).distinct())
			.allMatch((of) -> of.isAnnotatedWith(NullMarked.class));
	}

}
