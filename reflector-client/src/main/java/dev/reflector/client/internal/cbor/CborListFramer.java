package dev.reflector.client.internal.cbor;

import dev.reflector.ResourceType;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameAssembler;
import dev.reflector.client.internal.frame.ListHead;
import dev.reflector.client.internal.frame.PageFramer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a CBOR list into its items while it arrives. Reads only the top level
 * of the list. The keys may come in any order. The values of unknown keys are skipped and
 * not kept in memory.
 */
public final class CborListFramer implements PageFramer {

	// a limit for the keys, kind, API version and metadata of a list, which are short
	private static final int MAX_HEAD = 1024 * 1024;

	private static final int MAX_DEPTH = 100;

	private static final long UNKNOWN = -1;

	private static final int NULL = 22;

	private enum Position {

		START, KEY, IN_KEY, VALUE, IN_VALUE, ITEMS, ITEM, IN_ITEM, END

	}

	private final ListHead head;

	private final CborHead opening = new CborHead();

	private final CborScanner scanner = new CborScanner();

	private final FrameAssembler item;

	private final FrameAssembler field = new FrameAssembler(MAX_HEAD);

	private Position position = Position.START;

	/** The number of remaining entries of the map, or {@link #UNKNOWN}. */
	private long entries;

	/** The number of remaining items of the array, or {@link #UNKNOWN}. */
	private long itemsLeft;

	private String key = "";

	public CborListFramer(ResourceType resourceType, int maxObjectSize) {
		this.head = new ListHead(resourceType);
		this.item = new FrameAssembler(maxObjectSize);
	}

	@Override
	public @Nullable Frame next(Chunk chunk) {
		while (chunk.position < chunk.end) {
			switch (this.position) {
				case START -> start(chunk);
				case KEY -> beginKey(chunk);
				case IN_KEY -> key(chunk);
				case VALUE -> beginValue();
				case IN_VALUE -> value(chunk);
				case ITEMS -> items(chunk);
				case ITEM -> beginItem(chunk);
				case IN_ITEM -> {
					Frame frame = item(chunk);
					if (frame != null) {
						return frame;
					}
				}
				default -> check(false);
			}
		}
		return null;
	}

	/**
	 * Reads the head of a map or array, and the tags before the head.
	 * @return whether the head is complete
	 */
	private boolean opened(Chunk chunk) {
		int next = this.opening.read(chunk.bytes, chunk.position, chunk.end);
		chunk.position = (next < 0) ? chunk.end : next;
		return next >= 0 && this.opening.type() != CborHead.TAG;
	}

	private void start(Chunk chunk) {
		if (opened(chunk)) {
			check(this.opening.type() == CborHead.MAP);
			this.entries = this.opening.isIndefinite() ? UNKNOWN : this.opening.value();
			afterValue();
		}
	}

	private void beginKey(Chunk chunk) {
		if (this.entries == UNKNOWN && isBreak(chunk)) {
			this.position = Position.END;
			return;
		}
		this.scanner.begin();
		this.position = Position.IN_KEY;
	}

	private static boolean isBreak(Chunk chunk) {
		boolean end = chunk.bytes[chunk.position] == (byte) 0xff;
		if (end) {
			chunk.position++;
		}
		return end;
	}

	private void key(Chunk chunk) {
		Frame frame = this.field.take(this.scanner, chunk, false);
		if (frame != null) {
			check(!frame.oversize());
			this.key = text(frame);
			this.position = Position.VALUE;
		}
	}

	private void beginValue() {
		if (this.key.equals("items")) {
			// the key must not occur twice
			check(!this.head.hasItems());
			this.opening.clear();
			this.position = Position.ITEMS;
			return;
		}
		this.scanner.begin();
		this.position = Position.IN_VALUE;
	}

	private void value(Chunk chunk) {
		if (!ListHead.has(this.key)) {
			if (this.scanner.skip(chunk)) {
				entryEnded();
			}
			return;
		}
		Frame frame = this.field.take(this.scanner, chunk, false);
		if (frame != null) {
			check(!frame.oversize());
			// the translation makes a copy, because the bytes of the frame are reused
			this.head.take(this.key, CborToJson.whole(frame, MAX_DEPTH));
			entryEnded();
		}
	}

	private void entryEnded() {
		if (this.entries > 0) {
			this.entries--;
		}
		afterValue();
	}

	private void afterValue() {
		this.position = (this.entries == 0) ? Position.END : Position.KEY;
	}

	private void items(Chunk chunk) {
		if (!opened(chunk)) {
			return;
		}
		this.head.foundItems();
		if (this.opening.type() == CborHead.ARRAY) {
			this.itemsLeft = this.opening.isIndefinite() ? UNKNOWN : this.opening.value();
			this.position = Position.ITEM;
			if (this.itemsLeft == 0) {
				entryEnded();
			}
			return;
		}
		// W-16: null means no items
		check(this.opening.type() == CborHead.SIMPLE && this.opening.value() == NULL && this.opening.floatSize() == 0);
		entryEnded();
	}

	private void beginItem(Chunk chunk) {
		if (this.itemsLeft == UNKNOWN && isBreak(chunk)) {
			entryEnded();
			return;
		}
		this.scanner.begin();
		this.position = Position.IN_ITEM;
	}

	private @Nullable Frame item(Chunk chunk) {
		Frame frame = this.item.take(this.scanner, chunk, this.head.isTyped());
		if (frame != null) {
			this.position = Position.ITEM;
			if (this.itemsLeft > 0 && --this.itemsLeft == 0) {
				entryEnded();
			}
		}
		return frame;
	}

	private static String text(Frame key) {
		CborToJson reader = new CborToJson(MAX_DEPTH, 0);
		reader.over(key);
		return CborToJson.string(reader.string());
	}

	private void check(boolean expected) {
		if (!expected) {
			throw ListHead.unexpectedByte("CBOR", (this.position != Position.START) ? this.key : null);
		}
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
