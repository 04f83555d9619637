package dev.reflector.client.internal.proto;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.bind.Shape;
import dev.reflector.client.internal.bind.TypeReading;
import dev.reflector.client.internal.decode.Decoded;
import dev.reflector.client.internal.decode.InitialEventsDecoder;
import dev.reflector.client.internal.decode.ObjectDecoder;
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
 * Decodes objects of a built-in type from protobuf. Translates the parts that the Java
 * type uses into JSON text, which the JSON decoders read. This class is thread-safe, but
 * the decoders that it returns are not.
 *
 * @param <T> the type of the objects
 */
public final class ProtobufDecoder<T> {

	/**
	 * The deepest nesting that is accepted, even if the application sets a higher limit.
	 * It is small enough for the stack of a thread.
	 */
	private static final int MAX_DEPTH = 500;

	private static final Map<String, byte[]> OBJECT_EVENTS = events("ADDED", "MODIFIED", "DELETED");

	private static final byte[] BOOKMARK = bytes("BOOKMARK");

	private static final byte[] TYPE = bytes("{\"type\":");

	private static final byte[] OBJECT = bytes(",\"object\":");

	private static final byte[] META = bytes("meta.k8s.io/v1");

	private static final byte[] V1 = bytes("v1");

	private static final byte[] PARTIAL = bytes("PartialObjectMetadata");

	private static final byte[] STATUS = bytes("Status");

	private final ResourceType resourceType;

	private final byte[] apiVersion;

	private final byte[] kind;

	/** The beginning of the JSON of an object: API version and kind. */
	private final byte[] usual;

	private final ObjectDecoder<T> decoder;

	private final int maxDepth;

	private final int maxObjectSize;

	private final SingletonSupplier<Shape> shape;

	private final SingletonSupplier<Plans> whole;

	private final SingletonSupplier<Plans> partial;

	/**
	 * Creates a decoder of one type. The type is inspected when the first object is
	 * decoded.
	 * @param reader reads objects of the type; its mapper must come from
	 * {@code ServerObjectModule}
	 * @param type the type
	 * @param resourceType the type of the collection
	 * @param decoder decodes JSON of objects
	 * @param maxObjectSize the largest length of the JSON text of an object, in bytes
	 */
	public ProtobufDecoder(ObjectReader reader, Class<T> type, ResourceType resourceType, ObjectDecoder<T> decoder,
			int maxObjectSize) {
		this.resourceType = resourceType;
		this.apiVersion = bytes(resourceType.apiVersion());
		this.kind = bytes(resourceType.kind());
		this.usual = bytes(
				"{\"kind\":\"" + resourceType.kind() + "\",\"apiVersion\":\"" + resourceType.apiVersion() + "\"");
		this.decoder = decoder;
		this.maxDepth = Math.min(reader.parserFactory().streamReadConstraints().getMaxNestingDepth(), MAX_DEPTH);
		this.maxObjectSize = maxObjectSize;
		this.shape = SingletonSupplier.of(() -> TypeReading.of(reader, type).shape());
		this.whole = SingletonSupplier.of(() -> plans(message()));
		this.partial = SingletonSupplier.of(() -> plans(MessageTable.PARTIAL));
	}

