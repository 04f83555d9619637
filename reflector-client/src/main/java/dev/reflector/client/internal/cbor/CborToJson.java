package dev.reflector.client.internal.cbor;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

import dev.reflector.client.internal.bind.Shape;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.JsonText;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.jspecify.annotations.Nullable;

/**
 * Translates CBOR into the JSON that the server would have sent, and skips the parts that
 * the type does not use. With this translation, the same code decodes objects in JSON and
 * in CBOR. Jackson's CBOR parser cannot be used, because Kubernetes sends text as byte
 * strings (W-61), which Jackson would read as binary data.
 */
public final class CborToJson {

	private static final int BIGNUM = 2;

	private static final int NEGATIVE_BIGNUM = 3;

	private static final int BASE64_URL = 21;

	private static final int BASE64 = 22;

	private static final int BASE16 = 23;

	private static final int NONE = -1;

	private final int maxDepth;

	private final JsonText text;

	private final CborHead head = new CborHead();

	private final CborScanner scanner = new CborScanner();

	private byte[] bytes = {};

	private int end;

	private int index;

	/** Whether the bytes ended within an item. */
	private boolean cut;

	private @Nullable String fault;

	/**
	 * Creates a translator with an empty text.
	 * @param maxDepth the largest depth to which arrays and maps may be nested
	 * @param limit the largest length of the text, in bytes
	 */
	CborToJson(int maxDepth, long limit) {
		this.maxDepth = maxDepth;
		this.text = new JsonText(limit);
	}

	/**
	 * Sets the bytes to translate, and empties the text.
	 * @param frame the frame that contains the bytes
	 */
	void over(Frame frame) {
		this.bytes = frame.bytes();
		this.end = frame.end();
		this.text.clear();
		this.fault = null;
		at(frame.offset());
	}

	/**
	 * Moves to another item.
	 * @param index the index at which the item begins
	 */
	void at(int index) {
		this.index = index;
		this.cut = false;
	}

	/** Releases the bytes. */
	void clear() {
		this.bytes = new byte[0];
		this.end = 0;
	}

	/**
	 * Returns the index of the next item.
	 * @return the index
	 */
	int index() {
		return this.index;
	}

	/**
	 * Returns whether the bytes ended within an item.
	 * @return {@code true} if the text is incomplete
	 */
	boolean isCut() {
		return this.cut;
	}

	JsonText text() {
		return this.text;
	}

	/**
	 * Returns the first fault. For example, a value that JSON does not have is a fault,
	 * and is written as 0.
	 * @return a description of the fault, or {@code null} for none
	 */
	@Nullable String fault() {
		return this.text.isFull() ? "it has too many bytes as JSON, more than " + JsonText.LIMIT + " allows; raise it"
				: this.fault;
	}

	/**
	 * Writes the next item.
	 * @param shape the parts to write
	 * @param besides properties that are written even if the shape does not contain them
	 * @param depth the number of arrays and maps around the item
	 */
	void write(Shape shape, Shape.@Nullable Properties besides, int depth) {
		int begin = this.index;
		int tag = NONE;
		while (head() && this.head.type() == CborHead.TAG) {
			// if there are several tags, the innermost is used
			tag = (int) Math.min(this.head.value() & Long.MAX_VALUE, Integer.MAX_VALUE);
		}
		if (this.cut) {
			return;
		}
		boolean container = this.head.type() == CborHead.ARRAY || this.head.type() == CborHead.MAP;
		if (container && depth >= this.maxDepth) {
			this.index = begin;
			this.text.put('0');
			skip(depth);
			return;
		}
		if (tag == BIGNUM || tag == NEGATIVE_BIGNUM) {
			this.index = begin;
			instead("a number of any length");
			skip(depth);
			return;
		}
		switch (this.head.type()) {
			case CborHead.BYTES, CborHead.TEXT -> string((this.head.type() == CborHead.BYTES) ? tag : NONE);
			case CborHead.ARRAY -> array(shape, depth + 1);
			case CborHead.MAP -> map(shape, besides, depth + 1);
			default -> scalar(CborScalar.json(this.head));
		}
	}

	/**
	 * Skips the next item.
	 * @param depth the number of arrays and maps around the item
	 */
	void skip(int depth) {
		this.scanner.begin();
		int next = this.scanner.scan(this.bytes, this.index, this.end);
		this.cut |= next < 0;
		this.index = (next < 0) ? this.end : next;
		if (depth + this.scanner.deepest() > this.maxDepth) {
			fault("it goes beyond a limit of the parser: it is nested deeper than " + this.maxDepth);
		}
	}

	/**
	 * Enters a map.
	 * @return the number of entries; negative for a map of indefinite length, 0 if the
	 * item is no map
	 */
	long enterMap() {
		boolean more = head();
		while (more && this.head.type() == CborHead.TAG) {
			more = head();
		}
		if (!more || this.head.type() != CborHead.MAP) {
			return 0;
		}
		return this.head.isIndefinite() ? NONE : this.head.value();
	}

	/**
	 * Returns whether a map has another entry. Skips the end mark of a map of indefinite
	 * length.
	 * @param entries the result of {@link #enterMap()}
	 * @param read the number of entries that were already read
	 * @return {@code true} if there is another entry
	 */
	boolean hasMore(long entries, long read) {
		if (this.cut || entries >= 0) {
			return !this.cut && read < entries;
		}
		if (this.index < this.end && this.bytes[this.index] == (byte) 0xff) {
			this.index++;
			return false;
		}
		return true;
	}

