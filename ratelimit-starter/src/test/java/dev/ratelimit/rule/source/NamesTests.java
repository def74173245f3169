package dev.ratelimit.rule.source;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class NamesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "a | a", "a.b | a;b", "a.b[0] | a;b;0", "a[0].b | a;0;b", "a[x.y].b | a;x.y;b", "a..b | a;;b",
					"a. | a;", "a[0][1] | a;0;1", "a:b{c}.d | a:b{c};d", "a[0]x.b | a;0;x;b" })
	void elementsAreKeptAsWritten(String name, String elements) {
		assertThat(String.join(";", Names.elements(name))).isEqualTo(elements);
	}

	@Test
	void spellingsOfOneNameAreEqual() {
		assertThat(List.of("get-product", "getProduct", "get_product", "GETPRODUCT"))
			.allSatisfy((name) -> assertThat(Names.uniform(name)).isEqualTo("getproduct"));
	}

	@Test
	void strayCharactersMakeAnotherName() {
		assertThat(Names.uniform("a:b")).isNotEqualTo(Names.uniform("ab"));
	}

	@Test
	void theNearestNameIsAtMostTwoLettersAway() {
		List<String> names = List.of("thresholds", "methods", "key");
		assertThat(Names.nearest("treshold", names)).hasValue("thresholds");
		assertThat(Names.nearest("method", names)).hasValue("methods");
		assertThat(Names.nearest("mode", names)).isEmpty();
		assertThat(Names.nearest("x", names)).isEmpty();
	}

}
