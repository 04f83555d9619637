package dev.reflector.client.internal.frame;

/**
 * Finds where a value ends that may be spread over several chunks. It is begun anew for
 * each value.
 */
public interface FrameScanner {

	/**
	 * Reads on.
	 * @param bytes the buffer
	 * @param from where to read on; the first byte of the value the first time
	 * @param to where the buffer ends
	 * @return where the value ends, or -1 when it goes on in the next buffer
	 * @throws MalformedResponseException when there is no such value
	 */
	int scan(byte[] bytes, int from, int to);

	/**
	 * Passes over a value, or what a chunk has of it.
	 * @param chunk the chunk
	 * @return whether the value ends in it
	 */
	default boolean skip(Chunk chunk) {
		int end = scan(chunk.bytes, chunk.position, chunk.end);
		chunk.position = (end < 0) ? chunk.end : end;
		return end >= 0;
	}

}
