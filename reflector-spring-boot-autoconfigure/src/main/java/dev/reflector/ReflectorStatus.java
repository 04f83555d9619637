package dev.reflector;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A report of what a reflector has done and where it stands.
 *
 * @param state what it is doing
 * @param lastSyncResourceVersion version up to which it has followed the collection,
 * empty before the first list
 * @param synced whether the first complete state is in the mirror
 * @param size number of objects in the mirror
 * @param queueDepth number of changes received but not yet handed to every listener
 * @param counts what has happened since the start
 * @param lastListAt when the last complete list was received, or {@code null}
 * @param lastEventAt when the last watch event (bookmarks included) was received, or
 * {@code null}
 * @param failingSince when the present run of failures began, or {@code null} while the
 * reflector is connected
 * @param lastError the most recent error, or {@code null}; stays after recovery
 * @param deliveryStopped why a listener is told nothing more until the next start, or
 * {@code null} while all are told
 */
public record ReflectorStatus(ReflectorState state, String lastSyncResourceVersion, boolean synced, int size,
		int queueDepth, Counts counts, @Nullable Instant lastListAt, @Nullable Instant lastEventAt,
		@Nullable Instant failingSince, @Nullable LastError lastError, @Nullable LastError deliveryStopped) {

	/**
	 * Creates a report of a reflector that delivers to all listeners.
	 * @param state what it is doing
	 * @param lastSyncResourceVersion version up to which it has followed the collection
	 * @param synced whether the first complete state is in the mirror
	 * @param size number of objects in the mirror
	 * @param queueDepth number of changes not yet handed to every listener
	 * @param counts what has happened since the start
	 * @param lastListAt when the last complete list was received
	 * @param lastEventAt when the last watch event was received
	 * @param failingSince when the present run of failures began
	 * @param lastError the most recent error
	 */
	public ReflectorStatus(ReflectorState state, String lastSyncResourceVersion, boolean synced, int size,
			int queueDepth, Counts counts, @Nullable Instant lastListAt, @Nullable Instant lastEventAt,
			@Nullable Instant failingSince, @Nullable LastError lastError) {
		this(state, lastSyncResourceVersion, synced, size, queueDepth, counts, lastListAt, lastEventAt, failingSince,
				lastError, null);
	}

	/**
	 * Numbers since the start of the reflector.
	 *
	 * @param lists complete lists received, the initial part of a streamed list included
	 * @param watches watches asked for, whether or not the server granted them
	 * @param relists complete lists after the first
	 * @param added objects that appeared in the mirror
	 * @param updated objects that changed in the mirror
	 * @param deleted objects that left the mirror
	 * @param bookmarks bookmarks received
	 * @param errors failed requests, error frames, objects that could not be read and
	 * listeners that threw
	 */
	public record Counts(long lists, long watches, long relists, long added, long updated, long deleted, long bookmarks,
			long errors) {

	}

	/**
	 * An error, in a form that is safe to show.
	 *
	 * @param at when it happened
	 * @param status HTTP status or code of the server's Status, 0 when the server did not
	 * answer
	 * @param reason machine-readable reason, for example {@code Forbidden} or
	 * {@code ConnectionRefused}
	 * @param message what happened, for a person
	 */
	public record LastError(Instant at, int status, String reason, String message) {

	}

}
