package dev.reflector.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of code on a page.
 *
 * @param page the path of the page, relative to the root of the project
 * @param line the line of the page on which the code begins
 * @param code the code as it is printed
 * @param ours whether it needs nothing but this library: code of another library is
 * marked by {@code java peer}, and compiled in tests with that library
 */
record Snippet(String page, int line, String code, boolean ours) {

	private static final Pattern BEGIN = Pattern.compile("\\s*(```+|~~~+)\\s*(\\w*)(.*)");

	/** The lines in which a reader sees what the code needs, not what it does. */
	private static final Pattern HEADER = Pattern.compile("(?m)^\\s*(package|import)\\s.*;\\s*$");

	/** All that stands in blocks of Java on a page. */
	static List<Snippet> of(Path root, Path page) {
		return of(root, page, "java");
	}

	/** All that stands in blocks of a language on a page. */
	static List<Snippet> of(Path root, Path page, String language) {
		try {
			return of(root.relativize(page).toString().replace('\\', '/'), Files.readString(page), language);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<Snippet> of(String page, String text) {
		return of(page, text, "java");
	}

	private static List<Snippet> of(String page, String text, String language) {
		List<Snippet> snippets = new ArrayList<>();
		List<String> lines = text.lines().toList();
		for (int i = 0; i < lines.size(); i++) {
			Matcher begin = BEGIN.matcher(lines.get(i));
			if (begin.matches()) {
				int end = i + 1;
				while (end < lines.size() && !lines.get(end).strip().equals(begin.group(1))) {
					end++;
				}
				if (begin.group(2).equalsIgnoreCase(language)) {
					snippets.add(new Snippet(page, i + 2, String.join("\n", lines.subList(i + 1, end)) + "\n",
							!begin.group(3).strip().equals("peer")));
				}
				i = end;
			}
		}
		return snippets;
	}

	boolean hasPackage() {
		return Pattern.compile("(?m)^\\s*package\\s").matcher(this.code).find();
	}

	/** The code without its package and imports. */
	static String withoutHeader(String code) {
		return HEADER.matcher(code).replaceAll("");
	}

	@Override
	public String toString() {
		return this.page + ":" + this.line;
	}

}
