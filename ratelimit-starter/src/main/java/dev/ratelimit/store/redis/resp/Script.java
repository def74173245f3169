package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * A Lua script and the SHA-1 by which Redis identifies it. Tested by {@code ScriptTests}.
 */
public final class Script {

	/** The class path folder of the scripts. */
	private static final String FOLDER = "dev/ratelimit/store/redis/";

	/** Reads the time of Redis; placed behind the script that needs it. */
	public static final String CLOCK = "Clock.lua";

	/**
	 * The files that were read, as most are parts of several scripts. Finding one among
	 * the jars of an application takes milliseconds. Together they have some 100 KB.
	 */
	private static final Map<String, String> FILES = new ConcurrentHashMap<>();

	private final byte[] text;

	private final byte[] sha;

	private final boolean decidesManyKeys;

	private Script(String text, boolean decidesManyKeys) {
		this.text = text.getBytes(StandardCharsets.UTF_8);
		this.sha = sha1Hex(this.text).getBytes(StandardCharsets.US_ASCII);
		this.decidesManyKeys = decidesManyKeys;
	}

	public static Script of(String text) {
		return new Script(text, false);
	}

	/**
	 * A script that contains {@code Keys.lua}, so one command can make it decide many
	 * keys.
	 */
	public static Script ofManyKeys(String text) {
		return new Script(text, true);
	}

	/**
	 * Read a script that consists of several files.
	 * @param resources the files, in order
	 * @return the script
	 * @throws IllegalStateException if one of them is missing from the class path
	 */
	public static Script load(String... resources) {
		return of(readAll(List.of(resources)));
	}

	public static String readAll(List<String> resources) {
		return resources.stream().map(Script::read).collect(Collectors.joining());
	}

	public static String read(String resource) {
		return FILES.computeIfAbsent(resource, Script::readFile);
	}

	private static String readFile(String resource) {
		String path = resource.startsWith("/") ? resource : "/" + FOLDER + resource;
		try (InputStream in = Script.class.getResourceAsStream(path)) {
			if (in == null) {
				throw new IllegalStateException("The Lua script " + path.substring(1)
						+ " is missing from the class path. It is part of the limiter: keep *.lua files when the "
						+ "application is packaged");
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

	/** Whether one command can make it decide many keys. */
	boolean decidesManyKeys() {
		return this.decidesManyKeys;
	}

	public byte[] text() {
		return this.text;
	}

	/**
	 * The SHA-1 of the text.
	 * @return 40 hexadecimal digits in ASCII
	 */
	public byte[] sha() {
		return this.sha;
	}

}
