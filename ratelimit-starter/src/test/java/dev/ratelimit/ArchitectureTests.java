package dev.ratelimit;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.ratelimit.fixture.Golden;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.support.Pending;
import dev.ratelimit.web.Route;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Where a thing lives, and who may see it.
 */
class ArchitectureTests {

	private static final String ARROWS = """
			.: . rule
			support: support
			rule: rule
			rule.config: rule.config rule spi
			rule.lint: rule.lint rule
			rule.live: rule.live rule rule.config spi
			store: store rule
			spi: spi store rule
			store.memory: store.memory store rule
			store.wire: store.wire store
			outbound: outbound .
			store.redis: store.redis store.redis.resp store.wire spi store rule
			store.redis.resp: store.redis.resp store.wire store
			limiter: limiter limiter.source limiter.refusal limiter.instances limiter.remote limiter.health . rule spi store
			limiter.refusal: limiter.refusal limiter.source store rule
			limiter.instances: limiter.instances spi store rule
			limiter.health: limiter.health . store
			limiter.remote: limiter.remote limiter.health . store
			limiter.source: limiter.source . rule store
			limiter.lease: limiter.lease limiter.source limiter.remote limiter.health . store rule
			limiter.rules: limiter.rules limiter . rule rule.live
			limiter.sync: limiter.sync limiter.source limiter.instances limiter.remote limiter.health . store rule
			web: web web.key web.condition . rule spi store limiter
			web.servlet: web.servlet web.servlet.outcome web web.key web.claim . rule spi limiter
			web.servlet.outcome: web.servlet.outcome web
			web.claim: web.claim
			web.key: web.key web.claim . rule limiter
			web.condition: web.condition web.key rule
			method: method method.annotated . rule limiter
			method.annotated: method.annotated . rule
			metrics: metrics . rule spi rule.live limiter limiter.rules limiter.remote limiter.health limiter.sync store
			openapi: openapi web limiter rule
			actuate: actuate actuate.insight actuate.descriptor . rule rule.live spi store limiter limiter.remote limiter.health limiter.instances web
			actuate.insight: actuate.insight . rule store limiter limiter.rules
			actuate.descriptor: actuate.descriptor rule rule.live actuate.insight web store
			""";

	private static final String ROOT = "dev.ratelimit";

	private static final Path CONTRIBUTING = Path.of("../CONTRIBUTING.md");

	/** Bounds the real time of waiting on a socket, which no clock of a test can move. */
	private static final String DEADLINE = "dev.ratelimit.store.wire.Deadline";

	private static final JavaClasses MAIN = classesBeside(RateLimiter.class);

	private static final JavaClasses TESTS = classesBeside(ArchitectureTests.class);

	private static JavaClasses classesBeside(Class<?> type) {
		return new ClassFileImporter().importUrl(type.getProtectionDomain().getCodeSource().getLocation());
	}

	/** What each package may use. */
	static Stream<Arguments> arrows() {
		return ARROWS.lines().map((line) -> arguments((Object[]) line.split(": ")));
	}

	private static String[] packages(String names) {
		return Arrays.stream(names.split(" ")).map(ArchitectureTests::full).toArray(String[]::new);
	}

	private static String full(String name) {
		return ".".equals(name) ? ROOT : ROOT + "." + name;
	}

	private static DescribedPredicate<JavaClass> ours() {
		return resideInAnyPackage(ROOT + "..");
	}

	@ParameterizedTest
	@MethodSource("arrows")
	void aPackageSeesOnlyWhatLiesBelowIt(String name, String visible) {
		classes().that()
			.resideInAPackage(full(name))
			.should()
			.onlyDependOnClassesThat(resideInAnyPackage(packages(visible)).or(DescribedPredicate.not(ours()))
				.or(resideInAPackage(full("support"))))
			.check(MAIN);
	}

	@Test
	void everyPackageHasItsArrows() {
		Stream<String> packages = arrows().map((row) -> full((String) row.get()[0]));
		assertThat(MAIN).extracting(JavaClass::getPackageName)
			.isSubsetOf(Stream.concat(packages, Stream.of(full("autoconfigure"))).toList());
	}

	/** A store of one's own has whatever ours has, by its capabilities. */
	@Test
	void nothingAsksWhichStoreItIs() {
		assertThat(MAIN).flatExtracting(JavaClass::getInstanceofChecks)
			.filteredOn((check) -> check.getRawType().isAssignableTo(RateLimitStore.class))
			.isEmpty();
		assertThat(MAIN.get(RateLimitStore.class).getMethods())
			.allMatch((method) -> method.getModifiers().contains(JavaModifier.ABSTRACT));
	}

