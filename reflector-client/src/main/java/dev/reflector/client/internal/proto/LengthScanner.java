package dev.reflector.client.internal.proto;

import dev.reflector.client.internal.frame.FrameScanner;

/** Finds the end of a value whose length is known. */
final class LengthScanner implements FrameScanner {

	private long missing;

	/**
	 * Prepares for the next value.
	 * @param length the length of the value in bytes
	 */
	void begin(long length) {
		this.missing = length;
	}

	@Override
	public int scan(byte[] bytes, int from, int to) {
		int there = to - from;
		if (this.missing > there) {
			this.missing -= there;
			return -1;
		}
		return from + (int) this.missing;
	}

}
