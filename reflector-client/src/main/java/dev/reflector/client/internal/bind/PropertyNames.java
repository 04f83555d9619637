package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/**
 * The names of the properties of a type, as bytes of JSON text.
 */
final class PropertyNames {

	private final byte[][] names;

	/**
	 * Creates a table of names.
	 * @param names the names, in the order of their indices
	 */
	PropertyNames(Collection<String> names) {
		this.names = names.stream().map((name) -> name.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
	}

	/**
	 * Finds a name.
	 * @param bytes the text, in UTF-8 and without escapes
	 * @param from the index at which the name begins
	 * @param to the index after the name
	 * @return the index of the name in this table, or -1 if it is not found
	 */
	int find(byte[] bytes, int from, int to) {
		for (int i = 0; i < this.names.length; i++) {
			byte[] name = this.names[i];
			if (name.length == to - from && Arrays.equals(name, 0, name.length, bytes, from, to)) {
				return i;
			}
		}
		return -1;
	}

}