	/** The decider in web is for every web stack: an adapter executes its actions. */
	@Test
	void anAdapterDecidesNothing() {
		noClasses().that()
			.resideInAPackage(full("web.servlet.."))
			.should()
			.dependOnClassesThat()
			.belongToAnyOf(RequestLimiter.class, RequestDecision.class, RuleDecision.class, RuleRequest.class)
			.check(MAIN);
	}

	@Test
	void onlyAdaptersBlockingCallsAndBackgroundWorkWait() throws IOException {
		String listed = Files.readAllLines(CONTRIBUTING)
			.stream()
			.dropWhile((line) -> !line.contains("It is awaited by"))
			.takeWhile((line) -> !line.isBlank())
			.collect(Collectors.joining(" "))
			.replaceAll("^.*It is awaited by", "")
			.replace("`ArchitectureTests`", "");
		assertThat(MAIN.stream()
			.filter((type) -> !type.isAssignableTo(Pending.class))
			.filter((type) -> type.getMethodCallsFromSelf()
				.stream()
				.anyMatch((call) -> call.getTargetOwner().isAssignableTo(Pending.class)
						&& call.getName().equals("await")))
			.map(JavaClass::getSimpleName)).containsExactlyInAnyOrderElementsOf(
					Pattern.compile("`(\\w+)`").matcher(listed).results().map((name) -> name.group(1)).toList());
	}

	@Test
	void onlyTheWiringUsesItself() {
		noClasses().that()
			.resideOutsideOfPackage(full("autoconfigure"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(full("autoconfigure"))
			.check(MAIN);
	}

	@Test
	void packagesFormNoCircle() {
		slices().matching("(dev.ratelimit..)").should().beFreeOfCycles().check(MAIN);
	}

	@ParameterizedTest
	@CsvSource({ "redis.clients.., store.redis.resp", "org.springframework.boot.data.redis.., autoconfigure",
			"jakarta.servlet.., spi web.servlet web.servlet.outcome autoconfigure",
			"org.springframework.web.servlet.., web.servlet autoconfigure",
			"org.springframework.web.filter.., web.servlet autoconfigure",
			"org.springframework.web.cors.., web.servlet autoconfigure",
			"org.springframework.web.context.., web.servlet autoconfigure",
			"org.springframework.web.., web web.servlet openapi autoconfigure",
			"org.springframework.boot.restclient.., autoconfigure", "org.springframework.boot.tomcat.., autoconfigure",
			"org.apache.catalina.., autoconfigure", "org.apache.coyote.., autoconfigure",
			"org.springframework.http.., web web.key web.servlet outbound openapi autoconfigure",
			"io.swagger.., openapi", "org.springdoc.., openapi autoconfigure",
			"org.springframework.security.., web.claim autoconfigure",
			"org.springframework.expression.., web.condition method", "io.micrometer.., spi metrics autoconfigure",
			"org.springframework.boot.actuate.., actuate actuate.descriptor autoconfigure",
			"org.springframework.boot.health.., actuate autoconfigure",
			"org.springframework.boot.autoconfigure.., autoconfigure", "org.springframework.boot.sql.., autoconfigure",
			"org.yaml.., rule.config", "java.sql.., rule.live" })
	void aLibraryIsKnownToItsPackagesOnly(String library, String packages) {
		noClasses().that(resideOutsideOfPackages(packages(packages)))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(library)
			.check(MAIN);
	}

	@Test
	void theGroundKnowsNoFramework() {
		classes().that()
			.resideInAnyPackage(packages(". rule store store.memory"))
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "org.jspecify.annotations", ROOT + "..")
			.check(MAIN);
	}

	@Test
	void whatSeveralPackagesNeedKnowsOnlyALog() {
		classes().that()
			.resideInAPackage(full("support"))
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "org.jspecify.annotations", "org.apache.commons.logging", full("support"))
			.check(MAIN);
	}

