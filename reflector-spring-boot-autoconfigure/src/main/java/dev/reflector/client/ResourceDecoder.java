package dev.reflector.client;

import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.ResourceAccessor;
import dev.reflector.cache.SkippedObject;
import dev.reflector.cache.Status;
import dev.reflector.cache.WatchEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

/**
 * Turns the bytes of one object or frame into the declared type: directly, without a tree
 * or text in between. Unknown fields never matter. An object that does not fit is
 * reported, with its key as far as that can be read, and does no harm to others.
 *
 * @param <T> the type of the objects
 */
final class ResourceDecoder<T> {

	private static final String END_MARKER = "k8s.io/initial-events-end";

	private final ResourceAccessor<T> accessor;

	private final ResourceType type;

	private final DataSize maxObjectSize;

	private final JsonMapper mapper;

	private final ObjectReader reader;

	private final ObjectReader headerReader;

	private final ObjectReader statusReader;

	private final ObjectReader listMetaReader;

	ResourceDecoder(JsonMapper userMapper, Class<T> javaType, ResourceAccessor<T> accessor, ResourceType type,
			DataSize maxObjectSize) {
		this.accessor = accessor;
		this.type = type;
		this.maxObjectSize = maxObjectSize;
		this.mapper = tolerant(userMapper);
		this.reader = this.mapper.readerFor(javaType);
		this.headerReader = this.mapper.readerFor(Header.class);
		this.statusReader = this.mapper.readerFor(WireStatus.class);
		this.listMetaReader = this.mapper.readerFor(ListMeta.class);
	}

	static JsonMapper tolerant(JsonMapper userMapper) {
		return userMapper.rebuild()
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			// a server leaves out what is zero
			.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			.disable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
			.disable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
			.disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.build();
	}

	ListMeta listMeta(Slice slice) throws MalformedResponseException {
		try {
			ListMeta meta = this.listMetaReader.readValue(slice.bytes(), slice.offset(), slice.length());
			return (meta != null) ? meta : ListMeta.EMPTY;
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("the metadata of the list cannot be read: " + ex.getOriginalMessage());
		}
	}

	/** A small text value. */
	String text(Slice slice) throws MalformedResponseException {
		try {
			return this.mapper.readValue(slice.bytes(), slice.offset(), slice.length(), String.class);
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("the kind of the list cannot be read: " + ex.getOriginalMessage());
		}
	}

	/** Decodes an item of a list. */
	Decoded<T> item(Slice slice) {
		return decode(slice.bytes(), slice.offset(), slice.length(), slice.complete());
	}

