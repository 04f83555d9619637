package dev.reflector.client;

import java.util.function.Function;

import dev.reflector.ResourceType;
import dev.reflector.cache.ObjectVersion;
import dev.reflector.cache.WatchEvent;

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
	 * @return the decoder
	 */
	Function<Frame, Decoded<T>> items(ObjectFormat format) {
		return (format == ObjectFormat.CBOR) ? this.cbor.items() : this.json::decode;
	}

	/**
	 * What decodes the frames of one watch.
	 * @param format format of the watch
	 * @return the decoder
	 */
	Function<Frame, WatchEvent<T>> events(ObjectFormat format) {
		return (format == ObjectFormat.CBOR) ? this.cbor.events() : this.watch::decode;
	}

	/**
	 * What decodes no more of the items of one list than key and version.
	 * @param format format of the list
	 * @param resourceType type of the collection
	 * @return the decoder
	 */
	Function<Frame, Decoded<ObjectVersion>> versions(ObjectFormat format, ResourceType resourceType) {
		return (format == ObjectFormat.CBOR) ? this.cbor.versions(resourceType)
				: new ObjectVersionDecoder(resourceType)::decode;
	}

}