	/** The application need not have them, and the starter does not bring them. */
	@Test
	void whatBootWouldConfigureIsNotUsed() {
		noClasses().should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.data..", "com.github.benmanes.caffeine..",
					"org.apache.commons.pool2..", "io.lettuce..", "com.google.gson..", "org.json..")
			.check(MAIN);
	}

	@Test
	void onlyTheWiringChoosesAClock() {
		noClasses().that()
			.resideOutsideOfPackage(full("autoconfigure"))
			.and()
			.doNotHaveFullyQualifiedName(DEADLINE)
			.should()
			.accessTargetWhere(readsTime().or(calls(InstantSource.class, "system"))
				.or(calls(Clock.class, "system", "systemUTC", "systemDefaultZone")))
			.check(MAIN);
	}

	@Test
	void theWiringHandsClocksOnAndReadsNone() {
		noClasses().that().doNotHaveFullyQualifiedName(DEADLINE).should().callMethodWhere(readsTime()).check(MAIN);
	}

	private static DescribedPredicate<JavaAccess<?>> readsTime() {
		return calls(System.class, "currentTimeMillis", "nanoTime").or(calls(Instant.class, "now"));
	}

	@Test
	void noThreadSleeps() {
		ArchRule rule = noClasses().should()
			.accessTargetWhere(calls(Thread.class, "sleep", "onSpinWait").or(calls(TimeUnit.class, "sleep")));
		rule.check(MAIN);
		rule.check(TESTS);
	}

	/** One of seven factories had forgotten the class loader. */
	@Test
	void threadsAreMadeInOnePlace() {
		noClasses().that()
			.haveNameNotMatching("dev\\.ratelimit\\.support\\.DaemonThreads.*")
			.should()
			.accessTargetWhere(calls(Thread.class, "<init>", "ofPlatform", "ofVirtual"))
			.check(MAIN);
	}

	@Test
	void noNameIsLookedUpButThatOfTheStore() {
		noClasses().that()
			.doNotHaveFullyQualifiedName("dev.ratelimit.store.wire.ServerSockets")
			.should()
			.accessTargetWhere(
					calls(InetAddress.class, "getByName", "getAllByName", "getHostName", "getCanonicalHostName"))
			.check(MAIN);
	}

	@Test
	void theCaseOfATextNeverDependsOnTheMachine() {
		noClasses().should().callMethod(String.class, "toLowerCase").check(MAIN);
		noClasses().should().callMethod(String.class, "toUpperCase").check(MAIN);
	}

	/**
	 * What changes: a cursor, a log, what was discovered last. Builders change as a
	 * whole.
	 */
	@Test
	void fieldsAreFinalUnlessTheyAreListed() {
		Golden.assertUnchanged("changing-fields.txt",
				MAIN.stream()
					.flatMap((type) -> type.getFields().stream())
					.filter((field) -> !field.getModifiers().contains(JavaModifier.FINAL))
					.map((field) -> field.getOwner().getSimpleName() + "." + field.getName() + "\n")
					.filter((name) -> !name.startsWith("RLConfigBuilder."))
					.sorted()
					.collect(Collectors.joining()));
	}

	/** Leases, counts and caches belong to them, and survive a reload with them. */
	@ParameterizedTest
	@ValueSource(classes = { Limit.class, CompiledRule.class, Route.class })
	void whatHasAnIdentityEqualsNothingElse(Class<?> type) throws NoSuchMethodException {
		assertThat(type.getMethod("equals", Object.class).getDeclaringClass()).isEqualTo(Object.class);
	}

	/** The search for annotations passes over them. */
	@Test
	void noTypeOfTheStarterIsAnnotated() {
		for (Class<? extends Annotation> annotation : List.of(RateLimited.class, RateLimitExempt.class)) {
			noClasses().should().beMetaAnnotatedWith(annotation).check(MAIN);
			noMethods().should().beMetaAnnotatedWith(annotation).check(MAIN);
		}
	}

	/** {@code OnLimit} is the form of one thing in annotations, and in rules. */
	@Test
	void aNameMeansOneThing() {
		Map<String, List<String>> types = MAIN.stream()
			.filter((type) -> !type.getSimpleName().isEmpty() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getSimpleName,
					Collectors.mapping(JavaClass::getName, Collectors.toList())));
		types.remove("OnLimit");
		assertThat(types.values()).filteredOn((sameName) -> sameName.size() > 1).isEmpty();
	}

	/** The metadata names it, and editors look into it. */
	@Test
	void noCodeUsesTheTypeThatEditorsRead() {
		String name = "dev\\.ratelimit\\.rule\\.config\\.RuleSettings.*";
		assertThat(MAIN.stream().filter((type) -> type.getName().matches(name))).hasSize(7)
			.allMatch((type) -> type.isEnum() || type.getModifiers().contains(JavaModifier.ABSTRACT));
		noClasses().that().haveNameNotMatching(name).should().dependOnClassesThat().haveNameMatching(name).check(MAIN);
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(MAIN.getPackage(ROOT).getSubpackagesInTree()).isNotEmpty()
			.allSatisfy(
					(subpackage) -> assertThat(subpackage.isAnnotatedWith(NullMarked.class)).as(subpackage.getName())
						.isTrue());
		assertThat(MAIN.getPackage(ROOT).isAnnotatedWith(NullMarked.class)).isTrue();
	}

	private static DescribedPredicate<JavaAccess<?>> calls(Class<?> owner, String... methods) {
		return new DescribedPredicate<>("target is %s.%s", owner.getSimpleName(), List.of(methods)) {

			@Override
			public boolean test(JavaAccess<?> access) {
				return access.getTargetOwner().isEquivalentTo(owner)
						&& List.of(methods).contains(access.getTarget().getName());
			}

		};
	}

}
