package dev.reflector.client.internal.frame;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a list other than its items, as far as they were read. They may come in
 * any order.
 */
public final class ListHead {

	private static final int MAX_SHOWN = 40;

	private final ResourceType resourceType;

	private @Nullable Frame kind;

	private @Nullable Frame apiVersion;

	private @Nullable Frame metadata;

	private boolean items;

	private boolean typed;

	public ListHead(ResourceType resourceType) {
		this.resourceType = resourceType;
	}

	/** Whether a key of the list is one of these fields. */
	public static boolean has(String key) {
		return key.equals("kind") || key.equals("apiVersion") || key.equals("metadata");
	}

	/**
	 * Sets a field.
	 * @param key its key
	 * @param json its value; the bytes are kept
	 */
	public void take(String key, Frame json) {
		switch (key) {
			case "kind" -> this.kind = json;
			case "apiVersion" -> this.apiVersion = json;
			default -> this.metadata = json;
		}
		// W-15: items have the kind and API version that the list names
		this.typed = kind().equals(this.resourceType.kind() + "List")
				&& apiVersion().equals(this.resourceType.apiVersion());
	}

	/** Records that the key {@code items} was read, with whatever value. */
	public void foundItems() {
		this.items = true;
	}

	/** Returns the kind, empty when the list has none. */
	public String kind() {
		return text(this.kind);
	}

	/** Returns the API version, empty when the list has none. */
	public String apiVersion() {
		return text(this.apiVersion);
	}

	/** The metadata as JSON, or {@code null} when the list has none. */
	@Nullable public Frame metadata() {
		return this.metadata;
	}

	/**
	 * Whether the list has the key {@code items}, even if it is empty or {@code null}.
	 */
	public boolean hasItems() {
		return this.items;
	}

	/** Whether the list has said that its items are of the collection's type. */
	public boolean isTyped() {
		return this.typed;
	}

	/**
	 * Checks that the list has ended, because an incomplete list must never count as a
	 * shorter one.
	 */
	public static void requireEnd(boolean begun, boolean ended) {
		if (!ended) {
			throw new MalformedResponseException(
					begun ? "the body of the list breaks off before its end" : "the body of the list is empty");
		}
	}

	/**
	 * Describes an unexpected byte.
	 * @param format the expected format
	 * @param key the key before the byte, {@code null} at the start
	 * @return the exception
	 */
	public static MalformedResponseException unexpectedByte(String format, @Nullable String key) {
		return new MalformedResponseException("the body is not a " + format + " list: unexpected byte " + ((key != null)
				? "near its key '" + key.substring(0, Math.min(key.length(), MAX_SHOWN)) + "'" : "at its start"));
	}

	/** The text of a JSON string, empty for anything else. */
	static String text(@Nullable Frame frame) {
		String text = (frame != null) ? new JsonCursor(frame.bytes(), frame.offset(), frame.end()).string() : null;
		return (text != null) ? text : "";
	}

}
