package dev.reflector.client.internal.frame;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a list other than its items. They may come in any order, so some may not
 * have been read yet.
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

	/** Returns whether a key belongs to a field that this class keeps. */
	public static boolean has(String key) {
		return key.equals("kind") || key.equals("apiVersion") || key.equals("metadata");
	}

	/**
	 * Sets a field.
	 * @param key the key of the field
	 * @param json the value of the field; its array must not be reused
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

	/** Records that the key {@code items} was read, even if its value is {@code null}. */
	public void foundItems() {
		this.items = true;
	}

	/** Returns the kind, or the empty string if the list has none. */
	public String kind() {
		return text(this.kind);
	}

	/** Returns the API version, or the empty string if the list has none. */
	public String apiVersion() {
		return text(this.apiVersion);
	}

	/** Returns the metadata as JSON, or {@code null} if the list has none. */
	@Nullable public Frame metadata() {
		return this.metadata;
	}

	/**
	 * Returns whether the list has the key {@code items}, even if its value is empty or
	 * {@code null}.
	 */
	public boolean hasItems() {
		return this.items;
	}

	/**
	 * Returns whether the items have the type of the collection, according to the kind
	 * and API version of the list.
	 */
	public boolean isTyped() {
		return this.typed;
	}

	/**
	 * Checks that the list has ended, because an incomplete list must never count as a
	 * shorter list.
	 */
	public static void requireEnd(boolean begun, boolean ended) {
		if (!ended) {
			throw new MalformedResponseException(
					begun ? "the body of the list breaks off before its end" : "the body of the list is empty");
		}
	}

	/**
	 * Creates the exception for an unexpected byte.
	 * @param format the expected format
	 * @param key the key before the byte, or {@code null} at the start
	 * @return the exception
	 */
	public static MalformedResponseException unexpectedByte(String format, @Nullable String key) {
		return new MalformedResponseException("the body is not a " + format + " list: unexpected byte " + ((key != null)
				? "near its key '" + key.substring(0, Math.min(key.length(), MAX_SHOWN)) + "'" : "at its start"));
	}

	/** Returns the text of a JSON string, or the empty string for any other value. */
	static String text(@Nullable Frame frame) {
		String text = (frame != null) ? new JsonCursor(frame.bytes(), frame.offset(), frame.end()).string() : null;
		return (text != null) ? text : "";
	}

}
