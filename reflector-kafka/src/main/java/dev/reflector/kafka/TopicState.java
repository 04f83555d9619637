package dev.reflector.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The objects that were read from a topic, and the position up to which the topic was
 * read. The objects are kept because the record of a deletion has no object, but its
 * event needs the last state. The objects are the same instances as in the mirror, so
 * they need no further memory. Used by one thread at a time.
 *
 * @param <T> the type of the objects
 */
final class TopicState<T> {

	/** The version of a topic without records. */
	private static final String FIRST_VERSION = "1";

	private final @Nullable String namespace;

	private final TopicObjects<T> objects;

	private final KeyStates<T> states;

	private final Map<ResourceKey, SkippedObject> skipped = new LinkedHashMap<>();

	private TopicPosition position = TopicPosition.NONE;

	/** The newest version that was read, empty if there is none. */
	private String newest = "";

	/**
	 * The version of the last event. A watch that continues from this version has missed
	 * no event.
	 */
	private String version = "";

	/** When the end of the topic was last reached. */
	private long caughtUpAt;

	/**
	 * Creates the state of a reader that has read nothing from the topic yet.
	 * @param namespace the namespace whose objects are read, or {@code null} for all
	 * @param objects reads objects
	 * @param now the current time
	 */
	TopicState(@Nullable String namespace, TopicObjects<T> objects, long now) {
		this.namespace = namespace;
		this.objects = objects;
		this.states = new KeyStates<>(objects::isSame);
		this.caughtUpAt = now;
	}

	/**
	 * Applies a record of the topic to this state.
	 * @param record the record
	 * @return the event for the record, or {@code null} if there is none
	 */
	@Nullable WatchEvent<T> apply(ConsumerRecord<String, byte[]> record) {
		ResourceKey key = key(record.key());
		if (key == null || (this.namespace != null && !this.namespace.equals(key.namespace()))) {
			return null;
		}
		T object;
		try {
			object = (record.value() != null) ? this.objects.read(key, record.value()) : null;
		}
		catch (RuntimeException ex) {
			return skipped(key, record, ex);
		}
		String uid = (object != null) ? this.objects.uid(object) : "";
		Said<T> said = new Said<>(record.partition(), object,
				uid.isEmpty() ? header(record, PublishedHeaders.UID) : uid,
				(object != null) ? this.objects.version(object) : header(record, PublishedHeaders.RESOURCE_VERSION));
		note(said.version());
		boolean unread = this.skipped.remove(key) != null;
		T previous = this.states.object(key);
		this.states.put(key, said);
		T present = this.states.object(key);
		return (unread && previous == null && present == null) ? unreadDeleted(key, record, said.version())
				: event(previous, present, said.version());
	}

	/**
	 * Returns the event for the deletion of an object that this reader could not read.
	 * The mirror may still have an earlier state of the object, because a list keeps what
	 * cannot be read.
	 */
	private WatchEvent<T> unreadDeleted(ResourceKey key, ConsumerRecord<String, byte[]> record, String version) {
		return told(new WatchEvent.Skipped<>("DELETED", new SkippedObject(key, version, "the record of partition "
				+ record.partition() + " at offset " + record.offset() + " deletes an object that could not be read")));
	}

	private @Nullable WatchEvent<T> event(@Nullable T previous, @Nullable T present, String version) {
		if (present == null) {
			return (previous != null) ? told(new WatchEvent.Deleted<>(this.objects.at(previous, version))) : null;
		}
		if (previous == null) {
			return told(new WatchEvent.Added<>(present));
		}
		// a publisher may write a record twice
		return previous.equals(present) ? null : told(new WatchEvent.Modified<>(present));
	}

	private WatchEvent<T> skipped(ResourceKey key, ConsumerRecord<String, byte[]> record, RuntimeException failure) {
		String version = header(record, PublishedHeaders.RESOURCE_VERSION);
		note(version);
		SkippedObject skipped = new SkippedObject(key, version, "the record of partition " + record.partition()
				+ " at offset " + record.offset() + " makes no object: " + ErrorMessages.ofObject(failure));
		this.skipped.put(key, skipped);
		return told(new WatchEvent.Skipped<>("MODIFIED", skipped));
	}

	private static @Nullable ResourceKey key(@Nullable String text) {
		try {
			return (text != null) ? ResourceKey.parse(text) : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	static String header(ConsumerRecord<String, byte[]> record, String name) {
		Header header = record.headers().lastHeader(name);
		return (header != null && header.value() != null) ? new String(header.value(), StandardCharsets.UTF_8) : "";
	}

	private void note(String version) {
		boolean older = ResourceVersions.isGreater(this.newest, version);
		if (!version.isEmpty() && !older) {
			this.newest = version;
		}
	}

	private WatchEvent<T> told(WatchEvent<T> event) {
		String version = version(event);
		if (!version.isEmpty()) {
			this.version = version;
		}
		return event;
	}

	private String version(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Added<T> added) {
			return this.objects.version(added.object());
		}
		if (event instanceof WatchEvent.Modified<T> modified) {
			return this.objects.version(modified.object());
		}
		if (event instanceof WatchEvent.Deleted<T> deleted) {
			return this.objects.version(deleted.object());
		}
		if (event instanceof WatchEvent.Skipped<T> unread) {
			return unread.object().resourceVersion();
		}
		return (event instanceof WatchEvent.Bookmark<T> bookmark) ? bookmark.resourceVersion() : "";
	}

	/**
	 * Returns a bookmark, which says that everything up to the newest version was
	 * delivered.
	 */
	WatchEvent<T> bookmark(boolean initialEventsEnd) {
		return told(new WatchEvent.Bookmark<>(newest(), initialEventsEnd));
	}

	private String newest() {
		return this.newest.isEmpty() ? FIRST_VERSION : this.newest;
	}

	/** Returns all objects as one page of a list. */
	ListPage<T> page() {
		this.version = newest();
		return new ListPage<>(this.states.objects(), this.version, "", List.copyOf(this.skipped.values()));
	}

	/**
	 * Whether a reader that has reached the given version has received all events of this
	 * state.
	 */
	boolean isAt(String version) {
		return this.version.equals(version);
	}

	/**
	 * Copies the newest version and the deletions from an earlier state of the topic.
	 * They may be missing here, because the topic may have cleaned up records of
	 * deletions since.
	 */
	void noteOf(TopicState<T> before) {
		note(before.newest);
		this.states.remember(before.states);
	}

	void reached(TopicPosition position) {
		this.position = position;
	}

	TopicPosition position() {
		return this.position;
	}

	void caughtUp(long at) {
		this.states.complete();
		this.caughtUpAt = at;
	}

	/** Whether records of deletions may have been cleaned up before they were read. */
	boolean isTooOld(long now, Duration tombstoneRetention) {
		return now - this.caughtUpAt > TimeUnit.NANOSECONDS.convert(tombstoneRetention);
	}

}
