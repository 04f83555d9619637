package dev.reflector.client;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Cuts the bytes of a list into its items and its metadata as they arrive (section 1.5).
 * The members of the list come in any order, unknown ones are skipped whatever they are,
 * and {@code items} may be {@code null} or missing.
 */
final class ListFramer {

	private static final int MAX_NAME = 256;

	private static final int MAX_METADATA = 1024 * 1024;

	private final ValueScanner scanner = new ValueScanner();

	private final ValueCollector items;

	private final ValueCollector members = new ValueCollector(MAX_METADATA);

	private final Handler handler;

	private State state = State.BEGIN;

	private String member = "";

	private boolean seenItems;

	ListFramer(int maxItemSize, Handler handler) {
		this.items = new ValueCollector(maxItemSize);
		this.handler = handler;
	}

	/**
	 * Takes the next bytes.
	 * @param bytes the bytes
	 * @throws MalformedResponseException when they cannot belong to a list
	 */
	void feed(byte[] bytes) throws MalformedResponseException {
		int index = 0;
		while (index < bytes.length) {
			index = step(bytes, index);
		}
	}

	private int step(byte[] bytes, int index) throws MalformedResponseException {
		return switch (this.state) {
			case NAME -> scan(bytes, index, this.members, this::name);
			case STRING_OR_CONTAINER -> scan(bytes, index, this.members, this::member);
			case SKIPPED -> scan(bytes, index, null, (slice) -> this.state = State.AFTER_VALUE);
			case ITEM -> scan(bytes, index, this.items, this::item);
			case LITERAL -> literal(bytes, index);
			default -> structure(bytes, index);
		};
	}

	private int scan(byte[] bytes, int index, @org.jspecify.annotations.Nullable ValueCollector collector,
			Consumer<Slice> whole) {
		int end = this.scanner.scan(bytes, index, bytes.length);
		if (end < 0) {
			if (collector != null) {
				collector.add(bytes, index, bytes.length);
			}
			return bytes.length;
		}
		whole.accept((collector != null) ? collector.end(bytes, index, end) : new Slice(bytes, end, 0, false));
		return end;
	}

	private int structure(byte[] bytes, int index) throws MalformedResponseException {
		byte b = bytes[index];
		if (JsonBytes.isWhitespace(b)) {
			return index + 1;
		}
		switch (this.state) {
			case BEGIN -> expect(b == '{', State.NAME_OR_END, bytes, index);
			case NAME_OR_END, NEXT_NAME -> {
				if (b == '}' && this.state == State.NAME_OR_END) {
					this.state = State.END;
					return index + 1;
				}
				expect(b == '"', State.NAME, bytes, index);
				begin(this.members);
				return index;
			}
			case COLON -> expect(b == ':', State.VALUE, bytes, index);
			case VALUE -> {
				return value(b, bytes, index);
			}
			case AFTER_VALUE -> expect(b == ',' || b == '}', (b == ',') ? State.NEXT_NAME : State.END, bytes, index);
			case ITEM_OR_END, NEXT_ITEM -> {
				if (b == ']' && this.state == State.ITEM_OR_END) {
					this.state = State.AFTER_VALUE;
					return index + 1;
				}
				expect(b == '{', State.ITEM, bytes, index);
				begin(this.items);
				return index;
			}
			case AFTER_ITEM ->
				expect(b == ',' || b == ']', (b == ',') ? State.NEXT_ITEM : State.AFTER_VALUE, bytes, index);
			default -> expect(false, State.END, bytes, index);
		}
		return index + 1;
	}

	private int value(byte b, byte[] bytes, int index) throws MalformedResponseException {
		boolean items = this.member.equals("items");
		if (items && b == '[') {
			this.seenItems = true;
			this.state = State.ITEM_OR_END;
			return index + 1;
		}
		if (b == '{' || b == '[' || b == '"') {
			expect(!items, switch (this.member) {
				case "metadata", "kind", "apiVersion" -> State.STRING_OR_CONTAINER;
				default -> State.SKIPPED;
			}, bytes, index);
			begin(this.members);
			return index;
		}
		expect(items ? b == 'n' : (b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z'), State.LITERAL, bytes,
				index);
		return index;
	}

	private int literal(byte[] bytes, int from) {
		int index = from;
		while (index < bytes.length && bytes[index] != ',' && bytes[index] != '}'
				&& !JsonBytes.isWhitespace(bytes[index])) {
			index++;
		}
		if (index < bytes.length) {
			this.state = State.AFTER_VALUE;
		}
		return index;
	}

	private void begin(ValueCollector collector) {
		this.scanner.begin();
		collector.begin();
	}

	private void name(Slice name) {
		// with its quotes; a name with escapes is none that matters here
		this.member = (name.length() <= MAX_NAME)
				? new String(name.bytes(), name.offset() + 1, name.length() - 2, StandardCharsets.UTF_8) : "";
		this.state = State.COLON;
	}

	private void member(Slice value) {
		this.handler.member(this.member, value);
		this.state = State.AFTER_VALUE;
	}

	private void item(Slice item) {
		this.handler.item(item);
		this.state = State.AFTER_ITEM;
	}

	private void expect(boolean met, State next, byte[] bytes, int index) throws MalformedResponseException {
		if (!met) {
			throw new MalformedResponseException(switch (this.state) {
				case BEGIN -> "the list is no JSON object, it begins with ";
				case END -> "the list goes on after its end with ";
				default -> "the list is no valid JSON at ";
			} + JsonBytes.show(bytes, index));
		}
		this.state = next;
	}

	/**
	 * Notes that no more bytes come.
	 * @throws MalformedResponseException when the list is not complete
	 */
	void end() throws MalformedResponseException {
		if (this.state != State.END) {
			throw new MalformedResponseException((this.state == State.BEGIN) ? "the list is empty, without a byte"
					: "the connection ended in the middle of the list" + (this.seenItems ? "" : ", before its items"));
		}
	}

	private enum State {

		BEGIN, NAME_OR_END, NEXT_NAME, NAME, COLON, VALUE, STRING_OR_CONTAINER, SKIPPED, LITERAL, AFTER_VALUE,
		ITEM_OR_END, NEXT_ITEM, ITEM, AFTER_ITEM, END

	}

	/** Takes what a list is made of. */
	interface Handler {

		/**
		 * Takes an item.
		 * @param item the item
		 */
		void item(Slice item);

		/**
		 * Takes {@code metadata}, {@code kind} or {@code apiVersion}.
		 * @param name name of the member
		 * @param value its value
		 */
		void member(String name, Slice value);

	}

}
