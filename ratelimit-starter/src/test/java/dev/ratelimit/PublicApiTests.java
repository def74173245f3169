package dev.ratelimit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.ratelimit.fixture.Golden;
import org.junit.jupiter.api.Test;

/**
 * The public API grows only on purpose: a new public type, or another member of a type
 * that users import, is a difference to a golden file.
 */
class PublicApiTests {

	private static final Path PAGES = Path.of("../docs");

	private static final Set<String> PACKAGES_OF_USERS = Set.of("dev.ratelimit", "dev.ratelimit.rule");

	private static final String NAMES_OF_USERS = ".*(Event|Listener|Resolver|Handler|Condition|Interceptor)";

	@Test
	void everyPublicTypeIsListed() {
		Golden.assertUnchanged("public-types.txt", lines(publicTypes().map(JavaClass::getName)));
	}

	@Test
	void everyMemberOfATypeThatUsersImportIsListed() {
		String pages = pages();
		Set<JavaClass> types = new HashSet<>();
		publicTypes().filter((type) -> isOfUsers(type, pages)).forEach((type) -> addWithMentioned(type, types));
		Golden.assertUnchanged("public-members.txt",
				lines(types.stream().flatMap(PublicApiTests::members).map(PublicApiTests::signature)));
	}

	/** Also the types that its members return, take or hold, and so on. */
	private static void addWithMentioned(JavaClass type, Set<JavaClass> types) {
		if (types.add(type)) {
			members(type).flatMap((member) -> member.getAllInvolvedRawTypes().stream())
				.map(JavaClass::getBaseComponentType)
				.filter((mentioned) -> mentioned.getPackageName().startsWith("dev.ratelimit") && isPublic(mentioned))
				.forEach((mentioned) -> addWithMentioned(mentioned, types));
		}
	}

	private static Stream<JavaClass> publicTypes() {
		return new ClassFileImporter().importUrl(RateLimiter.class.getProtectionDomain().getCodeSource().getLocation())
			.stream()
			.filter(PublicApiTests::isPublic);
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(PublicApiTests::isPublic).orElse(true);
	}

	/** As docs/compatibility.md says. */
	private static boolean isOfUsers(JavaClass type, String pages) {
		JavaClass outermost = type;
		while (outermost.getEnclosingClass().isPresent()) {
			outermost = outermost.getEnclosingClass().get();
		}
		String name = outermost.getSimpleName();
		return PACKAGES_OF_USERS.contains(type.getPackageName())
				|| (name.matches(NAMES_OF_USERS) && pages.contains("`" + name + "`"));
	}

	private static Stream<JavaMember> members(JavaClass type) {
		return type.getMembers().stream().filter(PublicApiTests::isAccessible);
	}

	private static boolean isAccessible(JavaMember member) {
		return (member.getModifiers().contains(JavaModifier.PUBLIC)
				|| member.getModifiers().contains(JavaModifier.PROTECTED))
				&& !member.getModifiers().contains(JavaModifier.SYNTHETIC);
	}

	private static String signature(JavaMember member) {
		String type = (member instanceof JavaField field) ? field.getRawType().getName()
				: ((JavaCodeUnit) member).getRawReturnType().getName();
		boolean isStatic = member.getModifiers().contains(JavaModifier.STATIC);
		return (isStatic ? "static " : "") + type + " " + member.getFullName();
	}

	private static String pages() {
		try (Stream<Path> pages = Files.list(PAGES)) {
			return pages.filter((page) -> page.toString().endsWith(".md"))
				.map(PublicApiTests::read)
				.collect(Collectors.joining());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String lines(Stream<String> lines) {
		return lines.map((line) -> line + "\n").sorted().collect(Collectors.joining());
	}

}
