package dev.reflector;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A report of what a reflector has done and of its current state.
 *
 * @param state what the reflector is doing
 * @param lastSyncResourceVersion version up to which the reflector has followed the
 * collection, empty before the first list
 * @param synced whether the first complete state is in the mirror
 * @param size number of objects in the mirror
 * @param skipped number of objects whose current version is not in the mirror, because it
 * could not be read or transformed; 10,000 at most
 * @param queueDepth number of changes received but not yet handed to every listener
 * @param counts the counters since the start
 * @param lastListAt when the last complete list of any namespace was received, or
 * {@code null} before the first list
 * @param lastEventAt when the last watch event (bookmarks included) of any namespace was
 * received, or {@code null} before the first event
 * @param failingSince when the current series of failures began, or {@code null} while
 * nothing fails
 * @param lastError the most recent error, or {@code null}; stays after recovery
 * @param deliveryStopped why delivery to a listener has stopped; the delivery starts over
 * when the reflector is resumed or started again. {@code null} while changes are
 * delivered to all listeners
 * @param busyListener the listener whose current call has been running longest;
 * {@code null} if no current call has reached the threshold of slow listeners
 * @param contact the state of the connection to the server
 * @since 0.1.0
 */
public record ReflectorStatus(ReflectorState state, String lastSyncResourceVersion, boolean synced, int size,
		int skipped, int queueDepth, Counts counts, @Nullable Instant lastListAt, @Nullable Instant lastEventAt,
		@Nullable Instant failingSince, @Nullable LastError lastError, @Nullable LastError deliveryStopped,
		@Nullable BusyListener busyListener, Contact contact) {

	/**
	 * A listener whose call is still in progress.
	 *
	 * @param name name of the listener
	 * @param subject what the listener was called with, human-readable
	 * @param since when the listener was called
	 */
	public record BusyListener(String name, String subject, Instant since) {

	}

	/**
	 * The connection to the server. With several namespaces, {@code connected} means that
	 * all of them are connected, and {@code lastProgressAt} is the oldest of the times of
	 * all namespaces.
	 *
	 * @param connected whether the connection works: the server has answered since the
	 * start, no request has failed after that answer, and the collection is being listed
	 * or followed. A request that has not been answered yet does not count as failed
	 * @param lastProgressAt when the server last sent a resource version of the
	 * collection, in a list, an event or a bookmark; {@code null} before the first list
	 * @param bookmarks whether the server has sent bookmarks on watches since the start
	 * or the last pause. If so, the server is expected to send more bookmarks even if
	 * nothing changes. The bookmark that ends a streamed list does not count
	 * @param scopes the parts that are listed and watched separately: one for each
	 * namespace that is named, or one for all namespaces; empty while the reflector is
	 * not started
	 */
	public record Contact(boolean connected, @Nullable Instant lastProgressAt, boolean bookmarks, List<Scope> scopes) {

		public Contact {
			scopes = List.copyOf(scopes);
		}

		/**
		 * Creates the state of a connection without parts.
		 * @param connected whether the server has answered and nothing has failed since
		 * @param lastProgressAt when the server last sent a resource version of the
		 * collection
		 * @param bookmarks whether the server has sent bookmarks
		 */
		public Contact(boolean connected, @Nullable Instant lastProgressAt, boolean bookmarks) {
			this(connected, lastProgressAt, bookmarks, List.of());
		}

		/**
		 * Returns the time at which the next attempt after a failure is due; the earliest
		 * time of all parts.
		 * @return the time, or {@code null} when no part waits for a time
		 */
		public @Nullable Instant nextAttemptAt() {
			return this.scopes.stream()
				.map(Scope::nextAttemptAt)
				.filter(Objects::nonNull)
				.min(Comparator.naturalOrder())
				.orElse(null);
		}

	}

	/**
	 * A part of the collection that is listed and watched separately.
	 *
	 * @param namespace its namespace, or {@code null} for all
	 * @param state what the reflector is doing for this part
	 * @param connected whether the server has answered since the start and nothing has
	 * failed since
	 * @param lastSyncResourceVersion version up to which the reflector has followed the
	 * part, empty before the first list
	 * @param lastProgressAt when the server last sent a resource version of the
	 * collection, or {@code null}
	 * @param failingSince when the current series of failures began, or {@code null}
	 * while nothing fails
	 * @param nextAttemptAt when the next attempt is due; {@code null} when none is due,
	 * and while the part waits until the server accepts connections or serves the type
	 * @param lastError the most recent error, or {@code null}; stays after recovery
	 */
	public record Scope(@Nullable String namespace, ReflectorState state, boolean connected,
			String lastSyncResourceVersion, @Nullable Instant lastProgressAt, @Nullable Instant failingSince,
			@Nullable Instant nextAttemptAt, @Nullable LastError lastError) {

	}

	/**
	 * The state of the snapshot of a durable mirror.
	 *
	 * @param location where the snapshot is kept, human-readable
	 * @param writing whether this process writes the snapshot; if not, {@code size},
	 * {@code cursors} and {@code committedAt} are the values that this process read at
	 * its start
	 * @param restored number of objects that were restored into the mirror at the start
	 * @param size number of stored objects
	 * @param contentUnknown number of stored objects that are known only by key, uid and
	 * version, because their content could not be read or written
	 * @param cursors the stored version of each namespace. All listeners have completed
	 * every change up to this version, and the snapshot contains these changes. If all
	 * namespaces are followed together, the only key is the empty string
	 * @param committedAt when the snapshot was last written, or {@code null} when the
	 * store has no snapshot
	 * @param commitTook how long the last commit of this process took, or {@code null}
	 * @param behindSince the time since which the mirror is ahead of the snapshot, or
	 * {@code null} while they are equal
	 * @param lastError why the last attempt to read or write the snapshot has failed, or
	 * {@code null} if it has succeeded
	 * @param heldBy the other application that writes the snapshot, while this
	 * application waits for its end and delivers nothing; {@code null} when there is no
	 * other application
	 * @param slowestListener the listener that delays the snapshot most, or {@code null}
	 * when none does
	 */
	public record Durability(String location, boolean writing, int restored, int size, int contentUnknown,
			Map<String, String> cursors, @Nullable Instant committedAt, @Nullable Duration commitTook,
			@Nullable Instant behindSince, @Nullable LastError lastError, @Nullable String heldBy,
			@Nullable SlowestListener slowestListener) {

		/**
		 * The reason of {@code lastError} if the snapshot does not fit the server or the
		 * type of the reflector, and the options forbid setting the snapshot aside. This
		 * replica then delivers nothing.
		 */
		public static final String MISMATCH = "SnapshotMismatch";

		public Durability {
			cursors = Map.copyOf(cursors);
		}

		/**
		 * Whether the snapshot does not fit the reflector, so that this replica delivers
		 * nothing.
		 */
		public boolean mismatched() {
			return this.lastError != null && this.lastError.reason().equals(MISMATCH);
		}

	}

	/**
	 * The listener that is furthest behind the mirror. A commit stores only changes that
	 * all listeners have completed.
	 *
	 * @param name name of the listener
	 * @param since the arrival time of the oldest change that the listener has not
	 * completed
	 */
	public record SlowestListener(String name, Instant since) {

	}

	/**
	 * The share of the collection that this replica mirrors, if several replicas divide
	 * the collection.
	 *
	 * @param selector the value of the query parameter {@code shardSelector} that
	 * requests this share from the server
	 * @param index index of this replica, counted from 0; {@code null} when the
	 * collection is divided among the replicas that are currently live
	 * @param count how many replicas divide the collection; {@code null} if the number
	 * varies
	 * @param filteredBy which side filters out the objects of the other replicas
	 * @param slots how many slots there are, and how many of them this replica mirrors
	 * and delivers; {@code null} if the share is fixed and delivered without Leases
	 */
	public record Shard(String selector, @Nullable Integer index, @Nullable Integer count, FilteredBy filteredBy,
			@Nullable SlotCounts slots) {

		/**
		 * Returns a copy of this share with the given numbers of slots.
		 * @param slots the numbers of slots
		 * @return the share
		 */
		public Shard with(SlotCounts slots) {
			return new Shard(this.selector, this.index, this.count, this.filteredBy, slots);
		}

		/**
		 * How many slots there are, and how many of them this replica mirrors and
		 * delivers.
		 *
		 * @param all number of slots into which the collection is divided
		 * @param mirrored number of slots that this replica mirrors
		 * @param delivered number of slots that this replica owns and whose changes it
		 * delivers
		 */
		public record SlotCounts(int all, int mirrored, int delivered) {

		}

		/** Which side filters out the objects of the other replicas. */
		public enum FilteredBy {

			/** Unknown, because too few objects have arrived to decide. */
			UNKNOWN,

			/**
			 * The server filters: it has announced this, or it has sent no objects of
			 * other replicas so far.
			 */
			SERVER,

			/**
			 * This process filters, because the server has sent objects of other
			 * replicas.
			 */
			CLIENT

		}

	}

	/**
	 * Counters since the start of the reflector.
	 *
	 * @param lists complete lists received, the initial part of a streamed list included
	 * @param watches watches requested, whether or not the server accepted them
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
	 * Describes an object whose current version is not in the mirror. All texts are safe
	 * to show.
	 *
	 * @param object namespace and name
	 * @param resourceVersion version of the object, empty when it could not be read
	 * @param reason why the object is skipped and what to do about it
	 */
	public record Skipped(String object, String resourceVersion, String reason) {

	}

	/**
	 * Describes an error. All texts are safe to show.
	 *
	 * @param at when it happened
	 * @param status HTTP status code, or the code of a {@code Status} that the server has
	 * sent; 0 when the server did not answer
	 * @param reason machine-readable reason, for example {@code Forbidden} or
	 * {@code ConnectionRefused}
	 * @param message what happened, human-readable
	 */
	public record LastError(Instant at, int status, String reason, String message) {

	}

}
