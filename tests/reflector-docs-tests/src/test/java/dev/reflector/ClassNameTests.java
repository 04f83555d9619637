package dev.reflector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a simple name means one class in the published modules, including the test
 * kit and the console.
 */
class ClassNameTests {

	private static final Pattern SOURCE = Pattern.compile("reflector-[^/]+/src/main/java/.*/(\\w+)\\.java");

	private static final Pattern PUBLIC = Pattern
		.compile("(?m)^public (?:[a-z-]+ )*(?:class|interface|record|enum|@interface) ");

	private static final Pattern NESTED = Pattern
		.compile("(?m)^\\tpublic (?:[a-z-]+ )*(?:class|interface|record|enum|@interface) (\\w+)");

	@Test
	void aNameMeansOneClass() {
		Map<String, Set<String>> classes = classes(sources());
		assertThat(classes).hasSizeGreaterThan(500);
		assertThat(repeated(classes)).isEmpty();
	}

	/** This matters in the API, since users import both types. */
	@Test
	void aNestedTypeOfTheApiHasNoNameOfAClass() {
		Map<String, Set<String>> api = new TreeMap<>();
		for (Path source : sources()) {
			String text = read(source);
			if (!source.toString().contains("/internal/") && PUBLIC.matcher(text).find()) {
				api.computeIfAbsent(name(source), (name) -> new TreeSet<>()).add(name(source));
				nested(text).forEach(
						(name) -> api.computeIfAbsent(name, (key) -> new TreeSet<>()).add(name(source) + "." + name));
			}
		}
		assertThat(api).containsKeys("Reflector", "Counts");
		// nested types of two classes may share a name: they are written with their class
		api.values().removeIf((owners) -> owners.stream().allMatch((owner) -> owner.contains(".")));
		assertThat(repeated(api)).isEmpty();
	}

	@Test
	void repeatedNamesAreFound() {
		Path one = Path.of("reflector-core/src/main/java/dev/reflector/One.java");
		Path another = Path.of("reflector-client/src/main/java/dev/reflector/client/One.java");
		Path two = Path.of("reflector-core/src/main/java/dev/reflector/Two.java");
		assertThat(repeated(classes(List.of(one, another, two)))).containsOnlyKeys("One");
		assertThat(nested("public record One() {\n\n\tpublic static final class Two {\n\n\tfinal class Three {"))
			.containsExactly("Two");
	}

	private static Map<String, Set<String>> classes(List<Path> sources) {
		Map<String, Set<String>> classes = new TreeMap<>();
		sources.forEach(
				(source) -> classes.computeIfAbsent(name(source), (name) -> new TreeSet<>()).add(source.toString()));
		return classes;
	}

	private static Map<String, Set<String>> repeated(Map<String, Set<String>> names) {
		Map<String, Set<String>> repeated = new TreeMap<>(names);
		repeated.values().removeIf((classes) -> classes.size() < 2);
		return repeated;
	}

	private static Stream<String> nested(String source) {
		return NESTED.matcher(source).results().map((type) -> type.group(1));
	}

	private static List<Path> sources() {
		return SourceTree.files(SourceTree.ROOT)
			.stream()
			.map(SourceTree.ROOT::relativize)
			.filter((file) -> SOURCE.matcher(file.toString()).matches())
			.filter((file) -> !name(file).equals("package-info"))
			.toList();
	}

	private static String name(Path source) {
		return source.getFileName().toString().replace(".java", "");
	}

	private static String read(Path source) {
		try {
			return Files.readString(SourceTree.ROOT.resolve(source));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
