package dev.reflector.client.internal.frame;

import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a watch into its frames: JSON objects one after the other, with or
 * without white space between them (W-25).
 */
public final class WatchFramer implements StreamFramer {

	// without an end of its own, a broken frame would swallow all that follow
	private final ObjectScanner scanner = new ObjectScanner();

	private final FrameAssembler assembler;

	private final OpenFrame open = new OpenFrame(System::nanoTime);

	private final int limit;

	private boolean inFrame;

	/** Frames end with their lines, as far as is known. */
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
				throw new MalformedResponseException("a watch frame that is no JSON object");
			}
			this.scanner.begin();
			this.inFrame = true;
		}
		Frame frame = this.assembler.take(this.scanner, chunk, false);
		this.inFrame = frame == null;
		this.open.is(this.inFrame);
		if (frame != null && !chunk.isRead()) {
			this.inLines = this.inLines && chunk.bytes[chunk.position] == '\n';
		}
		return frame;
	}

	/** So servers write frames, each with a line break of its own behind it. */
	@Override
	public @Nullable Frame ahead(Chunk chunk) {
		if (this.inFrame) {
			return null;
		}
		chunk.skipWhitespace();
		return Frame.assumed(chunk.bytes, chunk.position, Math.min(chunk.linesEnd() - chunk.position, this.limit));
	}

	@Override
	public void pass(Chunk chunk, Frame ahead) {
		this.open.is(false);
		chunk.position = ahead.end();
		this.inLines = chunk.bytes[chunk.position] == '\n';
		chunk.skipWhitespace();
	}

	/**
	 * Who has written lines so far has not finished what ends neither as an object nor
	 * with white space. Others may have written a frame, and the beginning of the next.
	 * What is wrong within such a rest is told when it is looked through: when its line
	 * ends, or the body, or when there is no room for more.
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
			this.open.is(true);
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
