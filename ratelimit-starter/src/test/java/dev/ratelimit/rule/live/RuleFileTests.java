package dev.ratelimit.rule.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.rule.config.YamlRules;
import dev.ratelimit.spi.InvalidSettingsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class RuleFileTests {

	private static final String RULE = "ratelimit.rules.caf: {paths: '/café', thresholds: 1/s}\n";

	@TempDir
	Path directory;

	private Path file;

	private RuleSource source;

	@BeforeEach
	void source() {
		this.file = this.directory.resolve("limits.yml");
		this.source = RuleFile.source(this.file,
				new YamlRules(new StandardEnvironment(), "ratelimit.rule-source.file", "limits.yml"));
	}

	private String refusal() {
		return catchThrowableOfType(InvalidSettingsException.class, this.source::load).getMessage();
	}

	@Test
	void aFileIsReadAsUtf8WithOrWithoutAByteOrderMark() throws IOException {
		Files.writeString(this.file, RULE);
		assertThat(this.source.load().rules()).flatExtracting((rule) -> rule.requests().paths())
			.containsExactly("/café");
		Files.writeString(this.file, "\uFEFF" + RULE.replace("1/s", "2/s"));
		assertThat(this.source.load().rules()).flatExtracting((rule) -> rule.requests().paths())
			.containsExactly("/café");
	}

	@Test
	void anUnchangedFileIsNotParsedAgainAndItsRefusalIsRepeated() throws IOException {
		Files.writeString(this.file, RULE);
		assertThat(this.source.load()).isSameAs(this.source.load());
		Files.writeString(this.file, RULE.replace("1/s", "1/x"));
		assertThat(refusal()).isEqualTo(refusal()).contains("1/x");
		Files.writeString(this.file, RULE);
		assertThat(this.source.load().rules()).hasSize(1);
	}

	@Test
	void aRefusalNamesWhyTheFileCannotBeRead() throws IOException {
		assertThat(refusal()).contains("ratelimit.rule-source.file 'limits.yml' does not exist. Create it");
		Files.write(this.file, "ratelimit.rules.café.thresholds: 1/s".getBytes(StandardCharsets.ISO_8859_1));
		assertThat(refusal()).contains("is not written in UTF-8");
		Files.writeString(this.file, "#".repeat((1 << 20) + 1));
		assertThat(refusal()).contains("has more than 1048576 bytes");
		Files.delete(this.file);
		Files.createDirectory(this.file);
		assertThat(refusal()).contains("is no file");
	}

}
