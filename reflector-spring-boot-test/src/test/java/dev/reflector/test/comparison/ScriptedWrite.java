package dev.reflector.test.comparison;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A request of a script. Its body may hold <code>${step.version}</code> and
 * <code>${step.uid}</code>, which an earlier step was answered, and a number in such
 * braces, which stands for a text of that length.
 *
 * @param name unique name
 * @param method the method
 * @param path what follows the path of the collection
 * @param headers the headers
 * @param body the body, empty for none
 */
record ScriptedWrite(String name, String method, String path, Map<String, String> headers, String body) {

	/**
	 * Reads a script.
	 * @param resource the file
	 * @return the requests in their order
	 */
	static List<ScriptedWrite> read(String resource) {
		List<ScriptedWrite> script = new ArrayList<>();
		text(resource).forEach((name, text) -> {
			int blank = text.indexOf("\n\n");
			String[] head = text.substring(0, blank).split("\n");
			Map<String, String> headers = new LinkedHashMap<>();
			for (int i = 1; i < head.length; i++) {
				String[] header = head[i].split(": ", 2);
				headers.put(header[0], header[1]);
			}
			String[] request = head[0].split(" ", 2);
			script.add(new ScriptedWrite(name, request[0], request[1].strip(), headers, text.substring(blank + 2)));
		});
		return script;
	}

	/**
	 * Reads a file of entries. Each entry begins with a name.
	 * @param resource the file
	 * @return the entries by name, in their order
	 */
	static Map<String, String> text(String resource) {
		try (InputStream in = Objects.requireNonNull(ScriptedWrite.class.getResourceAsStream(resource), resource)) {
			Map<String, String> entries = new LinkedHashMap<>();
			for (String entry : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^## ")) {
				int end = entry.indexOf('\n');
				if (end > 0) {
					entries.put(entry.substring(0, end), entry.substring(end + 1));
				}
			}
			return entries;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
