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
			nodes(documents.next(), new IdentityHashMap<>());
		}
		if (documents.hasNext()) {
			throw new UnreadableException("has more than one document (---)", Optional.empty());
		}
	}

	/**
	 * The number of nodes with all aliases expanded. The target of an alias precedes it,
	 * so the recursion is no deeper than the nesting of the text.
	 */
	private static int nodes(Node node, Map<Node, Integer> known) throws UnreadableException {
		Integer count = known.get(node);
		if (count == null) {
			known.put(node, MAX_NODES);
			int below = 1;
			for (Node child : children(node)) {
				below = Math.min(MAX_NODES, below + nodes(child, known));
			}
			known.put(node, below);
			count = below;
		}
		if (count >= MAX_NODES) {
			throw new UnreadableException("has more than " + MAX_NODES + " values, with its aliases (*) written out",
					Optional.empty());
		}
		return count;
	}

	private static List<Node> children(Node node) {
		if (node instanceof MappingNode mapping) {
			return mapping.getValue()
				.stream()
				.flatMap((NodeTuple entry) -> List.of(entry.getKeyNode(), entry.getValueNode()).stream())
				.toList();
		}
		return (node instanceof SequenceNode sequence) ? sequence.getValue() : List.of();
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
