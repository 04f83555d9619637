package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;

import dev.reflector.client.internal.frame.JsonSkipper;
import dev.reflector.client.internal.frame.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * JSON text that bindings read, with the position that they have reached.
 */
final class BoundText {

	private static final byte[] NOTHING = new byte[0];

	private final JsonSkipper skipper;

	private byte[] bytes = NOTHING;

	private int end;

	private int position;

	BoundText(JsonSkipper.Limits limits) {
		this.skipper = new JsonSkipper(limits);
	}

	/**
	 * Starts with another text.
	 * @param bytes the bytes of the text
	 * @param end where they end
	 */
	void over(byte[] bytes, int end) {
		this.bytes = bytes;
		this.end = end;
		this.position = JsonSkipper.FAULT;
		this.skipper.over(bytes, end);
	}

	/** Releases the bytes. */
	void clear() {
		over(NOTHING, 0);
	}

	byte[] bytes() {
		return this.bytes;
	}

	JsonSkipper skipper() {
		return this.skipper;
	}

	/**
	 * Returns where the last value ended.
	 * @return the index behind the value, {@link JsonSkipper#FAULT} when there was a
	 * fault
	 */
	int position() {
		return this.position;
	}

	/**
	 * Sets the position after a value.
	 * @param position where it ended, or {@link JsonSkipper#FAULT}
	 */
	void moveTo(int position) {
		this.position = position;
	}

	/**
	 * Reports that no value can be made.
	 * @return {@code null}
	 */
	@Nullable Object fault() {
		this.position = JsonSkipper.FAULT;
		return null;
	}

	/**
	 * Finds the end of a string of plain ASCII. Most strings are such.
	 * @param from where it begins
	 * @return its closing quote; {@link JsonSkipper#FAULT} when it is no string, has no
	 * end, or has escapes or other characters
	 */
	int closingQuote(int from) {
		if (this.skipper.at(from) != '"') {
			return JsonSkipper.FAULT;
		}
		int index = PlainText.end(this.bytes, from + 1, this.end);
		return (this.skipper.at(index) == '"') ? index : JsonSkipper.FAULT;
	}

	/**
	 * Returns the text between two places.
	 * @param from where it begins
	 * @param to where it ends
	 * @return the text, which must be ASCII
	 */
	String ascii(int from, int to) {
		return new String(this.bytes, from, to - from, StandardCharsets.ISO_8859_1);
	}

}
