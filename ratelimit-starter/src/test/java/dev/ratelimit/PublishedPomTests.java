package dev.ratelimit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The POM that users' builds read: what an application gets with the dependency, and what
 * it does not.
 */
class PublishedPomTests {

	private final XPath xpath = XPathFactory.newInstance().newXPath();

	private Document pom;

	@BeforeEach
	void read() throws Exception {
		Path file = Path.of("target/flattened-pom.xml");
		assertThat(file).as("made by the phase process-resources").exists();
		this.pom = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(Files.newInputStream(file));
	}

	@Test
	void anApplicationGetsTheseAndNothingThatTheyWouldBring() throws Exception {
		assertThat(texts("//dependency[scope='compile' and not(optional)]/artifactId"))
			.containsExactly("spring-boot-starter", "jedis", "jspecify", "slf4j-api");
		assertThat(texts("//dependency[artifactId='jedis']/exclusions/exclusion/artifactId"))
			.containsExactly("commons-pool2", "gson", "json");
	}

	@Test
	void eachDependencyHasAVersionAndNoneIsForTests() throws Exception {
		assertThat(texts("//dependency[not(version)]")).isEmpty();
		assertThat(texts("//dependency/scope")).containsOnly("compile", "provided");
	}

	@Test
	void itNeedsNoOtherPom() throws Exception {
		assertThat(texts("/project/parent")).isEmpty();
		assertThat(texts("/project/dependencyManagement")).isEmpty();
		assertThat(texts("/project/licenses/license/name")).containsExactly("Apache-2.0");
	}

	private List<String> texts(String expression) throws XPathExpressionException {
		NodeList nodes = (NodeList) this.xpath.evaluate(expression, this.pom, XPathConstants.NODESET);
		return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item).map(Node::getTextContent).toList();
	}

}
