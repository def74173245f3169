package dev.ratelimit.rule;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class KeySourceTests {

	@ParameterizedTest
	@ValueSource(strings = { "ip", "principal", "session", "global", "header:X-Api-Key", "cookie:__Host-id",
			"query:filter[name]", "path:orgId", "path:org-id", "path:größe", "claim:sub",
			"claim:https://example.com/org", "bean:whoIsAsking", "arg:orderId", "#order.id" })
	void aSourceIsWrittenAsItIsRead(String text) {
		assertThat(KeySource.valueOf(text)).hasToString(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "IP", " ip", "ip:", "ip:x", "header", "header:", "header:X Y", "header:X:Y",
			"cookie:a=b", "cookie:a;b", "path:", "path:1a", "path:a b", "query:", "query: a", "bean:", "bean:a ",
			"claim:", "arg:", "#", "#{a}", "#a ", "nothing:x" })
	void aTextThatIsNoSourceIsRefused(String text) {
		assertThat(catchThrowable(() -> KeySource.valueOf(text))).isInstanceOfSatisfying(InvalidRuleException.class,
				(ex) -> {
					assertThat(ex.property()).isEqualTo("key");
					assertThat(ex.cure()).startsWith("Write ip, principal");
				});
	}

	@Property
	void anyTextIsReadAsWrittenOrRefused(@ForAll String text) {
		try {
			assertThat(KeySource.valueOf(text)).hasToString(text);
		}
		catch (InvalidRuleException ex) {
			assertThat(ex.reason()).isNotBlank();
		}
	}

	@Test
	void clientChosenAndAnonymousSourcesAreDistinguished() {
		assertThat(KeySource.valueOf("header:X").isClientChosen()).isTrue();
		assertThat(KeySource.valueOf("session").isClientChosen()).isFalse();
		assertThat(KeySource.valueOf("claim:sub").isClientChosen()).isFalse();
		assertThat(KeySource.valueOf("ip").isAnonymous()).isTrue();
		assertThat(KeySource.valueOf("principal").isAnonymous()).isFalse();
		assertThat(KeySource.valueOf("claim:sub").isAnonymous()).isFalse();
	}

}
