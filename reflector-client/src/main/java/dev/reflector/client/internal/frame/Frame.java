package dev.reflector.client.internal.frame;

/**
 * The bytes of one value, in an array that is soon reused.
 */
public final class Frame {

	private final byte[] bytes;

	private final int offset;

	private int length;

	private final long size;

	private final boolean typed;

	private final boolean assumed;

	private Frame(byte[] bytes, int offset, int length, long size, boolean typed, boolean assumed) {
		this.bytes = bytes;
		this.offset = offset;
		this.length = length;
		this.size = size;
		this.typed = typed;
		this.assumed = assumed;
	}

	/**
	 * Creates a frame whose end was found.
	 * @param bytes contain the value
	 * @param offset where it begins
	 * @param length how many of its bytes are there
	 * @param size its full size; when that is more than the length, the value was larger
	 * than allowed and only its beginning is there
	 * @param typed whether the list around the value has the expected type, so that the
	 * value also has the expected type
	 */
	public Frame(byte[] bytes, int offset, int length, long size, boolean typed) {
		this(bytes, offset, length, size, typed, false);
	}

	/**
	 * Creates a frame of bytes that probably begin with a value whose end the decoder
	 * must find.
	 * @param bytes contain the value
	 * @param offset where it begins
	 * @param length how long it may be
	 * @return the frame
	 */
	public static Frame assumed(byte[] bytes, int offset, int length) {
		return new Frame(bytes, offset, length, length, false, true);
	}

	public byte[] bytes() {
		return this.bytes;
	}

	public int offset() {
		return this.offset;
	}

	public int length() {
		return this.length;
	}

	public long size() {
		return this.size;
	}

	public boolean typed() {
		return this.typed;
	}

	/**
	 * Whether the decoder must find the end of the value. It may give up when the value
	 * is unusual.
	 */
	public boolean assumed() {
		return this.assumed;
	}

	public int end() {
		return this.offset + this.length;
	}

	/** Sets the end that was found for an assumed frame. */
	public void endsAt(int end) {
		this.length = end - this.offset;
	}

	/** Whether the value is larger than allowed; not for assumed frames. */
	public boolean oversize() {
		return this.size > this.length;
	}

}
