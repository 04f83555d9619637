package dev.reflector.benchmark.server;

import java.nio.ByteBuffer;

/**
 * The bytes around a content, such as the fields of an object, in what is sent.
 *
 * @param before what comes before the content
 * @param after what comes behind it
 */
public record Envelope(byte[] before, byte[] after) {

	/**
	 * Returns the length of this envelope.
	 * @return the number, without the content
	 */
	public int length() {
		return this.before.length + this.after.length;
	}

	/**
	 * Puts this into another one.
	 * @param outer what comes around this
	 * @return both
	 */
	public Envelope within(Envelope outer) {
		return new Envelope(joined(outer.before, this.before), joined(this.after, outer.after));
	}

	/**
	 * Writes the whole.
	 * @param content what comes into this
	 * @return all bytes
	 */
	public byte[] around(byte[] content) {
		return joined(joined(this.before, content), this.after);
	}

	private static byte[] joined(byte[] first, byte[] second) {
		return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
	}

}
