package dev.ratelimit.store.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import dev.ratelimit.store.RateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The memory store with a small change to one of its classes, or to one of the package
 * above it: in a class loader of its own, behind the same interface.
 */
final class Mutant extends ClassLoader {

	private static final Path MEMORY = Path.of("src/main/java/dev/ratelimit/store/memory");

	private final Path classes;

	private Mutant(Path classes) {
		super(Mutant.class.getClassLoader());
		this.classes = classes;
	}

	/**
	 * Make a mutant.
	 * @param type the simple name of the class to change
	 * @param original the source text to replace
	 * @param mutation the text that replaces it
	 * @param classes an empty folder
	 * @return the mutant
	 */
	static Mutant of(String type, String original, String mutation, Path classes) throws IOException {
		Path ofMemory = MEMORY.resolve(type + ".java");
		String source = Files.readString(Files.exists(ofMemory) ? ofMemory : MEMORY.resolveSibling(type + ".java"));
		assertThat(source).contains(original);
		SimpleJavaFileObject file = new SimpleJavaFileObject(URI.create("string:///" + type + ".java"),
				JavaFileObject.Kind.SOURCE) {

			@Override
			public String getCharContent(boolean ignoreEncodingErrors) {
				return source.replace(original, mutation);
			}

		};
		StringWriter messages = new StringWriter();
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		List<String> options = List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp",
				System.getProperty("java.class.path"));
		assertThat(compiler.getTask(messages, null, null, options, null, List.of(file)).call()).as(() -> "" + messages)
			.isTrue();
		return new Mutant(classes);
	}

	/**
	 * Whether it returns the results of the store.
	 * @param expected the results of the store
	 * @param history sends requests to a store
	 * @param clock the clock of the mutant
	 * @return whether all results are the same
	 */
	boolean hasResults(List<Object> expected, Function<RateLimitStore, List<Object>> history, InstantSource clock) {
		try {
			RateLimitStore store = (RateLimitStore) loadClass(MemoryStore.class.getName())
				.getConstructor(InstantSource.class)
				.newInstance(clock);
			return history.apply(store).equals(expected);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		String own = Mutant.class.getPackageName() + ".";
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			if (loaded != null) {
				return loaded;
			}
			return name.startsWith(own) || Files.exists(changed(name)) ? define(name) : super.loadClass(name, resolve);
		}
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		Path changed = changed(name);
		try (InputStream stream = Files.exists(changed) ? Files.newInputStream(changed)
				: getResourceAsStream(name.replace('.', '/') + ".class")) {
			byte[] bytes = stream.readAllBytes();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	private Path changed(String name) {
		return this.classes.resolve(name.replace('.', '/') + ".class");
	}

}
