package dev.ratelimit.backtest.log;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LineReaderTests {

	private static List<RawLine> lines(InputStream stream) throws IOException {
		LineReader reader = new LineReader(stream);
		List<RawLine> lines = new ArrayList<>();
		Optional<RawLine> line = reader.next();
		while (line.isPresent()) {
			lines.add(line.get());
			line = reader.next();
		}
		return lines;
	}

	private static List<String> texts(String text) throws IOException {
		return lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1))).stream()
			.map(RawLine::text)
			.toList();
	}

	@Test
	void linesEndWithLfOrCrLf() throws IOException {
		assertThat(texts("a\nb\r\nc")).containsExactly("a", "b", "c");
		assertThat(texts("a\n\nb\n")).containsExactly("a", "", "b");
		assertThat(texts("a\rb\n")).containsExactly("a\rb");
		assertThat(texts("")).isEmpty();
	}

	@Test
	void aLineMayContainAnyByte() throws IOException {
		assertThat(texts("a\0b\u001b[2J\u00ff\n")).containsExactly("a\0b\u001b[2J\u00ff");
	}

	@Test
	void theByteOrderMarkOfTheFirstLineIsSkipped() throws IOException {
		assertThat(texts("\u00ef\u00bb\u00bfa\n\u00ef\u00bb\u00bfb")).containsExactly("a", "\u00ef\u00bb\u00bfb");
		assertThat(texts("\u00ef\u00bb\u00bf\n")).containsExactly("");
	}

	@ParameterizedTest
	@ValueSource(ints = { 32 * 1024, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 1024 * 1024 })
	void onlyTheBeginningOfALongLineIsStored(int length) throws IOException {
		String text = "x\n" + "y".repeat(length) + "\nz\n";
		List<RawLine> lines = lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
		assertThat(lines).extracting(RawLine::number).containsExactly(1L, 2L, 3L);
		assertThat(lines).extracting(RawLine::tooLong).containsExactly(false, length > LineReader.MAX_BYTES, false);
		assertThat(lines.get(1).bytes()).hasSize(Math.min(length, LineReader.MAX_BYTES));
		assertThat(lines.get(2).text()).isEqualTo("z");
	}

	@Test
	void theStreamMayArriveInSmallPieces() throws IOException {
		InputStream slow = new ByteArrayInputStream("ab\ncd\r\ne".getBytes(StandardCharsets.ISO_8859_1)) {
			@Override
			public synchronized int read(byte[] target, int from, int length) {
				return super.read(target, from, 1);
			}
		};
		assertThat(lines(slow)).extracting(RawLine::text).containsExactly("ab", "cd", "e");
	}

}
