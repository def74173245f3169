package dev.ratelimit.backtest;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * A log of any size, with the number of requests that a fixed window admits.
 *
 * @param lines the number of its lines
 * @param broken the number of broken lines among them
 * @param admitted the number of requests that a fixed window of a minute admits, with a
 * limit of {@link #THRESHOLD} for each client
 */
record GeneratedLog(long lines, long broken, long admitted) {

	static final int THRESHOLD = 9;

	/** As many keys, permits and lines as on a busy day; idle keys expire. */
	static final String RULES = """
			rules:
			  window: { paths: /**, algorithm: fixed-window, thresholds: %d/1m, shadow: true }
			  by-id: { paths: "/item/{id}", key: path:id, thresholds: 5/1m }
			  by-session: { paths: /**, key: "query:session", algorithm: token-bucket, thresholds: 5/1m }
			""".formatted(THRESHOLD);

	private static final int CLIENTS = 1000;

	private static final int LINES_PER_SECOND = 120;

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	static GeneratedLog write(Path file, long bytes) throws IOException {
		Random random = new Random(1);
		int[] inThisMinute = new int[CLIENTS];
		long start = Instant.parse("2026-10-10T00:00:00Z").getEpochSecond();
		long lines = 0;
		long broken = 0;
		long admitted = 0;
		long written = 0;
		try (BufferedWriter log = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
			while (written < bytes) {
				if (lines % (LINES_PER_SECOND * 60) == 0) {
					Arrays.fill(inThisMinute, 0);
				}
				String line = "\0\u0016 no line of a log";
				if (lines % 1000 == 999) {
					broken++;
				}
				else {
					int client = (int) (CLIENTS * Math.pow(random.nextDouble(), 3));
					admitted += (inThisMinute[client]++ < THRESHOLD) ? 1 : 0;
					line = "10.0.%d.%d - - [%s] \"GET /item/%d?session=%x HTTP/1.1\" 200 %d \"https://shop.example/search?q=%d\" \"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\""
						.formatted(client / 256, client % 256,
								TIME.format(Instant.ofEpochSecond(start + lines / LINES_PER_SECOND)),
								random.nextInt(1_000_000), random.nextLong(), random.nextInt(100_000),
								random.nextInt(1000));
				}
				log.write(line);
				log.newLine();
				written += line.length() + 1;
				lines++;
			}
		}
		return new GeneratedLog(lines, broken, admitted);
	}

}