	/**
	 * Reads a string, such as a key. Skips an item that is no string.
	 * @return the bytes of the string, or {@code null} if the item is no string or is
	 * incomplete
	 */
	@Nullable Frame string() {
		int begin = this.index;
		boolean more = head();
		while (more && this.head.type() == CborHead.TAG) {
			more = head();
		}
		if (more && this.head.isString()) {
			return content();
		}
		this.index = begin;
		skip(0);
		return null;
	}

	private boolean head() {
		this.head.clear();
		int next = this.head.read(this.bytes, this.index, this.end);
		this.cut |= next < 0;
		this.index = (next < 0) ? this.end : next;
		return next >= 0;
	}

	/**
	 * Returns the content of the string whose head was just read, or {@code null} if the
	 * string is incomplete.
	 */
	private @Nullable Frame content() {
		if (!this.head.isIndefinite()) {
			long length = this.head.value();
			this.cut |= length > this.end - this.index;
			if (this.cut) {
				return null;
			}
			Frame content = new Frame(this.bytes, this.index, (int) length, length, false);
			this.index += (int) length;
			return content;
		}
		ByteArrayOutputStream joined = new ByteArrayOutputStream();
		while (head() && !this.head.isIndefinite()) {
			Frame part = content();
			if (part != null) {
				joined.write(part.bytes(), part.offset(), part.length());
			}
		}
		byte[] content = joined.toByteArray();
		return this.cut ? null : new Frame(content, 0, content.length, content.length, false);
	}

	private void string(int tag) {
		Frame content = content();
		if (content == null) {
			return;
		}
		if (tag < BASE64_URL || tag > BASE16) {
			if (!this.text.string(content.bytes(), content.offset(), content.end())) {
				instead("a text that is no UTF-8");
			}
			return;
		}
		byte[] binary = new byte[content.length()];
		System.arraycopy(content.bytes(), content.offset(), binary, 0, binary.length);
		this.text.put('"');
		this.text.put(switch (tag) {
			case BASE64 -> Base64.getEncoder().encodeToString(binary);
			case BASE64_URL -> Base64.getUrlEncoder().withoutPadding().encodeToString(binary);
			default -> HexFormat.of().withUpperCase().formatHex(binary);
		});
		this.text.put('"');
	}

	private void array(Shape shape, int depth) {
		long elements = this.head.isIndefinite() ? NONE : this.head.value();
		Shape each = (shape instanceof Shape.Elements taken) ? taken.each() : Shape.ALL;
		this.text.put('[');
		for (long read = 0; hasMore(elements, read); read++) {
			if (read > 0) {
				this.text.put(',');
			}
			write(each, null, depth);
		}
		close(']');
	}

	private void map(Shape shape, Shape.@Nullable Properties besides, int depth) {
		long entries = this.head.isIndefinite() ? NONE : this.head.value();
		this.text.put('{');
		boolean first = true;
		for (long read = 0; hasMore(entries, read); read++) {
			Frame key = string();
			if (key == null) {
				if (!this.cut) {
					fault("it is no valid CBOR: a key is no text");
				}
				skip(depth);
				continue;
			}
			Shape other = (besides != null) ? besides.find(key.bytes(), key.offset(), key.end()) : null;
			Shape value = value(shape, key);
			Shape taken = (value != null) ? value : other;
			if (taken == null) {
				skip(depth);
				continue;
			}
			if (!first) {
				this.text.put(',');
			}
			first = false;
			key(key);
			boolean both = value != null && value != Shape.ALL;
			write(taken, (both && other instanceof Shape.Properties more) ? more : null, depth);
		}
		close('}');
	}

	private static @Nullable Shape value(Shape shape, Frame key) {
		if (shape instanceof Shape.Properties properties) {
			return properties.find(key.bytes(), key.offset(), key.end());
		}
		return (shape instanceof Shape.Entries entries) ? entries.each() : Shape.ALL;
	}

	private void key(Frame key) {
		if (!this.text.string(key.bytes(), key.offset(), key.end())) {
			fault("it is no valid CBOR: a key is no UTF-8");
			this.text.put("\"\"");
		}
		this.text.put(':');
	}

	/**
	 * Writes the closing bracket of an array or map. If the item is incomplete, the
	 * bracket is omitted, so that the JSON is invalid.
	 */
	private void close(char bracket) {
		if (!this.cut) {
			this.text.put(bracket);
		}
	}

	private void scalar(@Nullable String json) {
		if (json != null) {
			this.text.put(json);
		}
		else {
			instead("a value that JSON does not have");
		}
	}

	private void instead(String what) {
		fault("it is no valid CBOR: there is " + what);
		this.text.put('0');
	}

	private void fault(String fault) {
		if (this.fault == null) {
			this.fault = fault;
		}
	}

	/**
	 * Translates one whole item.
	 * @param frame the frame that contains the item
	 * @param maxDepth the largest depth to which arrays and maps may be nested
	 * @return the JSON text, without closing brackets if the item is incomplete
	 * @throws MalformedResponseException if the item is not valid
	 */
	public static Frame whole(Frame frame, int maxDepth) {
		CborScanner scanner = new CborScanner();
		scanner.begin();
		scanner.scan(frame.bytes(), frame.offset(), frame.end());
		CborToJson whole = new CborToJson(maxDepth, Integer.MAX_VALUE - 8);
		whole.over(frame);
		whole.write(Shape.ALL, null, 0);
		if (whole.fault() != null) {
			throw new MalformedResponseException(whole.fault());
		}
		return new Frame(whole.text.bytes(), 0, whole.text.length(), whole.text.length(), false);
	}

	static String string(@Nullable Frame string) {
		return (string != null) ? new String(string.bytes(), string.offset(), string.length(), StandardCharsets.UTF_8)
				: "";
	}

}