	private static Map<String, byte[]> events(String... types) {
		Map<String, byte[]> events = new LinkedHashMap<>();
		for (String type : types) {
			events.put(type, bytes(type));
		}
		return Collections.unmodifiableMap(events);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Returns the name of the type's message, or {@code null} if the type is not built
	 * in. Loads the table of messages at the first call.
	 */
	private @Nullable String message() {
		return MessageTable.get().of(this.resourceType);
	}

	private Plans plans(@Nullable String message) {
		if (message == null) {
			throw new MalformedResponseException("protobuf of a type whose fields are not known");
		}
		return Plans.of(message, this.shape.obtain());
	}

	/**
	 * Returns whether whole objects of the type can be read.
	 * @return {@code true} if this client knows the protobuf fields of the type
	 */
	public boolean isKnown() {
		return message() != null;
	}

	/**
	 * Returns whether fields can be skipped. Protobuf is cheaper than JSON only in this
	 * case.
	 * @return {@code true} if the Java type declares only a part of the fields
	 */
	public boolean skipsParts() {
		return this.shape.obtain() != Shape.ALL;
	}

	private Plans plans(boolean partial) {
		return (partial ? this.partial : this.whole).obtain();
	}

	/**
	 * Returns a new decoder for the items of one list.
	 * @param framer cuts the list into items
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @return the decoder
	 */
	public FrameDecoder<Decoded<T>> items(ProtobufListFramer framer, @Nullable CachedObjects<T> known) {
		ProtobufToJson json = json(0);
		return (frame) -> {
			Plans plans = plans(framer.isPartial());
			Frame text = item(json, frame, (known != null) ? plans.identified() : plans.object());
			String fault = json.fault();
			return (fault != null && !text.oversize())
					? this.decoder.unreadable(text.bytes(), text.offset(), text.end(), fault)
					: this.decoder.decode(text, known);
		};
	}

	/**
	 * Returns a new decoder that reads only the key and version of the items of one list.
	 * @param framer cuts the list into items
	 * @return the decoder
	 */
	public FrameDecoder<Decoded<ObjectVersion>> versions(ProtobufListFramer framer) {
		ProtobufToJson json = json(0);
		ObjectVersionDecoder versions = new ObjectVersionDecoder(this.resourceType);
		return (frame) -> versions.decode(item(json, frame, plans(framer.isPartial()).head()));
	}

	private ProtobufToJson json(int more) {
		return new ProtobufToJson(this.maxDepth, this.maxObjectSize + more);
	}

	private static Frame item(ProtobufToJson json, Frame frame, Plan plan) {
		json.over(frame.bytes(), frame.offset(), frame.end(), frame.oversize());
		json.text().put('{');
		json.members(plan, frame.offset(), frame.end(), true);
		json.clear();
		return written(json, frame);
	}

	/**
	 * Returns the JSON text as a frame. If the object was too large in protobuf, its JSON
	 * counts as too large, too.
	 */
	private static Frame written(ProtobufToJson json, Frame frame) {
		int length = json.text().length();
		long size = frame.oversize() ? Math.max(frame.size(), length + 1L) : length;
		return new Frame(json.text().bytes(), 0, length, size, frame.typed());
	}

	/**
	 * Returns a new decoder for the frames of one watch.
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @return the decoder
	 */
	public FrameDecoder<WatchEvent<T>> events(@Nullable CachedObjects<T> known) {
		ProtobufToJson json = json(StreamFramer.ENVELOPE);
		Envelope envelope = new Envelope(json.wire());
		InitialEventsDecoder<T> events = new InitialEventsDecoder<>(new WatchDecoder<>(this.decoder), known);
		return (frame) -> event(json, envelope, events, frame, known != null);
	}

	private WatchEvent<T> event(ProtobufToJson json, Envelope envelope, InitialEventsDecoder<T> events, Frame frame,
			boolean identified) {
		json.over(frame.bytes(), frame.offset(), frame.end(), frame.oversize());
		envelope.openEvent(frame.offset(), frame.end());
		String type = objectEvent(envelope);
		JsonText text = json.text();
		text.put(TYPE, 0, TYPE.length);
		envelope.writeEvent(text);
		int begin = text.length();
		if (envelope.hasObject()) {
			text.put(OBJECT, 0, OBJECT.length);
			begin = text.length();
			envelope.openObject();
			writeType(text, envelope);
			Plan plan = (json.fault() == null) ? plan(envelope, identified) : null;
			if (plan != null) {
				json.members(plan, envelope.from(), envelope.to(), false);
			}
			else {
				text.put('}');
			}
		}
		String fault = json.fault();
		json.clear();
		if (fault == null) {
			text.put('}');
		}
		Frame written = written(json, frame);
		if (fault == null || written.oversize()) {
			return events.decode(written);
		}
		if (type == null) {
			throw new MalformedResponseException("a watch frame: " + fault);
		}
		return new WatchEvent.Skipped<>(type,
				this.decoder.unreadable(written.bytes(), begin, written.end(), fault).object());
	}

	private void writeType(JsonText text, Envelope envelope) {
		if (envelope.isOf(this.apiVersion, this.kind)) {
			text.put(this.usual, 0, this.usual.length);
		}
		else {
			text.put('{');
			envelope.writeType(text);
		}
	}

	private static @Nullable String objectEvent(Envelope envelope) {
		for (Map.Entry<String, byte[]> event : OBJECT_EVENTS.entrySet()) {
			if (envelope.isEvent(event.getValue())) {
				return event.getKey();
			}
		}
		return null;
	}

	/**
	 * Returns the plan for an object, or {@code null} for an object of another type
	 * (R-70).
	 */
	private @Nullable Plan plan(Envelope envelope, boolean identified) {
		boolean partial = envelope.isOf(META, PARTIAL);
		if (!partial && !envelope.isOf(this.apiVersion, this.kind)) {
			return (envelope.isOf(V1, STATUS) || envelope.isOf(META, STATUS)) ? Plans.status() : null;
		}
		Plans plans = plans(partial);
		return envelope.isEvent(BOOKMARK) ? plans.bookmark() : identified ? plans.identified() : plans.object();
	}

}
