package dev.ratelimit.embeddedredis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The statically linked {@code redis-server} from the class path for the common
 * platforms, unpacked into the temporary directory once per user and version.
 */
final class PinnedRedisBinary {

	private static final String VERSION = "7.0.15";

	private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private PinnedRedisBinary() {
	}

	/**
	 * Unpack the binary, unless it is already unpacked. Any number of JVMs may do so
	 * concurrently.
	 * @return an executable file, or nothing if there is no binary for this platform
	 * @throws UncheckedIOException if it cannot be written
	 * @throws IllegalStateException if another user could replace it
	 */
	static Optional<Path> unpack() {
		String name = "redis-server-" + VERSION + "-" + platform();
		try (InputStream binary = PinnedRedisBinary.class.getResourceAsStream("/" + name)) {
			return (binary != null) ? Optional.of(unpack(binary, name)) : Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot unpack " + name, ex);
		}
	}

	private static Path unpack(InputStream binary, String name) throws IOException {
		Path directory = privateDirectory();
		Path target = directory.resolve(name);
		if (!Executables.isExecutable(target)) {
			Path unpacked = Files.createTempFile(directory, name, null, OWNER_ONLY);
			Files.copy(binary, unpacked, StandardCopyOption.REPLACE_EXISTING);
			Files.setPosixFilePermissions(unpacked, OWNER_ONLY.value());
			// Atomic, so that other JVMs find either no binary or a complete one.
			Files.move(unpacked, target, StandardCopyOption.ATOMIC_MOVE);
		}
		return target;
	}

	/**
	 * A directory that no other user can have put a binary into, although its name is
	 * predictable.
	 */
	private static Path privateDirectory() throws IOException {
		Path directory = Path.of(System.getProperty("java.io.tmpdir"),
				"ratelimit-redis-" + System.getProperty("user.name"));
		try {
			return Files.createDirectory(directory, OWNER_ONLY);
		}
		catch (FileAlreadyExistsException ex) {
			if (!isPrivate(directory)) {
				throw new IllegalStateException(directory + " is not a directory of this user alone; remove it", ex);
			}
			return directory;
		}
	}

	private static boolean isPrivate(Path directory) throws IOException {
		Path ours = Files.createTempFile("ratelimit-redis-", null);
		try {
			return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
					&& Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(ours))
					&& Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS).equals(OWNER_ONLY.value());
		}
		finally {
			Files.delete(ours);
		}
	}

	/**
	 * The name of this platform in the names of the binaries.
	 * @return for example {@code linux-amd64}
	 */
	static String platform() {
		String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
		String architecture = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
		return (system.startsWith("mac") ? "darwin" : system) + "-" + switch (architecture) {
			case "x86_64" -> "amd64";
			case "aarch64" -> "arm64";
			case "x86", "i386", "i686" -> "386";
			default -> architecture;
		};
	}

}
