package dev.reflector.client.internal.decode;

import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the frames of one watch, which may begin with the initial events of all
 * objects. Cached objects are reused only until the end of the initial events.
 *
 * @param <T> the type of the objects
 */
public final class InitialEventsDecoder<T> implements FrameDecoder<WatchEvent<T>> {

	private final WatchDecoder<T> decoder;

	private @Nullable CachedObjects<T> known;

	public InitialEventsDecoder(WatchDecoder<T> decoder, @Nullable CachedObjects<T> known) {
		this.decoder = decoder;
		this.known = known;
	}

	@Override
	public WatchEvent<T> decode(Frame frame) {
		WatchEvent<T> event = this.decoder.decode(frame, this.known);
		if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
			this.known = null;
		}
		return event;
	}

	@Override
	public @Nullable WatchEvent<T> decodeAhead(Frame ahead) {
		return this.decoder.decodeAhead(ahead, this.known);
	}

}
