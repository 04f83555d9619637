package dev.reflector.client.internal.frame;

/**
 * Finds the end of a value that may be spread over several chunks. Must be reset before
 * each value.
 */
public interface FrameScanner {

	/**
	 * Scans the next bytes.
	 * @param bytes the buffer
	 * @param from the index at which the value begins or continues
	 * @param to the index at which the buffer ends
	 * @return the index after the value, or -1 if the value continues in the next buffer
	 * @throws MalformedResponseException if the bytes are not a valid value
	 */
	int scan(byte[] bytes, int from, int to);

	/**
	 * Skips a value, or the part of the value that is in a chunk.
	 * @param chunk the chunk
	 * @return whether the value ends in the chunk
	 */
	default boolean skip(Chunk chunk) {
		int end = scan(chunk.bytes, chunk.position, chunk.end);
		chunk.position = (end < 0) ? chunk.end : end;
		return end >= 0;
	}

}
