package dev.reflector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A table of the guide that is generated from the code. With
 * {@code -Dreflector.docs.write=true} it is written, otherwise it is compared.
 */
public final class GeneratedTable {

	private static final boolean WRITE = Boolean.getBoolean("reflector.docs.write");

	private GeneratedTable() {
	}

	/**
	 * Checks or writes a table.
	 * @param page name of the page
	 * @param table name of the table, in the comments around it
	 * @param lines the expected lines of the table
	 */
	public static void check(String page, String table, List<String> lines) throws IOException {
		Path file = Path.of("..", "docs", page);
		String text = Files.readString(file);
		String begin = "<!-- generated: " + table + " -->\n";
		String end = "<!-- end of " + table + " -->";
		assertThat(text).containsOnlyOnce(begin).containsOnlyOnce(end);
		int from = text.indexOf(begin) + begin.length();
		int to = text.indexOf(end);
		if (WRITE) {
			Files.writeString(file, text.substring(0, from) + String.join("\n", lines) + "\n" + text.substring(to));
			return;
		}
		assertThat(text.substring(from, to).lines().toList())
			.as("'%s' in %s; to write it anew, run this test with -Dreflector.docs.write=true", table, page)
			.containsExactlyElementsOf(lines);
	}

}
