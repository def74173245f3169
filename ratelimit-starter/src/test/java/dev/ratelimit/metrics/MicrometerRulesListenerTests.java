package dev.ratelimit.metrics;

import java.util.List;

import dev.ratelimit.rule.live.RuleOrigin;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerRulesListenerTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private double reloads(String source, String outcome) {
		return this.registry.get("ratelimit.rules.reloads")
			.tags("source", source, "outcome", outcome)
			.counter()
			.count();
	}

	@Test
	void countsReloadsByOriginAndOutcome() {
		MicrometerRulesListener listener = new MicrometerRulesListener(List.of(RuleOrigin.FILE, RuleOrigin.JDBC),
				this.registry);
		assertThat(this.registry.getMeters()).hasSize(4);
		listener.changed(RuleOrigin.FILE);
		listener.refused(RuleOrigin.JDBC);
		listener.refused(RuleOrigin.JDBC);
		listener.changed(RuleOrigin.BEAN);
		assertThat(reloads("file", "success")).isEqualTo(1);
		assertThat(reloads("file", "failure")).isZero();
		assertThat(reloads("jdbc", "failure")).isEqualTo(2);
		assertThat(this.registry.getMeters()).hasSize(4);
	}

}
