package dev.reflector.client.internal.frame;

/**
 * Finds the end of a value that may be spread over several chunks. Is reset before each
 * value.
 */
public interface FrameScanner {

	/**
	 * Scans the next bytes.
	 * @param bytes the buffer
	 * @param from where to continue; at first, where the value begins
	 * @param to where the buffer ends
	 * @return where the value ends, or -1 when it continues in the next buffer
	 * @throws MalformedResponseException when the bytes are not a valid value
	 */
	int scan(byte[] bytes, int from, int to);

	/**
	 * Skips a value, or the part of it that is in a chunk.
	 * @param chunk the chunk
	 * @return whether the value ends in it
	 */
	default boolean skip(Chunk chunk) {
		int end = scan(chunk.bytes, chunk.position, chunk.end);
		chunk.position = (end < 0) ? chunk.end : end;
		return end >= 0;
	}

}
