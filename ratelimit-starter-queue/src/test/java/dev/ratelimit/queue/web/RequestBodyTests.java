package dev.ratelimit.queue.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a form is stored of which a filter has read the parameters.
 */
class RequestBodyTests {

	private final AtomicInteger queries = new AtomicInteger();

	private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders") {

		@Override
		public String getQueryString() {
			RequestBodyTests.this.queries.incrementAndGet();
			return super.getQueryString();
		}

	};

	RequestBodyTests() {
		this.request.setContentType("application/x-www-form-urlencoded");
		this.request.setCharacterEncoding("UTF-8");
		this.request.setContent(new byte[0]);
	}

	private RequestBody.Result read(int maxBytes) throws IOException {
		return RequestBody.read(this.request, maxBytes, new SlowBodies(System::nanoTime));
	}

	@Test
	void parametersOfTheQueryAreNotStored() throws IOException {
		this.request.setQueryString("a=1&b=2&a=3&c");
		this.request.setParameter("a", "1", "3", "of the form");
		this.request.setParameter("b", "2");
		this.request.setParameter("d", "x y");
		assertThat(read(1000)).isInstanceOfSatisfying(RequestBody.Read.class,
				(body) -> assertThat(new String(body.bytes(), StandardCharsets.UTF_8))
					.isEqualTo("a=of+the+form&d=x+y"));
	}

	@ParameterizedTest
	@CsvSource({ "a%5b0%5d=7, a[0]", "x%20y=7, x y", "~!=7, ~!", "%zz=7&a=7, a" })
	void parametersOfTheQueryAreKnownInAnySpelling(String query, String name) throws IOException {
		this.request.setQueryString(query);
		this.request.setParameter(name, "7");
		this.request.setParameter("n", "1");
		assertThat(read(1000)).isInstanceOfSatisfying(RequestBody.Read.class,
				(body) -> assertThat(new String(body.bytes(), StandardCharsets.UTF_8)).isEqualTo("n=1"));
	}

	/**
	 * A client could otherwise have each of its names looked for among all the others.
	 */
	@Test
	void theQueryIsReadOnceHoweverManyNamesThereAre() throws IOException {
		this.request.setQueryString(IntStream.range(0, 1000).mapToObj((i) -> "n" + i).collect(Collectors.joining("&")));
		IntStream.range(0, 1000).forEach((i) -> this.request.setParameter("n" + i, "", "1"));
		assertThat(read(100_000)).isInstanceOf(RequestBody.Read.class);
		assertThat(this.queries).hasValue(1);
	}

	@Test
	void aFormThatIsTooLargeIsNotStored() throws IOException {
		this.request.setParameter("a", "12345");
		assertThat(read(7)).isInstanceOf(RequestBody.Read.class);
		assertThat(read(6)).isEqualTo(new RequestBody.TooLarge());
	}

}
