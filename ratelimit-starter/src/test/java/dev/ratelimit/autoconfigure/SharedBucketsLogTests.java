package dev.ratelimit.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class SharedBucketsLogTests {

	@Test
	void namesTheRuleAndTheCure(CapturedOutput output) {
		SharedBucketsLog.warn("login");
		assertThat(output.getAll()).contains("WARN").contains("Rule login").contains("key: ip");
	}

}
