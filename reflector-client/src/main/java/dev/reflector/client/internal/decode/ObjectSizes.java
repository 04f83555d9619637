package dev.reflector.client.internal.decode;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameDecoder;
import org.jspecify.annotations.Nullable;

/** Records the sizes of the objects of one response while they are decoded. */
public final class ObjectSizes {

	private final RequestListener listener;

	private final List<Integer> sizes = new ArrayList<>();

	/**
	 * Creates an empty list of sizes.
	 * @param listener receives the size of each object of a list, and may end the request
	 */
	public ObjectSizes(RequestListener listener) {
		this.listener = listener;
	}

	/**
	 * Returns the sizes of the objects of the list, without objects that could not be
	 * read.
	 */
	List<Integer> listed() {
		return this.sizes;
	}

	/**
	 * Returns a decoder of the objects of a list that also records their sizes.
	 * @param <R> the type of the objects
	 * @param decoder decodes the objects
	 * @return a decoder that also records the size of each object
	 */
	public <R> FrameDecoder<Decoded<R>> listed(FrameDecoder<Decoded<R>> decoder) {
		return new Sized<>(decoder, this::listed);
	}

	private <R> Decoded<R> listed(Decoded<R> decoded, long size) {
		this.listener.listed(size);
		if (decoded instanceof Decoded.Readable<R>) {
			this.sizes.add(small(size));
		}
		return decoded;
	}

	/**
	 * Returns a decoder of the events of a watch that also sets the size of each event.
	 * This is the size of its frame, a little more than the size of the object.
	 * @param <T> the type of the objects
	 * @param decoder decodes the events
	 * @return a decoder that also sets the size of each event
	 */
	public static <T> FrameDecoder<WatchEvent<T>> watched(FrameDecoder<WatchEvent<T>> decoder) {
		return new Sized<>(decoder, ObjectSizes::sized);
	}

	private static <T> WatchEvent<T> sized(WatchEvent<T> event, long size) {
		if (event instanceof WatchEvent.Added<T> added) {
			return new WatchEvent.Added<>(added.object(), small(size));
		}
		return (event instanceof WatchEvent.Modified<T> modified)
				? new WatchEvent.Modified<>(modified.object(), small(size)) : event;
	}

	private static int small(long size) {
		return (int) Math.min(size, Integer.MAX_VALUE);
	}

	/** Adds the size of a frame to the decoded result. */
	private interface Addition<R> {

		R apply(R decoded, long size);

	}

	/**
	 * Decodes with another decoder, and adds the size of the frame to the result.
	 *
	 * @param <R> the type of a decoded frame
	 * @param decoder the other decoder
	 * @param addition adds the size to the decoded frame
	 */
	private record Sized<R>(FrameDecoder<R> decoder, Addition<R> addition) implements FrameDecoder<R> {

		@Override
		public R decode(Frame frame) {
			return this.addition.apply(this.decoder.decode(frame), frame.size());
		}

		@Override
		public @Nullable R decodeAhead(Frame ahead) {
			R decoded = this.decoder.decodeAhead(ahead);
			// the decoder has just set the end of the frame
			return (decoded != null) ? this.addition.apply(decoded, ahead.end() - ahead.offset()) : null;
		}

	}

}
