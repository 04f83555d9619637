package dev.reflector.client;

/**
 * The bytes of one value, in an array that soon holds other bytes.
 *
 * @param bytes holds the value
 * @param offset where it starts
 * @param length how much of it is there
 * @param size its full size; when it is more than the length, the value was larger than
 * allowed and only its beginning is there
 * @param typed whether the list around the value has said already that it is of the
 * expected type
 * @param assumed whether nobody has looked through the bytes yet, so that the value may
 * end before they do, or after them
 */
record Frame(byte[] bytes, int offset, int length, long size, boolean typed, boolean assumed) {

	Frame(byte[] bytes, int offset, int length, long size, boolean typed) {
		this(bytes, offset, length, size, typed, false);
	}

	int end() {
		return this.offset + this.length;
	}

	boolean oversize() {
		return this.size > this.length;
	}

}
