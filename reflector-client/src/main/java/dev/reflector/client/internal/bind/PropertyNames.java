package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/**
 * The few names of the properties of a type, as they stand in JSON text.
 */
final class PropertyNames {

	private final byte[][] names;

	/**
	 * Takes names.
	 * @param names the names, in an order that counts
	 */
	PropertyNames(Collection<String> names) {
		this.names = names.stream().map((name) -> name.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
	}

	/**
	 * Finds a name.
	 * @param bytes hold it, in UTF-8 and without escapes
	 * @param from where it begins
	 * @param to where it ends
	 * @return which of the names it is, negative for none
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
