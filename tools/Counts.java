

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Counts the main code of the published modules:
 *
 * <pre>
 * java tools/Counts.java
 * </pre>
 *
 * Lines, code lines (without blank lines, comments and imports), types, public types and
 * methods, per package, per module and in all. Only top-level types count, and package-info does not.
 */
public class Counts {

	private static final List<String> MODULES = List.of("ratelimit-starter", "ratelimit-starter-queue",
			"ratelimit-starter-datacenters", "ratelimit-starter-memcached", "ratelimit-starter-test");

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

	private static final Pattern TYPE = Pattern
		.compile("(?m)^(public )?(?:final |abstract |sealed |non-sealed )*(?:class|record|interface|enum|@interface) ");

	private static final Pattern METHOD = Pattern.compile(
			"(?m)^\t+(?!return |throw |else |new )(?:@\\w+ )?(?:[\\w.<>\\[\\]?,&@]+ )*[\\w.<>\\[\\]?]+\\([^;{]*\\)(?: throws [\\w., ]+)? \\{");

	private static final class Sum {

		int lines;

		int code;

		int types;

		int publicTypes;

		int methods;

		final List<Integer> files = new ArrayList<>();

		void add(String source) {
			int lines = (int) source.lines().count();
			String code = COMMENT.matcher(source).replaceAll("");
			this.lines += lines;
			this.files.add(lines);
			this.code += (int) code.lines()
				.filter((line) -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
				.count();
			for (Matcher type = TYPE.matcher(code); type.find();) {
				this.types++;
				this.publicTypes += (type.group(1) != null) ? 1 : 0;
			}
			this.methods += (int) METHOD.matcher(code).results().count();
		}

		String row(String name) {
			Collections.sort(this.files);
			return String.format("%-40s %7d %7d %6d %7d %8d %7d %6d", name, this.lines, this.code, this.types,
					this.publicTypes, this.methods, this.files.get(this.files.size() / 2),
					this.files.get(this.files.size() - 1));
		}

	}

	public static void main(String[] args) throws IOException {
		Map<String, Sum> packages = new TreeMap<>();
		Map<String, Sum> modules = new LinkedHashMap<>();
		Sum all = new Sum();
		for (String module : MODULES) {
			Sum ofModule = new Sum();
			modules.put(module, ofModule);
			Path sources = Path.of(module, "src/main/java");
			try (Stream<Path> files = Files.walk(sources)) {
				for (Path file : files.filter((one) -> one.toString().endsWith(".java")).sorted().toList()) {
					if (!file.endsWith("package-info.java")) {
						String source = Files.readString(file);
						String name = sources.relativize(file.getParent()).toString().replace('/', '.');
						packages.computeIfAbsent(name, (added) -> new Sum()).add(source);
						ofModule.add(source);
						all.add(source);
					}
				}
			}
		}
		System.out.printf("%-40s %7s %7s %6s %7s %8s %7s %6s%n", "package", "lines", "code", "types", "public", "methods",
				"median", "most");
		packages.forEach((name, sum) -> System.out.println(sum.row(name)));
		modules.forEach((name, sum) -> System.out.println(sum.row(name)));
		System.out.println(all.row(packages.size() + " packages"));
	}

}
