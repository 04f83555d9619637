package dev.reflector.client.internal.proto;

import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameAssembler;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.OpenFrame;
import dev.reflector.client.internal.frame.StreamFramer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a watch in protobuf into its frames. Before each frame are four bytes
 * with its length, the highest byte first (W-26).
 */
public final class ProtobufWatchFramer implements StreamFramer {

	private final long largest;

	private final LengthScanner scanner = new LengthScanner();

	private final FrameAssembler assembler;

	private final OpenFrame open = new OpenFrame(System::nanoTime);

	/** The number of bytes of the length that were read. */
	private int read;

	private int length;

	public ProtobufWatchFramer(int maxObjectSize) {
		this.largest = StreamFramer.largest(maxObjectSize);
		this.assembler = new FrameAssembler(maxObjectSize + ENVELOPE, this.largest);
	}

	@Override
	public @Nullable Frame next(Chunk chunk) {
		while (this.read < Integer.BYTES && !chunk.isRead()) {
			this.length = (this.length << 8) | (chunk.bytes[chunk.position++] & 0xff);
			if (++this.read == Integer.BYTES) {
				begin(Integer.toUnsignedLong(this.length));
			}
		}
		Frame frame = null;
		if (this.read == Integer.BYTES) {
			frame = this.assembler.take(this.scanner, chunk, false);
			this.read = (frame != null) ? 0 : this.read;
		}
		this.open.set(isInFrame());
		return frame;
	}

	private void begin(long length) {
		if (length > this.largest) {
			throw new MalformedResponseException(
					"a watch frame of " + length + " bytes, more than the " + this.largest + " that are read");
		}
		this.scanner.begin(length);
	}

	@Override
	public boolean isInFrame() {
		return this.read > 0;
	}

	@Override
	public OpenFrame open() {
		return this.open;
	}

}
