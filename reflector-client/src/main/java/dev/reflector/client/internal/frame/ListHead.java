package dev.reflector.client.internal.frame;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * What a list tells of itself, as far as it has been read: its parts come in any order.
 */
public final class ListHead {

	private final ResourceType resourceType;

	private @Nullable Frame kind;

	private @Nullable Frame apiVersion;

	private @Nullable Frame metadata;

	private boolean items;

	private boolean typed;

	public ListHead(ResourceType resourceType) {
		this.resourceType = resourceType;
	}

	/** Whether what stands at a key of the list belongs here. */
	public static boolean has(String key) {
		return key.equals("kind") || key.equals("apiVersion") || key.equals("metadata");
	}

	/**
	 * Takes a part.
	 * @param key its key, one that belongs here
	 * @param json its value; the bytes are kept
	 */
	public void take(String key, Frame json) {
		switch (key) {
			case "kind" -> this.kind = json;
			case "apiVersion" -> this.apiVersion = json;
			default -> this.metadata = json;
		}
		// W-15: kind and API version of the items follow from those of the list
		this.typed = kind().equals(this.resourceType.kind() + "List")
				&& apiVersion().equals(this.resourceType.apiVersion());
	}

	/** Takes note that there are items, be they none or {@code null}. */
	public void foundItems() {
		this.items = true;
	}

	/** The kind, empty when the list has none. */
	public String kind() {
		return text(this.kind);
	}

	/** The API version, empty when the list has none. */
	public String apiVersion() {
		return text(this.apiVersion);
	}

	/** The metadata as JSON, or {@code null} when the list has none. */
	@Nullable public Frame metadata() {
		return this.metadata;
	}

	/** Whether the list has items at all, be they none or {@code null}. */
	public boolean hasItems() {
		return this.items;
	}

	/** Whether the list is known to be one of the collection's type. */
	public boolean isTyped() {
		return this.typed;
	}

	/** A list that breaks off must never pass for a shorter one. */
	public static void requireEnd(boolean begun, boolean ended) {
		if (!ended) {
			throw new MalformedResponseException(
					begun ? "the body of the list breaks off before its end" : "the body of the list is empty");
		}
	}

	/** The text of a JSON string, empty for anything else. */
	static String text(@Nullable Frame frame) {
		String text = (frame != null) ? new JsonCursor(frame.bytes(), frame.offset(), frame.end()).string() : null;
		return (text != null) ? text : "";
	}

}
