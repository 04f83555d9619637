package dev.reflector.client.internal.frame;

/**
 * The bytes of one value, such as an item of a list or an event of a watch. The array is
 * reused for later frames. The end of a frame may be only assumed until the decoder has
 * found it.
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
	 * @param bytes the array that contains the value
	 * @param offset the index at which the value begins
	 * @param length the number of bytes of the value in the array
	 * @param size the full size of the value; if it is more than the length, the value
	 * was larger than allowed, and the array contains only its beginning
	 * @param typed whether the list around the value has the expected type, so that the
	 * value also has the expected type
	 */
	public Frame(byte[] bytes, int offset, int length, long size, boolean typed) {
		this(bytes, offset, length, size, typed, false);
	}

	/**
	 * Creates a frame of bytes that probably begin with a value. The decoder must find
	 * the end of the value.
	 * @param bytes the array that contains the value
	 * @param offset the index at which the value begins
	 * @param length the largest possible length of the value
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
	 * Returns whether the end of the frame is only assumed, so that the decoder must find
	 * the end of the value. The decoder may refuse to read such a frame if its value has
	 * an unusual form.
	 */
	public boolean assumed() {
		return this.assumed;
	}

	public int end() {
		return this.offset + this.length;
	}

	/** Sets the end of the value, which was only assumed before. */
	public void endsAt(int end) {
		this.length = end - this.offset;
	}

	/**
	 * Returns whether the value is larger than allowed. Has no meaning if the end is only
	 * assumed.
	 */
	public boolean oversize() {
		return this.size > this.length;
	}

}
