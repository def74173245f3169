package dev.ratelimit.rule;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The response to an HTTP request that exceeds the limit of a rule.
 *
 * @param status its status, 400 to 599
 * @param body its body; empty for the problem details of the limiter
 */
public record Refusal(int status, Optional<Body> body) {

	static final ValueRange STATUS = ValueRange.number("refusal.status", 400, 599,
			"Write a status from 400 to 599, such as 402");

	/** Problem details with status 429, for rules that define nothing else. */
	public static final Refusal PROBLEM = new Refusal(429, Optional.empty());

	public Refusal {
		STATUS.require(status);
	}

	/**
	 * A body instead of the problem details.
	 *
	 * @param text its text, which is sent in UTF-8
	 * @param contentType its content type; one of {@code text/*} without a charset gets
	 * {@code charset=UTF-8}
	 */
	public record Body(String text, String contentType) {

		/** The largest body. */
		public static final int MAX_BYTES = 64 * 1024;

		static final String JSON = "application/json";

		private static final String NAME = "[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}";

		private static final Pattern CONTENT_TYPE = Pattern
			.compile(NAME + "/" + NAME + "( *; *charset=[uU][tT][fF]-8)?");

		public Body {
			requireText(text);
			requireContentType(contentType);
			if (contentType.regionMatches(true, 0, "text/", 0, 5) && !contentType.contains(";")) {
				contentType += ";charset=UTF-8";
			}
		}

		static String requireText(String text) {
			int bytes = text.getBytes(StandardCharsets.UTF_8).length;
			if (bytes > MAX_BYTES) {
				throw new InvalidRuleException("refusal.body", ValueRange.sizeText(bytes), "is out of range",
						"Write at most " + ValueRange.sizeText(MAX_BYTES)
								+ ", or have a RateLimitRejectionHandler bean write the response");
			}
			return text;
		}

		static String requireContentType(String contentType) {
			if (!CONTENT_TYPE.matcher(contentType).matches()) {
				throw new InvalidRuleException("refusal.content-type", contentType,
						"is not a type and subtype, with no parameter but charset=UTF-8",
						"Write it like application/xml or text/html;charset=UTF-8");
			}
			return contentType;
		}

	}

}
