package com.example.search;

import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests something else, and sends more requests than the rule admits.
 */
@WebMvcTest
class SearchTests {

	@Autowired
	private MockMvcTester mvc;

	@RepeatedTest(5)
	void theSearchFinds() {
		assertThat(this.mvc.get().uri("/search")).hasStatusOk().bodyText().isEqualTo("found");
	}

}
