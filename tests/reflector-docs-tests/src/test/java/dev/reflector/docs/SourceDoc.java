package dev.reflector.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;

/**
 * The Javadoc of a type, read from its source.
 */
final class SourceDoc {

	static final Path ROOT = SourceTree.ROOT;

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*(.*?)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s+)*");

	private static final Pattern PARAM = Pattern.compile("(?s)@param (\\w+) (.*?)(?=@param|@since|@return|$)");

	private static final Pattern ITEM = Pattern.compile("(?s)<li>\\{@code (\\w+)}[:.]?(.*?)[;.]?</li>");

	private final String source;

	private SourceDoc(String source) {
		this.source = source;
	}

	static SourceDoc of(Class<?> type) {
		Class<?> outer = type;
		while (outer.getDeclaringClass() != null) {
			outer = outer.getDeclaringClass();
		}
		return of(outer.getName());
	}

	static SourceDoc of(String className) {
		return new SourceDoc(read(file(className)));
	}

	/** The text of the source, for what is not in its Javadoc. */
	String source() {
		return this.source;
	}

	/** The components of a record by name. */
	Map<String, String> components(Class<?> type) {
		Map<String, String> components = new LinkedHashMap<>();
		Matcher param = PARAM.matcher(before("(?:public |private |static )*record " + type.getSimpleName() + "\\("));
		while (param.find()) {
			components.put(param.group(1), text(param.group(2)));
		}
		return components;
	}

	/** Returns the Javadoc of a constant of an enum. */
	String constant(String name) {
		return text(before(name + "\\s*[,;\\n]"));
	}

	/** Returns the Javadoc of an attribute of an annotation. */
	String attribute(String name) {
		return text(before("[\\w\\[\\]]+ " + name + "\\(\\)").split("@return")[0]);
	}

	/** The list in the Javadoc of a health indicator, in its order. */
	List<Item> items() {
		return ITEM.matcher(this.source.replaceAll("(?m)^ \\* ?", ""))
			.results()
			.map((item) -> new Item(item.group(1), text(item.group(2))))
			.toList();
	}

	private String before(String declaration) {
		Matcher comment = COMMENT.matcher(this.source);
		Pattern follows = Pattern.compile(declaration);
		while (comment.find()) {
			Matcher next = follows.matcher(this.source).region(comment.end(), this.source.length());
			if (next.lookingAt()) {
				return comment.group(1).replaceAll("(?m)^\\s*\\* ?", "");
			}
		}
		return "";
	}

	/** Returns the text as a page has it. */
	private static String text(String javadoc) {
		return javadoc.replaceAll("\\{@(?:code|link|linkplain) #?([^}]*)}", "`$1`")
			.replaceAll("<code>([^<]*)</code>", "`$1`")
			.replace("&lt;", "<")
			.replace("&gt;", ">")
			.replaceAll("`Reflector#", "`Reflector.")
			.replaceAll("\\s+", " ")
			.replace("|", "\\|")
			.strip();
	}

	private static Path file(String className) {
		String name = className.replace('.', '/') + ".java";
		try (Stream<Path> modules = Files.list(ROOT)) {
			List<Path> files = modules.map((module) -> module.resolve("src/main/java").resolve(name))
				.filter(Files::exists)
				.toList();
			if (files.size() != 1) {
				throw new IllegalStateException("The source of " + className + " is at " + files);
			}
			return files.get(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A status and when it is reported.
	 *
	 * @param name name of the status
	 * @param text when, empty for otherwise
	 */
	record Item(String name, String text) {

	}

}
