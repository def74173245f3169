package dev.ratelimit.sample;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.ratelimit.RateLimited;

import org.springframework.stereotype.Service;

/**
 * At most one message with a risky word per sender and day. The limit depends on the
 * body, which a filter does not read, so the rule is on the method.
 */
@Service
class MessageService {

	private static final List<String> RISKY = List.of("lottery", "inheritance", "wire transfer");

	/** Sends nothing, because the sample shows the limits only. */
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
