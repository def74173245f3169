package dev.ratelimit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.RateLimitDecision.Unavailable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitExceededExceptionTests {

	@Test
	void fromAnotherJvmItHasNoRefusals() throws IOException, ClassNotFoundException {
		RateLimitExceededException thrown = new RateLimitExceededException("refused",
				List.of(new Unavailable("orders", Duration.ofSeconds(1))), true);
		assertThat(thrown.retryAfter()).contains(Duration.ofSeconds(1));
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		new ObjectOutputStream(bytes).writeObject(thrown);
		RateLimitExceededException read = (RateLimitExceededException) new ObjectInputStream(
				new ByteArrayInputStream(bytes.toByteArray()))
			.readObject();
		assertThat(read).hasMessage("refused");
		assertThat(read.getStackTrace()).isEqualTo(thrown.getStackTrace());
		assertThat(read.isOutbound()).isTrue();
		assertThat(read.refusals()).isEmpty();
		assertThat(read.retryAfter()).isEmpty();
	}

}