	/** Decodes a frame of a watch in one pass, its members in any order. */
	WatchEvent<T> frame(Slice slice) {
		if (!slice.complete()) {
			return tooLarge(slice);
		}
		String frameType = null;
		WatchEvent<T> event = null;
		int objectOffset = -1;
		int objectLength = 0;
		try (JsonParser parser = this.mapper.createParser(slice.bytes(), slice.offset(), slice.length())) {
			parser.nextToken();
			while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
				String name = parser.currentName();
				parser.nextToken();
				if (name.equals("type")) {
					frameType = parser.getValueAsString();
				}
				else if (name.equals("object")) {
					// the parser counts from the beginning of what it was given
					objectOffset = slice.offset() + (int) parser.currentTokenLocation().getByteOffset();
					parser.skipChildren();
					int end = slice.offset() + (int) parser.currentLocation().getByteOffset();
					objectLength = end - objectOffset;
				}
				else {
					parser.skipChildren();
				}
			}
		}
		catch (JacksonException ex) {
			if (objectOffset < 0 || frameType == null) {
				return undecodable("a frame of the watch is no valid JSON: " + ex.getOriginalMessage());
			}
			event = skipped(frameType, slice.bytes(), slice.offset(), slice.length(), ex.getOriginalMessage());
		}
		if (event != null) {
			return event;
		}
		if (frameType == null || objectOffset < 0) {
			return undecodable("a frame of the watch has no " + ((frameType == null) ? "type" : "object"));
		}
		return event(frameType, slice.bytes(), objectOffset, objectLength);
	}

	private WatchEvent<T> event(String frameType, byte[] bytes, int offset, int length) {
		return switch (frameType) {
			case "ADDED", "MODIFIED", "DELETED" -> objectEvent(frameType, bytes, offset, length);
			case "BOOKMARK" -> bookmark(bytes, offset, length);
			case "ERROR" -> new WatchEvent.Error<>(status(bytes, offset, length));
			// W-32
			default -> undecodable("a frame of the watch has the unknown type '"
					+ frameType.substring(0, Math.min(40, frameType.length())) + "'");
		};
	}

	private WatchEvent<T> objectEvent(String frameType, byte[] bytes, int offset, int length) {
		Decoded<T> decoded = decode(bytes, offset, length, true);
		if (decoded.object() == null) {
			return new WatchEvent.Skipped<>(frameType, decoded.skipped());
		}
		return switch (frameType) {
			case "ADDED" -> new WatchEvent.Added<>(decoded.object());
			case "MODIFIED" -> new WatchEvent.Modified<>(decoded.object());
			default -> new WatchEvent.Deleted<>(decoded.object());
		};
	}

	private WatchEvent<T> bookmark(byte[] bytes, int offset, int length) {
		try {
			Header header = this.headerReader.readValue(bytes, offset, length);
			Header.Meta meta = (header != null) ? header.metadata() : null;
			if (meta == null || meta.resourceVersion() == null) {
				return undecodable("a bookmark of the watch has no resource version");
			}
			// W-28: exactly "true", and only this annotation
			boolean end = meta.annotations() != null && "true".equals(meta.annotations().get(END_MARKER));
			return new WatchEvent.Bookmark<>(meta.resourceVersion(), end);
		}
		catch (JacksonException ex) {
			return undecodable("a bookmark of the watch cannot be read: " + ex.getOriginalMessage());
		}
	}

	private Status status(byte[] bytes, int offset, int length) {
		try {
			WireStatus status = this.statusReader.readValue(bytes, offset, length);
			// W-31
			if (status != null && status.isStatus()) {
				return status.toStatus(0);
			}
			return new Status(0, "", "the watch delivered an error that is no Status", List.of(), 0, false);
		}
		catch (JacksonException ex) {
			return Status.undecodable("the watch delivered an error that cannot be read: " + ex.getOriginalMessage());
		}
	}

	private Decoded<T> decode(byte[] bytes, int offset, int length, boolean complete) {
		if (!complete) {
			return new Decoded<>(null, skippedObject(bytes, offset, length, tooLargeReason()));
		}
		try {
			T object = this.reader.readValue(bytes, offset, length);
			if (object == null) {
				return new Decoded<>(null, new SkippedObject(null, "", "the server sent null for an object"));
			}
			this.accessor.key(object);
			return new Decoded<>(object, null);
		}
		catch (JacksonException ex) {
			return new Decoded<>(null, skippedObject(bytes, offset, length, reason(ex)));
		}
		catch (RuntimeException ex) {
			return new Decoded<>(null, skippedObject(bytes, offset, length,
					"it does not fit " + this.type + " as declared: " + ex.getMessage()));
		}
	}

	private String reason(JacksonException ex) {
		String path = ex.getPathReference();
		return "it does not fit the type declared for " + this.type + ": " + ex.getOriginalMessage()
				+ ((path != null && !path.isEmpty()) ? " (at " + path + ")" : "");
	}

	private String tooLargeReason() {
		return "it is larger than " + this.maxObjectSize.toBytes()
				+ " bytes; raise 'reflector.api-server.max-object-size' to mirror it";
	}

	/** A second look at an object that did not fit: which one is it? */
	private SkippedObject skippedObject(byte[] bytes, int offset, int length, String reason) {
		HeaderScan scan = HeaderScan.of(this.mapper, bytes, offset, length);
		return new SkippedObject(scan.key(), scan.resourceVersion(), reason);
	}

	private WatchEvent<T> skipped(String frameType, byte[] bytes, int offset, int length, @Nullable String problem) {
		HeaderScan scan = HeaderScan.of(this.mapper, bytes, offset, length);
		return new WatchEvent.Skipped<>(frameType,
				new SkippedObject(scan.key(), scan.resourceVersion(), "it is no valid JSON: " + problem));
	}

	private WatchEvent<T> tooLarge(Slice slice) {
		HeaderScan scan = HeaderScan.of(this.mapper, slice.bytes(), slice.offset(), slice.length());
		return new WatchEvent.Skipped<>(scan.frameType(),
				new SkippedObject(scan.key(), scan.resourceVersion(), tooLargeReason()));
	}

	private WatchEvent<T> undecodable(String message) {
		return new WatchEvent.Error<>(Status.undecodable(message));
	}

	/**
	 * What became of an object: one of the two.
	 *
	 * @param <T> the type of the objects
	 * @param object the object, or {@code null}
	 * @param skipped why there is none, or {@code null}
	 */
	record Decoded<T>(@Nullable T object, @Nullable SkippedObject skipped) {

	}

	/**
	 * Metadata of a list.
	 *
	 * @param resourceVersion its version
	 * @param continueToken token of the next page
	 */
	record ListMeta(@Nullable String resourceVersion,
			@com.fasterxml.jackson.annotation.JsonProperty("continue") @Nullable String continueToken) {

		static final ListMeta EMPTY = new ListMeta("", "");

	}

	/**
	 * The part of an object that a bookmark has.
	 *
	 * @param metadata its metadata
	 */
	record Header(@Nullable Meta metadata) {

		record Meta(@Nullable String resourceVersion, @Nullable Map<String, String> annotations) {

		}

	}

}
