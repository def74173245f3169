package dev.ratelimit.rule.source;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.AbstractResource;

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

	private final Text resource;

	private final String text;

	YamlText(String description, String text) {
		this.resource = new Text(description, text);
		this.text = text;
	}

	/**
	 * Read the document.
	 * @return the values with their origins, by the names that Boot assigns
	 * @throws UnreadableException if it is not one document of YAML, or too large
	 */
	Map<String, Object> settings() throws UnreadableException {
		try {
			requireOneDocument();
			Map<String, Object> settings = new LinkedHashMap<>();
			for (PropertySource<?> source : new YamlPropertySourceLoader().load("rules", this.resource)) {
				if (source instanceof EnumerablePropertySource<?> properties
						&& properties.getSource() instanceof Map<?, ?> values) {
					values.forEach((name, value) -> settings.put(String.valueOf(name), value));
				}
			}
			return settings;
		}
		catch (MarkedYAMLException ex) {
			Optional<Origin> origin = Optional.ofNullable(ex.getProblemMark())
				.map((mark) -> new TextResourceOrigin(this.resource, new Location(mark.getLine(), mark.getColumn())));
			throw new UnreadableException("is not YAML: " + ex.getProblem(), origin);
		}
		catch (YAMLException | IllegalStateException | IOException ex) {
			throw new UnreadableException("is not YAML: " + ex.getMessage(), Optional.empty());
		}
	}

	private void requireOneDocument() throws UnreadableException {
		LoaderOptions options = new LoaderOptions();
		options.setMaxAliasesForCollections(Integer.MAX_VALUE);
		Iterator<Node> documents = new Yaml(new SafeConstructor(options)).composeAll(new StringReader(this.text))
			.iterator();
		if (documents.hasNext()) {
			Size ignored = size(documents.next(), new IdentityHashMap<>());
		}
		if (documents.hasNext()) {
			throw new UnreadableException("has more than one document (---)", Optional.empty());
		}
	}

	/**
	 * The size with all aliases expanded. The target of an alias precedes it, so the
	 * recursion is no deeper than the nesting of the text.
	 */
	private static Size size(Node node, Map<Node, Size> known) throws UnreadableException {
		Size size = known.get(node);
		if (size == null) {
			known.put(node, Size.TOO_LARGE);
			size = sizeBelow(node, known);
			known.put(node, size);
		}
		if (size.nodes() >= MAX_NODES || size.names() >= MAX_NAMES_LENGTH) {
			throw new UnreadableException(
					"has more than " + MAX_NODES
							+ " values, with its aliases (*) written out, or names that are far too long",
					Optional.empty());
		}
		return size;
	}

	private static Size sizeBelow(Node node, Map<Node, Size> known) throws UnreadableException {
		Size size = new Size(1, 0);
		if (node instanceof MappingNode mapping) {
			for (NodeTuple entry : mapping.getValue()) {
				if (!(entry.getKeyNode() instanceof ScalarNode key)) {
					throw new UnreadableException("has a name that is no text", Optional.empty());
				}
				size = size.with(size(key, known), 0).with(size(entry.getValueNode(), known), key.getValue().length());
			}
		}
		else if (node instanceof SequenceNode sequence) {
			for (Node element : sequence.getValue()) {
				size = size.with(size(element, known), 0);
			}
		}
		return size;
	}

	/**
	 * The size of a node and all below it.
	 *
	 * @param nodes how many nodes there are
	 * @param names how long the names of all of them are together
	 */
	private record Size(long nodes, long names) {

		static final Size TOO_LARGE = new Size(MAX_NODES, 0);

		Size with(Size child, long keyLength) {
			return new Size(this.nodes + child.nodes, this.names + child.names + keyLength * child.nodes);
		}

	}

	/** Opened again to read the spelling of a value. */
	private static final class Text extends AbstractResource {

		private final String description;

		private final byte[] bytes;

		Text(String description, String text) {
			this.description = description;
			this.bytes = text.getBytes(StandardCharsets.UTF_8);
		}

		@Override
		public boolean exists() {
			return true;
		}

		@Override
		public String getDescription() {
			return this.description;
		}

		@Override
		public InputStream getInputStream() {
			return new ByteArrayInputStream(this.bytes);
		}

	}

	/** The document cannot be read. */
	static final class UnreadableException extends Exception {

		private static final long serialVersionUID = 1L;

		private final String reason;

		private final transient Optional<Origin> origin;

		UnreadableException(String reason, Optional<Origin> origin) {
			super(reason);
			this.reason = reason;
			this.origin = origin;
		}

		/** The reason: a clause that completes "the file ...". */
		String reason() {
			return this.reason;
		}

		/** Where the error is, if known. */
		Optional<Origin> origin() {
			return this.origin;
		}

	}

}
