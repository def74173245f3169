package dev.ratelimit.rule.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * YAML from an untrusted author. Boot's own loader reads it, so that every value has its
 * line; but Boot trusts its input, so the size is checked first.
 */
final class YamlText {

	/**
	 * The limit counts expanded aliases, because a few lines could expand to billions of
	 * nodes.
	 */
	private static final int MAX_NODES = 100_000;

	/** Boot gives each value the keys of all nodes above it as its name. */
	private static final int MAX_NAMES_LENGTH = 20_000_000;

	/** An alias inside its own target is nested without end. */
	private static final int MAX_DEPTH = 500;

	private final String property;

	private final Resource resource;

	private final String text;

	private int nodes;

	private long namesLength;

	/**
	 * Create a document.
	 * @param property the setting that locates it, for messages
	 * @param description describes it
	 * @param text its text
	 */
	YamlText(String property, String description, String text) {
		this.property = property;
		this.resource = new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)) {

			@Override
			public String getDescription() {
				return description;
			}

		};
		this.text = text;
	}

	/**
	 * Read the document.
	 * @return the values with their origins, by the names that Boot assigns
	 * @throws InvalidSettingsException if it is not one document of YAML, or too large
	 */
	Map<String, Object> settings() {
		try {
			requireOneDocument();
			Map<String, Object> settings = new LinkedHashMap<>();
			for (PropertySource<?> source : new YamlPropertySourceLoader().load("rules", this.resource)) {
				if (source instanceof MapPropertySource values) {
					settings.putAll(values.getSource());
				}
			}
			return settings;
		}
		catch (MarkedYAMLException ex) {
			throw unreadable("is not YAML: " + ex.getProblem(), Optional.ofNullable(ex.getProblemMark())
				.map((mark) -> new TextResourceOrigin(this.resource, new Location(mark.getLine(), mark.getColumn()))));
		}
		catch (YAMLException | IllegalStateException | IOException ex) {
			throw unreadable("is not YAML: " + ex.getMessage(), Optional.empty());
		}
	}

	private InvalidSettingsException unreadable(String reason, Optional<Origin> origin) {
		return new InvalidSettingsException(
				List.of(new Problem(this.property, this.resource.getDescription(), origin, reason, "Correct it")));
	}

	private void requireOneDocument() {
		LoaderOptions options = new LoaderOptions();
		options.setMaxAliasesForCollections(Integer.MAX_VALUE);
		Iterator<Node> documents = new Yaml(new SafeConstructor(options)).composeAll(new StringReader(this.text))
			.iterator();
		if (documents.hasNext()) {
			count(documents.next(), 0, 0);
		}
		if (documents.hasNext()) {
			throw unreadable("has more than one document (---)", Optional.empty());
		}
	}

	/** Counts what Boot will expand, and ends as soon as it is too much. */
	private void count(Node node, int depth, long nameLength) {
		this.nodes++;
		this.namesLength += nameLength;
		if (this.nodes >= MAX_NODES || this.namesLength >= MAX_NAMES_LENGTH || depth >= MAX_DEPTH) {
			throw unreadable(
					"has more than " + MAX_NODES
							+ " values, with its aliases (*) written out, or names that are far too long",
					Optional.empty());
		}
		if (node instanceof MappingNode mapping) {
			for (NodeTuple entry : mapping.getValue()) {
				if (!(entry.getKeyNode() instanceof ScalarNode key)) {
					throw unreadable("has a name that is no text", Optional.empty());
				}
				count(key, depth + 1, nameLength);
				count(entry.getValueNode(), depth + 1, nameLength + key.getValue().length());
			}
		}
		else if (node instanceof SequenceNode sequence) {
			sequence.getValue().forEach((element) -> count(element, depth + 1, nameLength));
		}
	}

}
