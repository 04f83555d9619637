package dev.reflector.client;

import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a watch in CBOR into its frames: maps one right after the other (RFC
 * 8742).
 */
final class CborWatchFramer implements StreamFramer {

	// as in JSON
	private static final int ENVELOPE = 1024;

	private final CborScanner scanner = new CborScanner();

	private final FrameAssembler assembler;

	private boolean inFrame;

	CborWatchFramer(int maxObjectSize) {
		this.assembler = new FrameAssembler(maxObjectSize + ENVELOPE);
	}

	@Override
	public @Nullable Frame next(Chunk chunk) {
		if (chunk.isRead()) {
			return null;
		}
		if (!this.inFrame) {
			int type = (chunk.bytes[chunk.position] & 0xff) >> 5;
			if (type != CborHead.MAP && type != CborHead.TAG) {
				throw new MalformedResponseException("a watch frame that is no CBOR map");
			}
			this.scanner.begin();
			this.inFrame = true;
		}
		int from = chunk.position;
		int end = this.scanner.scan(chunk.bytes, from, chunk.end);
		if (end < 0) {
			chunk.position = chunk.end;
			this.assembler.append(chunk.bytes, from, chunk.end);
			return null;
		}
		chunk.position = end;
		this.inFrame = false;
		return this.assembler.complete(chunk.bytes, from, end, false);
	}

	@Override
	public boolean isInFrame() {
		return this.inFrame;
	}

}
