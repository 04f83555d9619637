package dev.reflector.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the API of each published module equals its file ({@code api/NAME.api} of
 * the module). {@code -Dreflector.api.write=true} writes the files, which accepts a
 * change.
 */
class ApiSignaturesTests {

	private static final String HOW = " If that is intended, run this test with -Dreflector.api.write=true, commit the "
			+ "file, and say in CHANGELOG.md what an application has to change ('The API' in CONTRIBUTING.md)";

	static List<String> modules() throws IOException {
		try (Stream<Path> folders = Files.list(SourceDoc.ROOT)) {
			return folders.filter((folder) -> folder.getFileName().toString().startsWith("reflector-"))
				.filter((folder) -> Files.isDirectory(folder.resolve("src/main/java")))
				.map((folder) -> folder.getFileName().toString())
				.sorted()
				.toList();
		}
	}

	@ParameterizedTest
	@MethodSource("modules")
	void theApiIsThatOfTheFile(String module) throws IOException {
		Path file = SourceDoc.ROOT.resolve(module).resolve("api").resolve(module + ".api");
		ApiSignatures actual = ApiSignatures.of(SourceDoc.ROOT.resolve(module).resolve("target/classes"));
		if (Boolean.getBoolean("reflector.api.write")) {
			Files.createDirectories(file.getParent());
			Files.writeString(file, actual.text());
		}
		ApiSignatures expected = new ApiSignatures(Files.readString(file));
		assertThat(expected.without(actual)).as("gone from the API of " + module + "." + HOW).isEmpty();
		assertThat(actual.without(expected)).as("new in the API of " + module + "." + HOW).isEmpty();
	}

	@Test
	void aChangedMethodIsFound() throws IOException {
		Path classes = SourceDoc.ROOT.resolve("reflector-core/target/classes");
		ApiSignatures now = ApiSignatures.of(classes);
		String method = "public abstract fun size ()I";
		ApiSignatures before = new ApiSignatures(now.text().replaceFirst("fun size \\(\\)I", "fun size ()J"));
		assertThat(before.without(now)).singleElement().asString().endsWith("fun size ()J");
		assertThat(now.without(before)).singleElement().asString().endsWith(method);
		assertThat(now.text()).contains("dev/reflector/Lister ")
			.doesNotContain("/internal/", "dev/reflector/event/ReflectorEvents ");
	}

}
