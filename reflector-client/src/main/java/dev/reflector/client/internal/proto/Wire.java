package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of protobuf messages one after another, without copying them. Never
 * reads outside of the given bytes. If the bytes are invalid, this is recorded as a
 * problem, and no more fields are read.
 */
final class Wire {

	static final int VARINT = 0;

	static final int FIXED64 = 1;

	static final int BYTES = 2;

	static final int FIXED32 = 5;

	private static final int MAX_VARINT = 10;

	private byte[] bytes = {};

	private int end;

	private boolean cut;

	private int index;

	private int number;

	private int type;

	private long value;

	private int from;

	private int to;

	private @Nullable String problem;

	/**
	 * Sets the bytes to read.
	 * @param bytes the array that contains a message
	 * @param from the index at which the message begins
	 * @param end the index at which the bytes end
	 * @param cut whether the bytes are only the beginning of the message
	 */
	void over(byte[] bytes, int from, int end, boolean cut) {
		this.bytes = bytes;
		this.end = end;
		this.cut = cut;
		this.problem = null;
		this.index = from;
	}

	/** Releases the bytes. */
	void clear() {
		this.bytes = new byte[0];
		this.end = 0;
		this.index = 0;
	}

	/**
	 * Continues at another field.
	 * @param index the index at which the field begins
	 */
	void at(int index) {
		this.index = index;
	}

	/**
	 * Reads the next field, which becomes the current field.
	 * @param limit the index at which the message ends
	 * @return whether there is another field
	 */
	boolean next(int limit) {
		if (this.index >= limit || this.problem != null) {
			return false;
		}
		long tag = varint(limit);
		this.type = (int) tag & 7;
		this.number = (int) (tag >>> 3);
		if (this.problem == null && (tag >>> 32 != 0 || this.number == 0)) {
			fail("a field has no valid number");
		}
		if (this.problem != null) {
			return false;
		}
		this.value = 0;
		this.from = this.index;
		this.to = this.index;
		switch (this.type) {
			case VARINT -> this.value = varint(limit);
			case BYTES -> length(limit);
			case FIXED64 -> fixedField(Long.BYTES, limit);
			case FIXED32 -> fixedField(Integer.BYTES, limit);
			default -> fail("a field is of the unknown wire type " + this.type);
		}
		return this.problem == null;
	}

	/**
	 * Reads a number that is encoded with seven bits in each byte.
	 * @param limit the index at which the message ends
	 * @return the number, or 0 if there is a problem
	 */
	long varint(int limit) {
		int position = this.index;
		if (position < limit && this.bytes[position] >= 0) {
			this.index = position + 1;
			return this.bytes[position];
		}
		long read = 0;
		for (int i = 0; i < MAX_VARINT; i++) {
			if (position + i >= limit) {
				breakOff();
				return 0;
			}
			byte part = this.bytes[position + i];
			read |= (long) (part & 0x7f) << (7 * i);
			if (part >= 0) {
				this.index = position + i + 1;
				return read;
			}
		}
		fail("a number has more than " + MAX_VARINT + " bytes");
		return 0;
	}

	private void length(int limit) {
		long length = varint(limit);
		if (this.problem != null) {
			return;
		}
		this.from = this.index;
		if (length >= 0 && length <= limit - this.from) {
			this.to = this.from + (int) length;
		}
		else if (this.cut && limit == this.end && length > 0) {
			// the part of the content that exists can still be read
			this.to = limit;
		}
		else {
			fail("a length goes beyond the end");
		}
		this.index = this.to;
	}

	private void fixedField(int size, int limit) {
		if (size > limit - this.index) {
			breakOff();
			return;
		}
		this.value = fixed(this.index, size);
		this.index += size;
	}

	/**
	 * Reads a number of a fixed size, the lowest byte first.
	 * @param from the index at which the number begins
	 * @param size the number of its bytes
	 * @return the number
	 */
	long fixed(int from, int size) {
		long read = 0;
		for (int i = size - 1; i >= 0; i--) {
			read = (read << 8) | (this.bytes[from + i] & 0xff);
		}
		return read;
	}

	/**
	 * Records a problem. No more fields are read after it.
	 * @param problem the problem in words
	 */
	void fail(String problem) {
		if (this.problem == null) {
			this.problem = problem;
		}
	}

	@Nullable String problem() {
		return this.problem;
	}

	byte[] bytes() {
		return this.bytes;
	}

	int index() {
		return this.index;
	}

	int number() {
		return this.number;
	}

	int type() {
		return this.type;
	}

	/**
	 * Returns the value of the current field. Valid only if the field is a number, of any
	 * wire type.
	 */
	long value() {
		return this.value;
	}

	/**
	 * Returns the index at which the content of the current field begins. Valid only if
	 * the field has a length.
	 */
	int from() {
		return this.from;
	}

	/**
	 * Returns the index after the content of the current field. Valid only if the field
	 * has a length.
	 */
	int to() {
		return this.to;
	}

	/**
	 * Returns whether the bytes end within a message.
	 * @param to the index after the existing part of the message
	 * @return {@code true} if the rest of the message is missing
	 */
	boolean isCut(int to) {
		return this.cut && to == this.end;
	}

	/** Records the problem that a message is incomplete. */
	void breakOff() {
		fail("it breaks off within a field");
	}

}
