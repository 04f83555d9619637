package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a JSON list into its items while it arrives. Reads only the top level
 * of the list. The keys may come in any order. The values of unknown keys are skipped and
 * not kept in memory.
 */
public final class ListFramer implements PageFramer {

	// a limit for the keys, kind, API version and metadata of a list, which are short
	private static final int MAX_HEAD = 1024 * 1024;

	private enum Position {

		START, FIRST_KEY, KEY, IN_KEY, COLON, VALUE, IN_VALUE, AFTER_VALUE, FIRST_ITEM, ITEM, IN_ITEM, AFTER_ITEM, END

	}

	private final ListHead head;

	private final ValueScanner scanner = new ValueScanner();

	private final FrameAssembler item;

	private final FrameAssembler field = new FrameAssembler(MAX_HEAD);

	private Position position = Position.START;

	private String key = "";

	public ListFramer(ResourceType resourceType, int maxObjectSize) {
		this.head = new ListHead(resourceType);
		this.item = new FrameAssembler(maxObjectSize);
	}

	@Override
	public @Nullable Frame next(Chunk chunk) {
		while (chunk.position < chunk.end) {
			switch (this.position) {
				case IN_KEY -> key(chunk);
				case IN_VALUE -> value(chunk);
				case IN_ITEM -> {
					Frame frame = item(chunk);
					if (frame != null) {
						return frame;
					}
				}
				default -> {
					if (chunk.skipWhitespace()) {
						structure(chunk);
					}
				}
			}
		}
		return null;
	}

	private void structure(Chunk chunk) {
		byte value = chunk.bytes[chunk.position];
		switch (this.position) {
			case START -> expect(chunk, value == '{', Position.FIRST_KEY);
			case FIRST_KEY, KEY -> {
				if (value == '}' && this.position == Position.FIRST_KEY) {
					expect(chunk, true, Position.END);
				}
				else {
					check(value == '"');
					this.scanner.begin(value);
					this.position = Position.IN_KEY;
				}
			}
			case COLON -> expect(chunk, value == ':', Position.VALUE);
			case VALUE -> beginValue(chunk, value);
			case AFTER_VALUE ->
				expect(chunk, value == ',' || value == '}', (value == ',') ? Position.KEY : Position.END);
			case FIRST_ITEM, ITEM -> {
				if (value == ']' && this.position == Position.FIRST_ITEM) {
					expect(chunk, true, Position.AFTER_VALUE);
				}
				else {
					this.scanner.begin(value);
					this.position = Position.IN_ITEM;
				}
			}
			case AFTER_ITEM ->
				expect(chunk, value == ',' || value == ']', (value == ',') ? Position.ITEM : Position.AFTER_VALUE);
			default -> check(false);
		}
	}

	private void expect(Chunk chunk, boolean expected, Position next) {
		check(expected);
		chunk.position++;
		this.position = next;
	}

	private void check(boolean expected) {
		if (!expected) {
			throw ListHead.unexpectedByte("JSON", (this.position != Position.START) ? this.key : null);
		}
	}

	private void beginValue(Chunk chunk, byte value) {
		if (this.key.equals("items") && value == '[') {
			// the key must not occur twice
			check(!this.head.hasItems());
			this.head.foundItems();
			expect(chunk, true, Position.FIRST_ITEM);
			return;
		}
		// W-16: null means no items
		check(!this.key.equals("items") || value == 'n');
		this.scanner.begin(value);
		this.position = Position.IN_VALUE;
	}

	private void key(Chunk chunk) {
		Frame frame = this.field.take(this.scanner, chunk, false);
		if (frame != null) {
			check(!frame.oversize());
			this.key = ListHead.text(frame);
			this.position = Position.COLON;
		}
	}

	private void value(Chunk chunk) {
		if (!this.key.equals("items") && !ListHead.has(this.key)) {
			if (this.scanner.skip(chunk)) {
				this.position = Position.AFTER_VALUE;
			}
			return;
		}
		Frame frame = this.field.take(this.scanner, chunk, false);
		if (frame != null) {
			this.position = Position.AFTER_VALUE;
			check(!frame.oversize());
			field(frame);
		}
	}

	private void field(Frame frame) {
		// the bytes of the frame are reused, so they are copied
		byte[] bytes = new byte[frame.length()];
		System.arraycopy(frame.bytes(), frame.offset(), bytes, 0, bytes.length);
		if (ListHead.has(this.key)) {
			this.head.take(this.key, new Frame(bytes, 0, bytes.length, bytes.length, false));
			return;
		}
		check(new String(bytes, StandardCharsets.UTF_8).equals("null"));
		this.head.foundItems();
	}

	private @Nullable Frame item(Chunk chunk) {
		Frame frame = this.item.take(this.scanner, chunk, this.head.isTyped());
		if (frame != null) {
			this.position = Position.AFTER_ITEM;
		}
		return frame;
	}

	@Override
	public ListHead head() {
		return this.head;
	}

	@Override
	public void finish() {
		ListHead.requireEnd(this.position != Position.START, this.position == Position.END);
	}

}
