package dev.reflector.client;

import dev.reflector.ResourceType;
import dev.reflector.cache.HeldObjects;
import dev.reflector.cache.ObjectVersion;
import dev.reflector.cache.WatchEvent;
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
