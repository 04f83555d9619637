package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;

import dev.reflector.client.internal.frame.JsonSkipper;
import dev.reflector.client.internal.frame.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * JSON text that values are made of, and how far that has come.
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
	 * Turns to other text.
	 * @param bytes hold it
	 * @param end where they end
	 */
	void over(byte[] bytes, int end) {
		this.bytes = bytes;
		this.end = end;
		this.position = JsonSkipper.FAULT;
		this.skipper.over(bytes, end);
	}

	/** Keeps no bytes alive. */
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
	 * Where the last value ended.
	 * @return the index behind it, {@link JsonSkipper#FAULT} when there was none to be
	 * made
	 */
	int position() {
		return this.position;
	}

	/**
	 * A value has been made.
	 * @param position where it ended, or {@link JsonSkipper#FAULT}
	 */
	void moveTo(int position) {
		this.position = position;
	}

	/**
	 * No value can be made.
	 * @return nothing
	 */
	@Nullable Object fault() {
		this.position = JsonSkipper.FAULT;
		return null;
	}

	/**
	 * Finds the end of a string that is as most are.
	 * @param from where it begins
	 * @return where its closing quote is, {@link JsonSkipper#FAULT} when it is no string,
	 * has no end, has escapes, or not only ASCII
	 */
	int closingQuote(int from) {
		if (this.skipper.at(from) != '"') {
			return JsonSkipper.FAULT;
		}
		int index = PlainText.end(this.bytes, from + 1, this.end);
		return (this.skipper.at(index) == '"') ? index : JsonSkipper.FAULT;
	}

	/**
	 * The text between two places.
	 * @param from where it begins
	 * @param to where it ends
	 * @return the text, which must be ASCII
	 */
	String ascii(int from, int to) {
		return new String(this.bytes, from, to - from, StandardCharsets.ISO_8859_1);
	}

}
