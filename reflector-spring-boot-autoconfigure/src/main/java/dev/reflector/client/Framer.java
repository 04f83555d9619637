package dev.reflector.client;

import java.util.Iterator;
import java.util.NoSuchElementException;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Cuts the bytes of one response into frames, whatever the borders of the network buffers
 * are. Keeps state between buffers; one thread at a time.
 */
abstract class Framer {

	/**
	 * Reads up to the end of the next frame.
	 * @param chunk the buffer
	 * @return the frame, or {@code null} when the buffer ends before it does
	 * @throws MalformedResponseException when the bytes make no sense
	 */
	abstract @Nullable Frame next(Chunk chunk);

	/**
	 * Cuts a buffer, frame by frame as they are asked for, so that not more than one
	 * frame at a time is in hand.
	 * @param bytes the buffer, which must not change any more
	 * @return the frames that end in the buffer; can be iterated once
	 */
	final Iterable<Frame> frames(byte[] bytes) {
		Chunk chunk = new Chunk(bytes);
		return () -> new FrameIterator(chunk);
	}

	/**
	 * Cuts a body, one buffer at a time: the next is asked for when all frames of this
	 * one are gone.
	 * @param body the buffers
	 * @return the frames
	 */
	final Flux<Frame> over(Flux<byte[]> body) {
		return body.concatMapIterable(this::frames, 1);
	}

	private final class FrameIterator implements Iterator<Frame> {

		private final Chunk chunk;

		private @Nullable Frame next;

		FrameIterator(Chunk chunk) {
			this.chunk = chunk;
		}

		@Override
		public boolean hasNext() {
			if (this.next == null) {
				this.next = Framer.this.next(this.chunk);
			}
			return this.next != null;
		}

		@Override
		public Frame next() {
			hasNext();
			Frame next = this.next;
			if (next == null) {
				throw new NoSuchElementException();
			}
			this.next = null;
			return next;
		}

	}

}
