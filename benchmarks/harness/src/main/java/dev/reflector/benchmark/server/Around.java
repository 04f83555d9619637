package dev.reflector.benchmark.server;

import java.nio.ByteBuffer;

/**
 * What stands around something in a message.
 *
 * @param before what comes before it
 * @param after what comes behind it
 */
public record Around(byte[] before, byte[] after) {

	/**
	 * How many bytes these are.
	 * @return the number, without what they are around
	 */
	public int length() {
		return this.before.length + this.after.length;
	}

	/**
	 * Puts these within others.
	 * @param outer what stands around these
	 * @return all of them
	 */
	public Around within(Around outer) {
		return new Around(joined(outer.before, this.before), joined(this.after, outer.after));
	}

	/**
	 * Writes the whole.
	 * @param content what they are around
	 * @return all bytes
	 */
	public byte[] with(byte[] content) {
		return joined(joined(this.before, content), this.after);
	}

	private static byte[] joined(byte[] first, byte[] second) {
		return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
	}

}
