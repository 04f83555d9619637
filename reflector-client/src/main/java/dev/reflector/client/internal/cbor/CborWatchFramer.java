package dev.reflector.client.internal.cbor;

import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameAssembler;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.OpenFrame;
import dev.reflector.client.internal.frame.StreamFramer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a CBOR watch into its frames. The body is a sequence of maps without
 * separators (RFC 8742).
 */
public final class CborWatchFramer implements StreamFramer {

	private final CborScanner scanner;

	private final FrameAssembler assembler;

	private final OpenFrame open = new OpenFrame(System::nanoTime);

	private boolean inFrame;

	public CborWatchFramer(int maxObjectSize) {
		long largest = StreamFramer.largest(maxObjectSize);
		this.scanner = new CborScanner(MAX_DEPTH, largest);
		this.assembler = new FrameAssembler(maxObjectSize + ENVELOPE, largest);
	}

	@Override
	public @Nullable Frame next(Chunk chunk) {
		if (chunk.isRead()) {
			return null;
		}
		if (!this.inFrame) {
			int type = (chunk.bytes[chunk.position] & 0xff) >> 5;
			if (type != CborHead.MAP && type != CborHead.TAG) {
				throw new MalformedResponseException("a watch frame that is not a CBOR map");
			}
			this.scanner.begin();
			this.inFrame = true;
		}
		Frame frame = this.assembler.take(this.scanner, chunk, false);
		this.inFrame = frame == null;
		this.open.set(this.inFrame);
		return frame;
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
