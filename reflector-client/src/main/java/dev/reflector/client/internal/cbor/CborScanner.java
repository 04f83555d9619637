package dev.reflector.client.internal.cbor;

import java.util.Arrays;

import dev.reflector.client.internal.frame.FrameScanner;
import dev.reflector.client.internal.frame.MalformedResponseException;

/**
 * Finds the end of one CBOR data item whose bytes arrive in pieces. Does not check the
 * content of strings. The decoder does that.
 */
final class CborScanner implements FrameScanner {

	private static final int MAX_DEPTH = 1 << 20;

	private static final int SPARE_DEPTH = 512;

	private static final long ENDLESS_ARRAY = -1;

	private static final long ENDLESS_MAP = -2;

	/** The state of a map of indefinite length after a key and before its value. */
	private static final long ENDLESS_MAP_AT_VALUE = -3;

	private static final long ENDLESS_BYTES = -4;

	private static final long ENDLESS_TEXT = -5;

	private final CborHead head = new CborHead();

	private final int maxDepth;

	private final long largest;

	// for each open item, the number of items that remain in it, or one of the constants
	private long[] open = new long[16];

	private int depth;

	private int deepest;

	private long skip;

	private boolean tagged;

	/** Creates a scanner that accepts items of any size. */
	CborScanner() {
		this(MAX_DEPTH, Long.MAX_VALUE);
	}

	/**
	 * Creates a scanner that accepts items of a limited size.
	 * @param maxDepth the largest depth to which arrays and maps may be nested
	 * @param largest the largest length that a head may announce
	 */
	CborScanner(int maxDepth, long largest) {
		this.maxDepth = maxDepth;
		this.largest = largest;
	}

	/** Prepares the scanner for the next item. */
	void begin() {
		this.head.clear();
		this.depth = 0;
		this.deepest = 0;
		this.skip = 0;
		this.tagged = false;
		if (this.open.length > SPARE_DEPTH) {
			this.open = new long[16];
		}
	}

	@Override
	public int scan(byte[] bytes, int from, int to) {
		int index = from;
		while (true) {
			if (this.skip > 0) {
				long skipped = Math.min(this.skip, to - index);
				index += (int) skipped;
				this.skip -= skipped;
			}
			else {
				index = this.head.read(bytes, index, to);
				if (index < 0) {
					return -1;
				}
				if (!enter()) {
					continue;
				}
			}
			if (this.skip > 0) {
				if (index == to) {
					return -1;
				}
			}
			else if (completed()) {
				return index;
			}
		}
	}

	/**
	 * Returns the largest depth to which arrays and maps are nested in the scanned part
	 * of the item.
	 * @return the depth
	 */
	int deepest() {
		return this.deepest;
	}

	/**
	 * Processes a head.
	 * @return whether an item ends with this head, or with the bytes of its string, which
	 * must still be skipped
	 */
	private boolean enter() {
		CborHead head = this.head;
		long inside = (this.depth > 0) ? this.open[this.depth - 1] : 0;
		if (head.isBreak()) {
			check(!this.tagged && inside < 0 && inside != ENDLESS_MAP_AT_VALUE);
			this.depth--;
			return true;
		}
		if (inside == ENDLESS_BYTES || inside == ENDLESS_TEXT) {
			// a part of a string must have the type of the string and a definite length
			check(head.type() == ((inside == ENDLESS_BYTES) ? CborHead.BYTES : CborHead.TEXT) && !head.isIndefinite());
		}
		if (head.type() >= CborHead.BYTES && head.type() <= CborHead.MAP && head.value() > this.largest) {
			// also limits the number of elements, because each has at least one byte
			throw new MalformedResponseException("CBOR that is longer than " + this.largest + " bytes");
		}
		this.tagged = head.type() == CborHead.TAG;
		return switch (head.type()) {
			case CborHead.TAG -> false;
			case CborHead.BYTES -> head.isIndefinite() ? push(ENDLESS_BYTES) : string();
			case CborHead.TEXT -> head.isIndefinite() ? push(ENDLESS_TEXT) : string();
			case CborHead.ARRAY -> head.isIndefinite() ? push(ENDLESS_ARRAY) : push(head.value());
			case CborHead.MAP -> {
				check(head.value() <= Long.MAX_VALUE / 2);
				yield head.isIndefinite() ? push(ENDLESS_MAP) : push(2 * head.value());
			}
			default -> true;
		};
	}

	private boolean string() {
		this.skip = this.head.value();
		return true;
	}

	private boolean push(long items) {
		this.deepest = Math.max(this.deepest, this.depth + 1);
		if (items == 0) {
			return true;
		}
		if (this.depth >= this.maxDepth) {
			throw new MalformedResponseException("CBOR nested deeper than " + this.maxDepth);
		}
		if (this.depth == this.open.length) {
			this.open = Arrays.copyOf(this.open, 2 * this.depth);
		}
		this.open[this.depth++] = items;
		return false;
	}

	/**
	 * Closes the completed item, and the items around it that are complete with it.
	 * Returns whether the outermost item is complete.
	 */
	private boolean completed() {
		while (this.depth > 0) {
			int around = this.depth - 1;
			long left = this.open[around];
			if (left < 0) {
				if (left == ENDLESS_MAP || left == ENDLESS_MAP_AT_VALUE) {
					this.open[around] = (left == ENDLESS_MAP) ? ENDLESS_MAP_AT_VALUE : ENDLESS_MAP;
				}
				return false;
			}
			this.open[around] = left - 1;
			if (left > 1) {
				return false;
			}
			this.depth--;
		}
		return true;
	}

	private static void check(boolean expected) {
		if (!expected) {
			throw new MalformedResponseException("invalid CBOR");
		}
	}

}
