package dev.ratelimit.sample;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.ratelimit.RateLimited;

import org.springframework.stereotype.Service;

/**
 * One message with a risky word per sender and day. That depends on the body, which a
 * filter does not read, so the rule sits on the method.
 */
@Service
class MessageService {

	private static final List<String> RISKY = List.of("lottery", "inheritance", "wire transfer");

	/** Sends nothing: the sample is about the limits. */
	@RateLimited(value = "risky-message", key = "#message.sender()", when = "#message.risky()")
	void send(Message message) {
	}

	record Message(String sender, String text) {

		Message {
			Objects.requireNonNull(sender);
			Objects.requireNonNull(text);
		}

		public boolean risky() {
			String lowerCase = this.text.toLowerCase(Locale.ROOT);
			return RISKY.stream().anyMatch(lowerCase::contains);
		}

	}

}
