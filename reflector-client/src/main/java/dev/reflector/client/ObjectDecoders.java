package dev.reflector.client;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.HeldObjects;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.cbor.CborDecoder;
import dev.reflector.client.internal.cbor.CborListFramer;
import dev.reflector.client.internal.cbor.CborWatchFramer;
import dev.reflector.client.internal.decode.Decoded;
import dev.reflector.client.internal.decode.InitialEventsDecoder;
import dev.reflector.client.internal.decode.ObjectDecoder;
import dev.reflector.client.internal.decode.ObjectVersionDecoder;
import dev.reflector.client.internal.decode.WatchDecoder;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.ListFramer;
import dev.reflector.client.internal.frame.PageFramer;
import dev.reflector.client.internal.frame.StreamFramer;
import dev.reflector.client.internal.frame.WatchFramer;
import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;

/**
 * What decodes the objects of a collection, in each format.
 *
 * @param <T> the type of the objects
 * @param json decodes objects in JSON
 * @param watch decodes watches in JSON
 * @param cbor decodes CBOR
 */
record ObjectDecoders<T>(ObjectDecoder<T> json, WatchDecoder<T> watch, CborDecoder<T> cbor) {

	/**
	 * What cuts a list into its items.
	 * @param format format of the list
	 * @param resourceType type of the collection
	 * @param maxObjectSize how large an object may be
	 * @return the framer
	 */
	static PageFramer pages(ObjectFormat format, ResourceType resourceType, int maxObjectSize) {
		return (format == ObjectFormat.CBOR) ? new CborListFramer(resourceType, maxObjectSize)
				: new ListFramer(resourceType, maxObjectSize);
	}

	/**
	 * What cuts a watch into its frames.
	 * @param format format of the watch
	 * @param maxObjectSize how large an object may be
	 * @return the framer
	 */
	static StreamFramer frames(ObjectFormat format, int maxObjectSize) {
		return (format == ObjectFormat.CBOR) ? new CborWatchFramer(maxObjectSize) : new WatchFramer(maxObjectSize);
	}

	/**
	 * What decodes the items of one list.
	 * @param format format of the list
	 * @param known what need not be read again, {@code null} for nothing
	 * @return the decoder
	 */
	FrameDecoder<Decoded<T>> items(ObjectFormat format, @Nullable HeldObjects<T> known) {
		return (format == ObjectFormat.CBOR) ? this.cbor.items() : (frame) -> this.json.decode(frame, known);
	}

	/**
	 * What decodes the frames of one watch.
	 * @param format format of the watch
	 * @param known what of its initial part need not be read again, {@code null} for
	 * nothing
	 * @return the decoder
	 */
	FrameDecoder<WatchEvent<T>> events(ObjectFormat format, @Nullable HeldObjects<T> known) {
		if (format == ObjectFormat.CBOR) {
			return this.cbor.events();
		}
		return new InitialEventsDecoder<>(this.watch, known);
	}

	/**
	 * What decodes no more of the items of one list than key and version.
	 * @param format format of the list
	 * @param resourceType type of the collection
	 * @return the decoder
	 */
	FrameDecoder<Decoded<ObjectVersion>> versions(ObjectFormat format, ResourceType resourceType) {
		return (format == ObjectFormat.CBOR) ? this.cbor.versions(resourceType)
				: new ObjectVersionDecoder(resourceType)::decode;
	}

}
