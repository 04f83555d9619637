package dev.reflector.docs;

import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles the Java code of a page as a reader would who copies all of it into one empty
 * package, with the libraries of this module but none of its tests.
 */
final class SnippetCompiler {

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	/** Stays open: it has read the tables of contents of all libraries. */
	private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, Locale.ROOT,
			StandardCharsets.UTF_8);

	private final Path output;

	/**
	 * Creates a compiler.
	 * @param output takes the class files
	 */
	SnippetCompiler(Path output) {
		this.output = output;
	}

	/**
	 * Compiles the snippets of one page.
	 * @param snippets the snippets
	 * @return what the compiler says against them, each with page and line; empty when
	 * they compile
	 */
	List<String> errors(List<Snippet> snippets) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		List<Source> sources = IntStream.range(0, snippets.size())
			.mapToObj((index) -> new Source(snippets.get(index), index))
			.toList();
		List<String> options = List.of("-proc:none", "-implicit:none", "-parameters", "--release", "17", "-classpath",
				libraries(), "-d", this.output.toString());
		COMPILER.getTask(null, FILES, diagnostics, options, null, sources).call();
		return diagnostics.getDiagnostics()
			.stream()
			.filter((diagnostic) -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
			.map(SnippetCompiler::describe)
			.toList();
	}

	private static String describe(Diagnostic<? extends JavaFileObject> diagnostic) {
		String message = diagnostic.getMessage(Locale.ROOT);
		return (diagnostic.getSource() instanceof Source source) ? source.lineOfPage(diagnostic) + ": " + message
				: message;
	}

	/** Returns the class path of a user: without the classes of these tests. */
	private static String libraries() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !Path.of(entry).endsWith("test-classes"))
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** A snippet as a source file with the same lines. */
	private static final class Source extends SimpleJavaFileObject {

		private final Snippet snippet;

		Source(Snippet snippet, int index) {
			super(URI.create("page:///snippet" + index + ".java"), Kind.SOURCE);
			this.snippet = snippet;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.snippet.hasPackage() ? this.snippet.code() : "package page; " + this.snippet.code();
		}

		String lineOfPage(Diagnostic<?> diagnostic) {
			long line = (diagnostic.getLineNumber() != Diagnostic.NOPOS) ? diagnostic.getLineNumber() - 1 : 0;
			return this.snippet.page() + ":" + (this.snippet.line() + line);
		}

		/** No file has a name here, so a public type may have any. */
		@Override
		public boolean isNameCompatible(String simpleName, Kind kind) {
			return kind == Kind.SOURCE;
		}

	}

}
