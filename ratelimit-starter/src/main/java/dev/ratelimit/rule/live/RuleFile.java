package dev.ratelimit.rule.live;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.rule.config.YamlRules;

/**
 * Reads a file of rules.
 */
public final class RuleFile {

	/** Far more than a file of rules needs. */
	private static final int MAX_BYTES = 1 << 20;

	private static final String BYTE_ORDER_MARK = "\uFEFF";

	private final Path file;

	private final YamlRules yaml;

	private RuleFile(Path file, YamlRules yaml) {
		this.file = file;
		this.yaml = yaml;
	}

	/**
	 * Read the rules of a file: UTF-8, at most 1 MB, in the form of
	 * {@code application.yml}.
	 * @param file the file
	 * @param yaml reads the YAML
	 * @return its rules, parsed when the file has changed
	 */
	public static RuleSource source(Path file, YamlRules yaml) {
		return new CachingRuleSource<>(new RuleFile(file, yaml)::text, yaml::document);
	}

	private String text() {
		if (!Files.isRegularFile(this.file)) {
			throw this.yaml.invalid(Files.exists(this.file) ? "is no file" : "does not exist",
					"Create it, or correct the name");
		}
		try (InputStream stream = Files.newInputStream(this.file)) {
			byte[] bytes = stream.readNBytes(MAX_BYTES + 1);
			if (bytes.length > MAX_BYTES) {
				throw this.yaml.invalid("has more than " + MAX_BYTES + " bytes", "Name a file of rules");
			}
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
		}
		catch (CharacterCodingException ex) {
			throw this.yaml.invalid("is not written in UTF-8", "Save it in UTF-8");
		}
		catch (AccessDeniedException ex) {
			throw this.yaml.invalid("must not be read by this process", "Let its user read it");
		}
		catch (IOException ex) {
			throw this.yaml.invalid("cannot be read: " + ex, "See to it that it can");
		}
	}

}
