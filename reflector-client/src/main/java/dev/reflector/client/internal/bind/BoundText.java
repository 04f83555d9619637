package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;

import dev.reflector.client.internal.frame.JsonSkipper;
import dev.reflector.client.internal.frame.PlainText;
import org.jspecify.annotations.Nullable;

/** The JSON text that bindings read, with the position up to which it was read. */
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
	 * Starts again with another text.
	 * @param bytes the bytes of the text
	 * @param end the index at which the text ends
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
	 * Returns the position after the last value.
	 * @return the index after the value, or {@link JsonSkipper#FAULT} if there was a
	 * fault
	 */
	int position() {
		return this.position;
	}

	/**
	 * Sets the position after a value.
	 * @param position the index after the value, or {@link JsonSkipper#FAULT}
	 */
	void moveTo(int position) {
		this.position = position;
	}

	/**
	 * Notes that no value can be made from the text.
	 * @return {@code null}
	 */
	@Nullable Object fault() {
		this.position = JsonSkipper.FAULT;
		return null;
	}

	/**
	 * Finds the end of a string of plain ASCII, as most strings are.
	 * @param from the index at which the string begins
	 * @return the index of the closing quote, or {@link JsonSkipper#FAULT} if there is no
	 * string, or the string has no end, an escape or a character that is not ASCII
	 */
	int closingQuote(int from) {
		if (this.skipper.at(from) != '"') {
			return JsonSkipper.FAULT;
		}
		int index = PlainText.end(this.bytes, from + 1, this.end);
		return (this.skipper.at(index) == '"') ? index : JsonSkipper.FAULT;
	}

	/**
	 * Returns the text between two indices. The text must be ASCII.
	 * @param from the index of the first character
	 * @param to the index after the last character
	 * @return the text
	 */
	String ascii(int from, int to) {
		return new String(this.bytes, from, to - from, StandardCharsets.ISO_8859_1);
	}

}
