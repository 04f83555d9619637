package dev.reflector.client.internal.cbor;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.bind.Shape;
import dev.reflector.client.internal.bind.TypeReading;
import dev.reflector.client.internal.decode.Decoded;
import dev.reflector.client.internal.decode.ObjectDecoder;
import dev.reflector.client.internal.decode.ObjectHead;
import dev.reflector.client.internal.decode.ObjectVersionDecoder;
import dev.reflector.client.internal.decode.WatchDecoder;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.JsonText;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.StreamFramer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;

import org.springframework.util.function.SingletonSupplier;

/**
 * Decodes objects from CBOR. Translates the parts that the type uses into JSON text,
 * which the JSON decoders read. This class is thread-safe, but the decoders that it
 * returns are not.
 *
 * @param <T> the type of the objects
 */
public final class CborDecoder<T> {

	/**
	 * The deepest nesting that is accepted, even if the application sets a higher limit.
	 * It is small enough for the stack of a thread.
	 */
	private static final int MAX_DEPTH = 1000;

	private static final Set<String> OBJECT_EVENTS = Set.of("ADDED", "MODIFIED", "DELETED");

	private static final byte[] TYPE = { 't', 'y', 'p', 'e' };

	private static final byte[] OBJECT = { 'o', 'b', 'j', 'e', 'c', 't' };

	/** The fields that are always read, even if the type does not use them. */
	private static final Shape.Properties HEAD = properties(Map.of("apiVersion", Shape.ALL, "kind", Shape.ALL,
			"metadata", properties(Map.of("name", Shape.ALL, "namespace", Shape.ALL, "resourceVersion", Shape.ALL))));

	private final ObjectReader reader;

	private final ObjectDecoder<T> decoder;

	private final WatchDecoder<T> watchDecoder;

	private final int maxObjectSize;

	private final SingletonSupplier<Shape> shape;

	/**
	 * Creates a decoder of one type. The type is inspected when the first object is
	 * decoded.
	 * @param reader reads objects of the type; its mapper must come from
	 * {@code ServerObjectModule}
	 * @param type the type
	 * @param decoder decodes JSON of objects
	 * @param maxObjectSize the largest length of the JSON text of an object, in bytes
	 */
	public CborDecoder(ObjectReader reader, Class<T> type, ObjectDecoder<T> decoder, int maxObjectSize) {
		this.reader = reader;
		this.shape = SingletonSupplier.of(() -> TypeReading.of(reader, type).shape());
		this.decoder = decoder;
		this.watchDecoder = new WatchDecoder<>(decoder);
		this.maxObjectSize = maxObjectSize;
	}

	private static Shape.Properties properties(Map<String, Shape> properties) {
		Shape.Properties shape = new Shape.Properties();
		shape.setProperties(properties);
		return shape;
	}

	/**
	 * Returns a new decoder for the items of one list.
	 * @return the decoder
	 */
	public FrameDecoder<Decoded<T>> items() {
		CborToJson json = json(this.reader, this.maxObjectSize);
		return (frame) -> item(json, frame);
	}

	/**
	 * Returns a new decoder for the frames of one watch.
	 * @return the decoder
	 */
	public FrameDecoder<WatchEvent<T>> events() {
		CborToJson json = json(this.reader, this.maxObjectSize + StreamFramer.ENVELOPE);
		return (frame) -> event(json, frame);
	}

	/**
	 * Returns a new decoder that reads only the key and version of the items of one list.
	 * @param resourceType type of the collection
	 * @return the decoder
	 */
	public FrameDecoder<Decoded<ObjectVersion>> versions(ResourceType resourceType) {
		CborToJson json = json(this.reader, this.maxObjectSize);
		ObjectVersionDecoder versions = new ObjectVersionDecoder(resourceType);
		return (frame) -> {
			json.over(frame);
			json.write(HEAD, null, 0);
			Decoded<ObjectVersion> decoded = versions.decode(written(json, frame));
			json.clear();
			return decoded;
		};
	}

	private static CborToJson json(ObjectReader reader, int maxObjectSize) {
		int maxDepth = reader.parserFactory().streamReadConstraints().getMaxNestingDepth();
		return new CborToJson(Math.min(maxDepth, MAX_DEPTH), maxObjectSize);
	}

	private Decoded<T> item(CborToJson json, Frame frame) {
		json.over(frame);
		object(json);
		Frame text = written(json, frame);
		json.clear();
		Decoded.Unreadable<T> faulty = faulty(json, text, 0);
		return (faulty != null) ? faulty : this.decoder.decode(text, null);
	}

	private WatchEvent<T> event(CborToJson json, Frame frame) {
		json.over(frame);
		Frame type = null;
		int object = -1;
		long entries = json.enterMap();
		for (long read = 0; json.hasMore(entries, read); read++) {
			Frame key = json.string();
			if (is(key, TYPE)) {
				once(type == null);
				type = json.string();
			}
			else {
				if (is(key, OBJECT)) {
					once(object < 0);
					object = json.index();
				}
				json.skip(0);
			}
		}
		String name = CborToJson.string(type);
		int begin = write(json, type, object, OBJECT_EVENTS.contains(name));
		Frame text = written(json, frame);
		json.clear();
		Decoded.Unreadable<T> faulty = OBJECT_EVENTS.contains(name) ? faulty(json, text, begin) : null;
		return (faulty != null) ? new WatchEvent.Skipped<>(name, faulty.object())
				: this.watchDecoder.decode(text, null);
	}

	private static boolean is(@Nullable Frame key, byte[] name) {
		return key != null && Arrays.equals(key.bytes(), key.offset(), key.end(), name, 0, name.length);
	}

	private static void once(boolean first) {
		if (!first) {
			throw new MalformedResponseException("a watch frame with a key that comes twice");
		}
	}

	/**
	 * Writes the event as JSON, with its type first, so that the decoder reads the object
	 * only once. Returns the index at which the object begins in the JSON text.
	 */
	private int write(CborToJson json, @Nullable Frame type, int object, boolean pruned) {
		JsonText text = json.text();
		text.put('{');
		if (type != null) {
			text.put("\"type\":");
			text.string(type.bytes(), type.offset(), type.end());
		}
		if (object < 0) {
			text.put('}');
			return 0;
		}
		text.put((type != null) ? ",\"object\":" : "\"object\":");
		int begin = text.length();
		json.at(object);
		if (pruned) {
			object(json);
		}
		else {
			// the object is a bookmark or a status
			json.write(Shape.ALL, null, 0);
		}
		if (!json.isCut()) {
			text.put('}');
		}
		return begin;
	}

	private void object(CborToJson json) {
		Shape shape = this.shape.obtain();
		json.write(shape, (shape != Shape.ALL) ? HEAD : null, 0);
	}

	/**
	 * Returns the JSON text as a frame. If the object was too large in CBOR, its JSON
	 * counts as too large, too.
	 */
	private static Frame written(CborToJson json, Frame frame) {
		int length = json.text().length();
		long size = frame.oversize() ? Math.max(frame.size(), length + 1L) : length;
		return new Frame(json.text().bytes(), 0, length, size, frame.typed());
	}

	private Decoded.@Nullable Unreadable<T> faulty(CborToJson json, Frame text, int begin) {
		String fault = json.fault();
		if (fault == null || text.oversize()) {
			return null;
		}
		// for an object of another type, only its type is reported
		boolean ours = text.typed()
				|| this.decoder.mismatch(ObjectHead.readType(text.bytes(), begin, text.end())) == null;
		return ours ? this.decoder.unreadable(text.bytes(), begin, text.end(), fault) : null;
	}

}
