package dev.reflector.client;

import java.util.function.Consumer;

/**
 * Cuts the bytes of a watch into frames (W-25): JSON objects one after the other, with
 * white space between them or none, split over buffers anywhere.
 */
final class WatchFramer {

	private final ValueScanner scanner = new ValueScanner();

	private final ValueCollector collector;

	private boolean inFrame;

	WatchFramer(int maxFrameSize) {
		this.collector = new ValueCollector(maxFrameSize);
	}

	/**
	 * Takes the next bytes.
	 * @param bytes the bytes
	 * @param frames called with each frame that ends in them
	 * @throws MalformedResponseException when something else than an object begins
	 */
	void feed(byte[] bytes, Consumer<Slice> frames) throws MalformedResponseException {
		int index = 0;
		while (index < bytes.length) {
			if (!this.inFrame) {
				byte b = bytes[index];
				if (JsonBytes.isWhitespace(b)) {
					index++;
					continue;
				}
				if (b != '{') {
					throw new MalformedResponseException(
							"the watch delivered something that is no JSON object, beginning with "
									+ JsonBytes.show(bytes, index));
				}
				this.inFrame = true;
				this.scanner.begin();
				this.collector.begin();
			}
			int end = this.scanner.scan(bytes, index, bytes.length);
			if (end < 0) {
				this.collector.add(bytes, index, bytes.length);
				return;
			}
			this.inFrame = false;
			frames.accept(this.collector.end(bytes, index, end));
			index = end;
		}
	}

	/** Whether the bytes so far end within a frame. */
	boolean inFrame() {
		return this.inFrame;
	}

}
