package dev.reflector.client.internal.cbor;

import dev.reflector.client.internal.frame.MalformedResponseException;

/**
 * The head of a CBOR data item (RFC 8949, section 3): its type, and its value, length or
 * number of elements. The bytes of the head may arrive in pieces.
 */
final class CborHead {

	static final int UNSIGNED = 0;

	static final int NEGATIVE = 1;

	static final int BYTES = 2;

	static final int TEXT = 3;

	static final int ARRAY = 4;

	static final int MAP = 5;

	static final int TAG = 6;

	static final int SIMPLE = 7;

	private static final int ONE_BYTE = 24;

	private static final int EIGHT_BYTES = 27;

	private static final int INDEFINITE = 31;

	private static final int FIRST_LONG_SIMPLE = 32;

	private int type;

	private int info;

	private long value;

	private int missing;

	/** Prepares for the next head. */
	void clear() {
		this.missing = 0;
	}

	/**
	 * Reads a head, or the next part of a head.
	 * @param bytes the buffer
	 * @param from the index at which reading continues
	 * @param to the index at which the buffer ends
	 * @return the index after the head, or -1 if the head continues in the next buffer
	 * @throws MalformedResponseException if the head is not valid
	 */
	int read(byte[] bytes, int from, int to) {
		int index = from;
		if (this.missing == 0) {
			if (index >= to) {
				return -1;
			}
			begin(bytes[index++] & 0xff);
		}
		while (this.missing > 0) {
			if (index >= to) {
				return -1;
			}
			this.value = (this.value << 8) | (bytes[index++] & 0xff);
			this.missing--;
		}
		if (this.info >= ONE_BYTE) {
			check();
		}
		return index;
	}

	private void begin(int first) {
		this.type = first >> 5;
		this.info = first & 0x1f;
		this.value = (this.info < ONE_BYTE) ? this.info : 0;
		if (this.info >= ONE_BYTE && this.info <= EIGHT_BYTES) {
			this.missing = 1 << (this.info - ONE_BYTE);
		}
	}

	private void check() {
		boolean reserved = this.info > EIGHT_BYTES && this.info < INDEFINITE;
		boolean endless = this.info == INDEFINITE
				&& (this.type == UNSIGNED || this.type == NEGATIVE || this.type == TAG);
		boolean twoForms = this.type == SIMPLE && this.info == ONE_BYTE && this.value < FIRST_LONG_SIMPLE;
		boolean beyond = this.value < 0 && this.type >= BYTES && this.type <= MAP;
		if (reserved || endless || twoForms || beyond) {
			throw new MalformedResponseException("invalid CBOR");
		}
	}

	int type() {
		return this.type;
	}

	boolean isString() {
		return this.type == BYTES || this.type == TEXT;
	}

	/**
	 * Returns whether the item has an indefinite length. For the type {@link #SIMPLE},
	 * returns whether this is the mark that ends an item of indefinite length.
	 * @return {@code true} for an indefinite length, or for this mark
	 */
	boolean isIndefinite() {
		return this.info == INDEFINITE;
	}

	boolean isBreak() {
		return this.type == SIMPLE && this.info == INDEFINITE;
	}

	/**
	 * Returns the size of a floating-point number.
	 * @return 2, 4 or 8 bytes, or 0 if the item is no such number
	 */
	int floatSize() {
		return (this.type == SIMPLE && this.info > ONE_BYTE && this.info <= EIGHT_BYTES) ? 1 << (this.info - ONE_BYTE)
				: 0;
	}

	/**
	 * Returns the value without its sign, the length, or the number of elements,
	 * depending on the type of the item.
	 * @return the value
	 */
	long value() {
		return this.value;
	}

}
