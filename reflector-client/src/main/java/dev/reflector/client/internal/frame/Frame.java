package dev.reflector.client.internal.frame;

/**
 * The bytes of one value, in an array that soon holds other bytes.
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
	 * A value that has been looked through.
	 * @param bytes holds the value
	 * @param offset where it starts
	 * @param length how much of it is there
	 * @param size its full size; when it is more than the length, the value was larger
	 * than allowed and only its beginning is there
	 * @param typed whether the list around the value has said already that it is of the
	 * expected type
	 */
	public Frame(byte[] bytes, int offset, int length, long size, boolean typed) {
		this(bytes, offset, length, size, typed, false);
	}

	/**
	 * Bytes that nobody has looked through yet, and that are merely assumed to begin with
	 * a value.
	 * @param bytes hold the value
	 * @param offset where it starts
	 * @param length how long it may be
	 * @return what is assumed
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
	 * Whether it is for who decodes the value to find out where it ends, and to leave it
	 * to others unless it is as usual.
	 */
	public boolean assumed() {
		return this.assumed;
	}

	public int end() {
		return this.offset + this.length;
	}

	/** Of an assumed frame: the value ends there. */
	public void endsAt(int end) {
		this.length = end - this.offset;
	}

	/** Not to be asked of an assumed frame. */
	public boolean oversize() {
		return this.size > this.length;
	}

}
