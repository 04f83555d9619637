package dev.reflector.client.internal.proto;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The protobuf messages of Kubernetes' built-in types. They are read from a file that
 * {@code src/proto/TableGenerator.java} has generated. The file contains:
 * <ul>
 * <li>{@code @GROUP API-VERSION}: a group of messages, and the API version of their types
 * <li>{@code GROUP.MESSAGE FIELD…}: a message. It begins with {@code +} if it is a type
 * that can be listed, or with <code>|</code> if it is a choice
 * <li>{@code NAME=NUMBER}: a field of a message, followed by its marks: {@code *} a list,
 * {@code %} a map, {@code >} inline, {@code ?} omitted if zero, {@code !} null if absent.
 * After the marks is the kind: one letter, or {@code :} and the name of a message,
 * without the group if both messages are in the same group
 * </ul>
 */
final class MessageTable {

	static final String PARTIAL = "meta.v1.PartialObjectMetadata";

	static final String STATUS = "meta.v1.Status";

	static final String LIST_META = "meta.v1.ListMeta";

	static final String FILE = "kubernetes.table";

	private static final Map<Character, Field.Kind> KINDS = Map.ofEntries(Map.entry('s', Field.Kind.STRING),
			Map.entry('b', Field.Kind.BOOL), Map.entry('i', Field.Kind.INT), Map.entry('l', Field.Kind.LONG),
			Map.entry('d', Field.Kind.DOUBLE), Map.entry('y', Field.Kind.BYTES), Map.entry('T', Field.Kind.TIME),
			Map.entry('U', Field.Kind.MICRO_TIME), Map.entry('Q', Field.Kind.QUANTITY),
			Map.entry('I', Field.Kind.INT_OR_STRING), Map.entry('J', Field.Kind.JSON),
			Map.entry(':', Field.Kind.MESSAGE));

	private final Map<String, Message> messages = new HashMap<>();

	/** The names of the messages of types, by API version and kind. */
	private final Map<String, String> types = new LinkedHashMap<>();

	private final Map<String, String> apiVersions = new HashMap<>();

	private MessageTable(List<String> lines) {
		for (String line : lines) {
			String[] parts = line.split(" ");
			switch (line.charAt(0)) {
				case '#' -> {
				}
				case '@' -> this.apiVersions.put(parts[0].substring(1), parts[1]);
				default -> add(parts);
			}
		}
	}

	/**
	 * Returns the table. The file is read at the first call.
	 * @return the only instance
	 */
	static MessageTable get() {
		return Holder.TABLE;
	}

	private void add(String[] parts) {
		char mark = parts[0].charAt(0);
		String name = (mark == '+' || mark == '|') ? parts[0].substring(1) : parts[0];
		int dot = name.lastIndexOf('.');
		String group = name.substring(0, dot);
		List<Field> fields = new ArrayList<>();
		for (int i = 1; i < parts.length; i++) {
			fields.add(field(group, parts[i]));
		}
		this.messages.put(name, new Message(name, mark == '|', List.copyOf(fields)));
		if (mark == '+') {
			this.types.put(this.apiVersions.get(group) + " " + name.substring(dot + 1), name);
		}
	}

	private static Field field(String group, String text) {
		int equals = text.indexOf('=');
		int index = equals + 1;
		while (Character.isDigit(text.charAt(index))) {
			index++;
		}
		int number = Integer.parseInt(text, equals + 1, index, 10);
		Field.Many many = Field.Many.ONE;
		Field.Zero zero = Field.Zero.WRITTEN;
		while (!KINDS.containsKey(text.charAt(index))) {
			switch (text.charAt(index++)) {
				case '*' -> many = Field.Many.LIST;
				case '%' -> many = Field.Many.MAP;
				case '?' -> zero = Field.Zero.OMITTED;
				case '!' -> zero = Field.Zero.NULL;
				default -> {
					// the mark of an inline field, which has no name
				}
			}
		}
		Field.Kind kind = Objects.requireNonNull(KINDS.get(text.charAt(index)));
		String message = text.substring(index + 1);
		boolean whole = message.indexOf('.') >= 0;
		return new Field(number, text.substring(0, equals), many, zero, kind,
				(kind != Field.Kind.MESSAGE) ? null : whole ? message : group + "." + message);
	}

	/**
	 * Returns the message of a type.
	 * @param type the type
	 * @return the name of the message, or {@code null} if the type is not built in
	 */
	@Nullable String of(ResourceType type) {
		return this.types.get(type.apiVersion() + " " + type.kind());
	}

	/**
	 * Returns the types that can be listed.
	 * @return the API version and kind of each type, separated by a space
	 */
	Set<String> types() {
		return this.types.keySet();
	}

	Message message(String name) {
		return Objects.requireNonNull(this.messages.get(name), name);
	}

	private static final class Holder {

		static final MessageTable TABLE = read();

		private static MessageTable read() {
			try (InputStream in = MessageTable.class.getResourceAsStream(FILE)) {
				String text = new String(Objects.requireNonNull(in, FILE).readAllBytes(), StandardCharsets.US_ASCII);
				return new MessageTable(text.lines().toList());
			}
			catch (IOException ex) {
				throw new IllegalStateException("cannot read " + FILE, ex);
			}
		}

	}

}
