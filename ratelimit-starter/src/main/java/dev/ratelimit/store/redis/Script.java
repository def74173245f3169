package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script and the name Redis knows it by.
 */
final class Script {

	private final byte[] text;

	private final byte[] sha;

	private Script(byte[] text) {
		this.text = text;
		this.sha = sha1Hex(text).getBytes(StandardCharsets.US_ASCII);
	}

	static Script of(String text) {
		return new Script(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Read a script that is made of several files.
	 * @param resources the files, in order
	 * @return the script
	 * @throws IllegalStateException if one of them is missing from the class path
	 */
	static Script load(String... resources) {
		StringBuilder text = new StringBuilder();
		for (String resource : resources) {
			text.append(read(resource));
		}
		return of(text.toString());
	}

	static String read(String resource) {
		try (InputStream in = Script.class.getResourceAsStream(resource)) {
			if (in == null) {
				throw new IllegalStateException(
						"The Lua script dev/ratelimit/store/redis/" + resource + " is missing from the class path. "
								+ "It is part of ratelimit-starter: keep *.lua files when the application is packaged");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the Lua script " + resource, ex);
		}
	}

	private static String sha1Hex(byte[] text) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	byte[] text() {
		return this.text;
	}

	/**
	 * The SHA-1 of the text.
	 * @return 40 hexadecimal digits in ASCII
	 */
	byte[] sha() {
		return this.sha;
	}

}
