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
 * Writes CBOR as the JSON that the server would have sent, and leaves out what nobody
 * takes, over which it passes without looking. So objects are made by one and the same
 * way, whatever they come in. Jackson's parser of CBOR is no way for what Kubernetes
 * sends: its texts are byte strings (W-61), which that parser takes for binary data.
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

	/** Whether the bytes have ended within an item. */
	private boolean cut;

	private @Nullable String fault;

	/**
	 * Writes nothing so far.
	 * @param maxDepth how deep arrays and maps may be nested
	 * @param limit how long a text may become
	 */
	CborToJson(int maxDepth, long limit) {
		this.maxDepth = maxDepth;
		this.text = new JsonText(limit);
	}

	/**
	 * Turns to other bytes, and clears the text.
	 * @param frame the bytes
	 */
	void over(Frame frame) {
		this.bytes = frame.bytes();
		this.end = frame.end();
		this.text.clear();
		this.fault = null;
		at(frame.offset());
	}

	/**
	 * Turns to another item.
	 * @param index where it begins
	 */
	void at(int index) {
		this.index = index;
		this.cut = false;
	}

	/** Keeps no bytes alive. */
	void clear() {
		this.bytes = new byte[0];
		this.end = 0;
	}

	/**
	 * Where to read on.
	 * @return index of the next item
	 */
	int index() {
		return this.index;
	}

	/**
	 * Whether the bytes have come to their end too early.
	 * @return whether they ended within an item
	 */
	boolean isCut() {
		return this.cut;
	}

	JsonText text() {
		return this.text;
	}

	/**
	 * What was wrong with what was written. In place of each value that JSON does not
	 * have there is a number in the text.
	 * @return the first fault in words, or {@code null}
	 */
	@Nullable String fault() {
		return this.text.isFull()
				? "it has too many bytes as JSON, more than reflector.api-server.max-object-size allows; raise that property"
				: this.fault;
	}

	/**
	 * Writes the next item.
	 * @param shape what is taken of it
	 * @param besides what is taken besides, where the shape does not take it
	 * @param depth in how many arrays and maps it is
	 */
	void write(Shape shape, Shape.@Nullable Properties besides, int depth) {
		int begin = this.index;
		int tag = NONE;
		while (head() && this.head.type() == CborHead.TAG) {
			// of several, the innermost says what its content is
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
	 * Passes over the next item.
	 * @param depth in how many arrays and maps it is
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
	 * Steps into a map.
	 * @return the number of its entries, negative when it has no length, and 0 when there
	 * is no map
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
	 * Whether the map that was entered goes on. Passes over the sign of its end.
	 * @param entries the number of entries that was told
	 * @param read how many have been read
	 * @return whether there is another
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
	 * Reads a string, such as a key.
	 * @return where it is, or {@code null} when there is something else, over which it
	 * passes
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

	/** What is in the string that has begun; nothing when it is cut off. */
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
			if (value == null && other == null) {
				skip(depth);
				continue;
			}
			if (!first) {
				this.text.put(',');
			}
			first = false;
			key(key);
			boolean both = value != null && value != Shape.ALL;
			write((value != null) ? value : other, (both && other instanceof Shape.Properties more) ? more : null,
					depth);
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

	/** What breaks off is not closed, so that nobody takes it for complete. */
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
	 * Writes one item whole.
	 * @param frame the item
	 * @param maxDepth how deep arrays and maps may be nested
	 * @return the text, which is not closed when the item breaks off
	 * @throws MalformedResponseException when there is no such item
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
