package dev.reflector.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples in the Javadoc compile, all in one package: they share a type, and need no
 * imports there. An example is a type, or members of one.
 */
class JavadocExampleTests {

	private static final Pattern EXAMPLE = Pattern.compile("(?s)<pre class=\"code\">\\n(.*?)\\n \\* </pre>");

	private static final Pattern TYPE = Pattern.compile("(?s)(@\\w+(\\([^{]*?\\))?\\s+)*(public )?(class|record) .*");

	private static final String IMPORTS = Stream
		.of("java.util.*", "java.util.concurrent.*", "dev.reflector.*", "dev.reflector.cache.config.*",
				"dev.reflector.cache.handler.*", "dev.reflector.cache.informer.*", "dev.reflector.cache.source.*",
				"dev.reflector.event.*", "dev.reflector.autoconfigure.registration.*", "dev.reflector.test.*",
				"dev.reflector.test.context.*", "dev.reflector.write.*", "org.junit.jupiter.api.Test",
				"org.springframework.beans.factory.annotation.Autowired", "org.springframework.context.annotation.Bean",
				"org.springframework.context.event.EventListener", "org.springframework.stereotype.Component",
				"reactor.core.publisher.Flux", "static org.assertj.core.api.Assertions.assertThat")
		.map((name) -> "import " + name + "; ")
		.collect(Collectors.joining());

	/** The types that users meet first. */
	private static final Set<String> WITH_EXAMPLE = Set.of("AppliedResource", "IndexFunction", "Lister", "ObjectMeta",
			"ReflectedResource", "ReflectedResourceRegistration", "Reflector", "ReflectorTest", "ResourceAddedEvent",
			"ResourceDeletedEvent", "ResourceEvent", "ResourceEventHandler", "ResourceEventStream",
			"ResourceUpdatedEvent", "ResourceWriter", "SharedInformer", "TransformFunction");

	@TempDir
	private Path output;

	@Test
	void examplesCompile() {
		List<Snippet> examples = PublicTypesTests.librarySources()
			// its example is about a class that the user writes
			.filter((file) -> !file.toString().endsWith("CompatibilityKit.java"))
			.flatMap(JavadocExampleTests::examples)
			.toList();
		assertThat(new SnippetCompiler(this.output).errors(wrapped(examples))).isEmpty();
		assertThat(examples.stream().map((example) -> example.page().replace(".java", ""))).doesNotHaveDuplicates()
			.containsAll(WITH_EXAMPLE);
	}

	@Test
	void mistakesAreFound() {
		Snippet wrong = new Snippet("Wrong.java", 7, "int size(List<String> names) {\n    return names.length();\n}",
				true);
		assertThat(new SnippetCompiler(this.output).errors(wrapped(List.of(wrong)))).singleElement()
			.asString()
			.startsWith("Wrong.java:8: cannot find symbol");
	}

	private static Stream<Snippet> examples(Path file) {
		String source = PublicTypesTests.read(file);
		return EXAMPLE.matcher(source).results().map((MatchResult example) -> {
			int line = (int) source.substring(0, example.start(1)).lines().count() + 1;
			String code = example.group(1)
				.replaceAll("(?m)^ \\* ?", "")
				.replace("&#064;", "@")
				.replace("&lt;", "<")
				.replace("&gt;", ">")
				.replace("&amp;", "&");
			return new Snippet(file.getFileName().toString(), line, code, true);
		});
	}

	/** On the line where an example begins, so that errors have its lines. */
	private static List<Snippet> wrapped(List<Snippet> examples) {
		return IntStream.range(0, examples.size()).mapToObj((index) -> {
			Snippet example = examples.get(index);
			boolean type = TYPE.matcher(example.code()).matches();
			String code = type ? example.code() : "class Example" + index + " { " + example.code() + "\n}";
			return new Snippet(example.page(), example.line(), "package page; " + IMPORTS + code, true);
		}).toList();
	}

}
