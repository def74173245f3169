package dev.ratelimit.integration.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Rule files of a running application, which may read them at any time.
 */
public final class RuleFiles {

	private RuleFiles() {
	}

	/**
	 * Replace a file atomically, because the application must not read an incomplete one.
	 * @param file the file, which need not exist
	 * @param text what it is to hold
	 */
	public static void replace(Path file, String text) {
		try {
			Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
			Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
