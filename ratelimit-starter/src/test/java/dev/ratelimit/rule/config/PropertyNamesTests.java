package dev.ratelimit.rule.config;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PropertyNamesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "a | a", "a.b | a;b", "a.b[0] | a;b;0", "a[0].b | a;0;b", "a[x.y].b | a;x.y;b", "a..b | a;;b",
					"a. | a;", "a[0][1] | a;0;1", "a:b{c}.d | a:b{c};d", "a[0]x.b | a;0;x;b" })
	void elementsAreKeptAsWritten(String name, String elements) {
		assertThat(String.join(";", PropertyNames.elements(name))).isEqualTo(elements);
	}

	@Test
	void spellingsOfOneNameAreEqual() {
		assertThat(List.of("get-product", "getProduct", "get_product", "GETPRODUCT"))
			.allSatisfy((name) -> assertThat(PropertyNames.uniform(name)).isEqualTo("getproduct"));
	}

	@Test
	void strayCharactersMakeAnotherName() {
		assertThat(PropertyNames.uniform("a:b")).isNotEqualTo(PropertyNames.uniform("ab"));
	}

	@Test
	void theNearestNameIsAtMostTwoLettersAway() {
		List<String> names = List.of("thresholds", "methods", "key");
		assertThat(PropertyNames.nearest("treshold", names)).hasValue("thresholds");
		assertThat(PropertyNames.nearest("method", names)).hasValue("methods");
		assertThat(PropertyNames.nearest("mode", names)).isEmpty();
		assertThat(PropertyNames.nearest("x", names)).isEmpty();
	}

}
