package dev.reflector.client.internal.frame;

import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a JSON watch into its frames. The body is a sequence of JSON objects,
 * with or without white space between them (W-25).
 */
public final class WatchFramer implements StreamFramer {

	// this scanner is strict, because otherwise an invalid frame could include all
	// following frames
	private final ObjectScanner scanner = new ObjectScanner();

	private final FrameAssembler assembler;

	private final OpenFrame open = new OpenFrame(System::nanoTime);

	private final int limit;

	private boolean inFrame;

	/**
	 * Whether the last frame ended with a line feed, so that each line is probably a
	 * frame.
	 */
	private boolean inLines;

	public WatchFramer(int maxObjectSize) {
		this.limit = maxObjectSize + ENVELOPE;
		this.assembler = new FrameAssembler(this.limit, StreamFramer.largest(maxObjectSize));
	}

	@Override
	public @Nullable Frame next(Chunk chunk) {
		if (!this.inFrame) {
			if (!chunk.skipWhitespace()) {
				return null;
			}
			if (chunk.bytes[chunk.position] != '{') {
				throw new MalformedResponseException("a watch frame that is not a JSON object");
			}
			this.scanner.begin();
			this.inFrame = true;
		}
		Frame frame = this.assembler.take(this.scanner, chunk, false);
		this.inFrame = frame == null;
		this.open.set(this.inFrame);
		if (frame != null && !chunk.isRead()) {
			this.inLines = this.inLines && chunk.bytes[chunk.position] == '\n';
		}
		return frame;
	}

	/**
	 * Returns the complete lines. They begin with a frame, because servers end each frame
	 * with a line feed.
	 */
	@Override
	public @Nullable Frame ahead(Chunk chunk) {
		if (this.inFrame) {
			return null;
		}
		chunk.skipWhitespace();
		return Frame.assumed(chunk.bytes, chunk.position, Math.min(chunk.linesEnd() - chunk.position, this.limit));
	}

	@Override
	public void skip(Chunk chunk, Frame ahead) {
		this.open.set(false);
		chunk.position = ahead.end();
		this.inLines = chunk.bytes[chunk.position] == '\n';
		chunk.skipWhitespace();
	}

	/**
	 * Returns whether the unread bytes are probably an incomplete frame. For a server
	 * that writes one frame per line, bytes that end with neither a brace nor white space
	 * count as incomplete. For other servers, the result is {@code false}. If the bytes
	 * are in fact malformed, this is detected later: when the line or the body ends, or
	 * when the chunk is full.
	 */
	@Override
	public boolean isCut(Chunk chunk) {
		if (this.inFrame || !this.inLines || chunk.isRead()) {
			return false;
		}
		byte last = chunk.bytes[chunk.end - 1];
		boolean cut = chunk.bytes[chunk.position] == '{' && last != '}' && !Chunk.isWhitespace(last)
				&& chunk.linesEnd() == chunk.position;
		if (cut) {
			this.open.set(true);
		}
		return cut;
	}

	@Override
	public boolean isInFrame() {
		return this.inFrame;
	}

	@Override
	public OpenFrame open() {
		return this.open;
	}

}
