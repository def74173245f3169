package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.wire.NodeCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of failures in docs/redis.md agrees with the code, and names tests that
 * exist.
 */
class StoreFailureTableTests {

	private static final Pattern TEST = Pattern.compile("`(\\w+Tests)\\.(\\w+)`");

	static List<String> rows() throws IOException {
		List<String> lines = Files.readAllLines(Path.of("../docs/redis.md"));
		int heading = lines.indexOf("| what happens | meaning | the connection | shown by |");
		return lines.subList(heading + 2, lines.size()).stream().takeWhile((line) -> line.startsWith("| ")).toList();
	}

	@ParameterizedTest
	@EnumSource
	void everyErrorPrefixHasItsRow(ErrorPrefix prefix) throws IOException {
		List<String> rows = rows().stream().filter((row) -> row.startsWith("| `" + prefix + "`")).toList();
		assertThat(rows).hasSize(1);
		String[] cells = rows.get(0).split("\\|", -1);
		assertThat(cells[2].strip()).isEqualTo("`" + prefix.failure() + "`");
		assertThat(cells[3].strip()).startsWith(prefix.endsConnection() ? "closed, with all idle ones" : "kept");
	}

	@Test
	void everyMeaningOfTheStoreIsProvoked() throws IOException {
		String meanings = String.join("\n", rows());
		assertThat(Stream.of(StoreFailure.values()).filter((failure) -> failure != StoreFailure.CIRCUIT_OPEN))
			.allSatisfy((failure) -> assertThat(meanings).contains("| `" + failure + "`"));
	}

	@ParameterizedTest
	@MethodSource("rows")
	void everyRowNamesTestsThatExist(String row) {
		assertThat(TEST.matcher(row).results()).isNotEmpty().allSatisfy((test) -> {
			Class<?> type = type(test.group(1));
			assertThat(Arrays.stream(type.getDeclaredMethods()))
				.anyMatch((method) -> method.getName().equals(test.group(2)));
		});
	}

	/** In this package, or in those of the store and of what sends its calls. */
	private static Class<?> type(String name) {
		return Stream.of(StoreFailureTableTests.class, RedisStore.class, NodeCall.class)
			.map((neighbour) -> neighbour.getPackageName() + "." + name)
			.filter((candidate) -> ClassUtils.isPresent(candidate, null))
			.map((candidate) -> ClassUtils.resolveClassName(candidate, null))
			.findFirst()
			.orElseThrow();
	}

}
