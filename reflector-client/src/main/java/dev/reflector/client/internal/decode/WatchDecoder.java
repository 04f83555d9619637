package dev.reflector.client.internal.decode;

import java.util.List;
import java.util.Objects;

import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.JsonCursor;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.Prefix;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the frames of a watch into events.
 *
 * @param <T> the type of the objects
 */
public final class WatchDecoder<T> {

	/** The usual beginnings of a frame: the text before the object. */
	private static final Envelope[] ENVELOPES = { Envelope.of("MODIFIED"), Envelope.of("ADDED"),
			Envelope.of("DELETED") };

	private final ObjectDecoder<T> decoder;

	public WatchDecoder(ObjectDecoder<T> decoder) {
		this.decoder = decoder;
	}

	/**
	 * Decodes a frame whose end is only assumed, if the frame has the usual form. Sets
	 * the end of the frame.
	 * @param ahead the frame
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @return the event, or {@code null} if the frame has another form
	 */
	@Nullable WatchEvent<T> decodeAhead(Frame ahead, @Nullable CachedObjects<T> known) {
		for (Envelope usual : ENVELOPES) {
			if (usual.matches(ahead)) {
				int to = ahead.end();
				Decoded<T> decoded = this.decoder.read(ahead, usual.end(ahead), to, known);
				int end = ahead.end();
				// includes the closing brace of the frame
				ahead.endsAt(end + 1);
				return (decoded != null && end < to && ahead.bytes()[end] == '}') ? event(usual.type(), decoded) : null;
			}
		}
		return null;
	}

	/**
	 * Decodes a frame. Its keys may come in any order. If the type comes first, as usual,
	 * the bytes of the object are read only once.
	 * @param frame the frame
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @return the event
	 * @throws MalformedResponseException if the frame is not valid. In this case, the
	 * rest of the stream must not be read
	 */
	public WatchEvent<T> decode(Frame frame, @Nullable CachedObjects<T> known) {
		for (Envelope usual : ENVELOPES) {
			if (usual.matches(frame)) {
				return objectEvent(frame, usual.type(), usual.end(frame), known);
			}
		}
		JsonCursor cursor = new JsonCursor(frame.bytes(), frame.offset(), frame.end());
		cursor.enterObject();
		String type = null;
		int object = -1;
		for (String key = cursor.nextKey(); key != null; key = cursor.nextKey()) {
			if (key.equals("type")) {
				type = cursor.string();
			}
			else if (key.equals("object")) {
				object = cursor.position();
			}
			if (type != null && object >= 0) {
				return event(frame, type, object, known);
			}
			if (!key.equals("type")) {
				cursor.skip();
			}
		}
		if (frame.oversize()) {
			return skipped("",
					this.decoder.oversize(frame.bytes(), Math.max(object, frame.offset()), frame.end(), frame.size()));
		}
		return event(frame, type, object, known);
	}

	private WatchEvent<T> event(Frame frame, @Nullable String type, int object, @Nullable CachedObjects<T> known) {
		switch (Objects.requireNonNullElse(type, "")) {
			case "ADDED", "MODIFIED", "DELETED" -> {
				return objectEvent(frame, Objects.requireNonNull(type), object, known);
			}
			case "BOOKMARK" -> {
				return bookmark(frame, object);
			}
			case "ERROR" -> {
				return new WatchEvent.Error<>(status(frame, object));
			}
			default -> throw new MalformedResponseException(
					(type != null) ? "a watch frame of an unknown type" : "a watch frame without a type");
		}
	}

	private WatchEvent<T> objectEvent(Frame frame, String type, int object, @Nullable CachedObjects<T> known) {
		if (object < 0) {
			return new WatchEvent.Skipped<>(type, new SkippedObject(null, "", "the watch frame holds no object"));
		}
		if (frame.oversize()) {
			return skipped(type, this.decoder.oversize(frame.bytes(), object, frame.end(), frame.size()));
		}
		return event(type, this.decoder.decode(frame, object, frame.end(), known));
	}

	private WatchEvent<T> event(String type, Decoded<T> decoded) {
		if (decoded instanceof Decoded.Unreadable<T> unreadable) {
			return skipped(type, unreadable);
		}
		return event(type, ((Decoded.Readable<T>) decoded).object());
	}

	private WatchEvent<T> event(String type, T object) {
		return switch (type) {
			case "ADDED" -> new WatchEvent.Added<>(object);
			case "MODIFIED" -> new WatchEvent.Modified<>(object);
			default -> new WatchEvent.Deleted<>(object);
		};
	}

	private WatchEvent<T> bookmark(Frame frame, int object) {
		ObjectHead head = ObjectHead.read(frame.bytes(), Math.max(object, frame.offset()), frame.end());
		String resourceVersion = head.resourceVersion();
		if (resourceVersion == null || resourceVersion.isEmpty()) {
			// a bookmark without a version only shows that the connection is alive, and
			// does not end a streamed list
			return new WatchEvent.Bookmark<>("", false);
		}
		String problem = VersionLength.problem(resourceVersion);
		String mismatch = (problem != null) ? problem : this.decoder.mismatch(head);
		if (mismatch != null) {
			// the version of another collection must not be used
			return new WatchEvent.Skipped<>("BOOKMARK", new SkippedObject(null, "", mismatch));
		}
		return new WatchEvent.Bookmark<>(resourceVersion, head.initialEventsEnd());
	}

	private Status status(Frame frame, int object) {
		Status status = (object >= 0 && !frame.oversize()) ? StatusReader.read(frame.bytes(), object, frame.end())
				: null;
		if (status != null) {
			return status;
		}
		// W-31: the ERROR frame has no status, so this status has neither code nor reason
		ObjectHead head = ObjectHead.readType(frame.bytes(), Math.max(object, frame.offset()), frame.end());
		String version = (head.apiVersion() != null) ? head.apiVersion() + " " : "";
		String what = (head.kind() != null) ? version + head.kind() : "no kind";
		return new Status(0, "", "unexpected object: an ERROR frame with " + what, List.of(), 0, false);
	}

	private static <T> WatchEvent<T> skipped(String type, Decoded.Unreadable<T> unreadable) {
		return new WatchEvent.Skipped<>(type, unreadable.object());
	}

	/**
	 * The usual text before an object.
	 *
	 * @param type the type of the event
	 * @param prefix the whole text before the object
	 */
	private record Envelope(String type, Prefix prefix) {

		static Envelope of(String type) {
			return new Envelope(type, Prefix.of("{\"type\":\"" + type + "\",\"object\":"));
		}

		boolean matches(Frame frame) {
			return this.prefix.matches(frame.bytes(), frame.offset(), frame.end());
		}

		/** Returns the index at which the object begins. */
		public int end(Frame frame) {
			return frame.offset() + this.prefix.length();
		}

	}

}
