package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotCommit;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotGapException;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The connection to the snapshot in its store. It is opened at its first use. The header
 * that it writes names the cluster.
 * <p>
 * {@link #call} uses the store on one thread. If several snapshots share their threads,
 * takeovers use the store on a second thread. Even then, only one thread at a time uses
 * this snapshot. These threads use the store only through the methods of this class.
 *
 * @param <T> the type of the objects
 */
final class OpenSnapshot<T> {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	static final long PAUSE_MILLIS = 2000;

	private static final byte[] NO_CONTENT = {};

	private final String name;

	private final SnapshotOptions<T> options;

	private final SnapshotHeader header;

	private final ServerQuestion server;

	private final ResourceAccessor<T> accessor;

	private final DurabilityStatus status;

	private final StoreThreads threads;

	/**
	 * Locked by the thread that is using this snapshot, because two threads may use it.
	 */
	private final Object turn = new Object();

	/** The thread that uses the store now. Guarded by {@link #turn}. */
	private StoreThread using;

	private final UnknownContents unknown = new UnknownContents();

	/** Whether it was logged that an object could not be written. */
	private boolean unwrittenLogged;

	/**
	 * Whether {@link #refused} has logged an error. Repetitions are logged at level
	 * DEBUG.
	 */
	private volatile boolean refusedLogged;

	private volatile boolean ended;

	private @Nullable Snapshot snapshot;

	/**
	 * The name of the commit that the next commit follows, empty if nothing is stored.
	 */
	private volatile String last = "";

	/**
	 * Whether a commit has found, after the stored state was last read, that earlier
	 * commits are missing in the store. Used on the thread of the store.
	 */
	private boolean gapFound;

	OpenSnapshot(String name, SnapshotOptions<T> options, SnapshotHeader header, ServerQuestion server,
			ResourceAccessor<T> accessor, DurabilityStatus status, StoreThreads threads) {
		this.name = name;
		this.options = options;
		this.header = header;
		this.server = server;
		this.accessor = accessor;
		this.status = status;
		this.threads = threads;
		this.using = threads.commits();
	}

	String name() {
		return this.name;
	}

	SnapshotOptions<T> options() {
		return this.options;
	}

	/** Returns the header of the reflector, without the server. */
	SnapshotHeader header() {
		return this.header;
	}

	ResourceAccessor<T> accessor() {
		return this.accessor;
	}

	DurabilityStatus status() {
		return this.status;
	}

	/** Returns the stored objects whose content is unknown. */
	UnknownContents unknown() {
		return this.unknown;
	}

	/** Uses the snapshot on the thread of the store, after all earlier calls. */
	<R extends @Nullable Object> StoreThread.Call<R> call(Supplier<R> use) {
		return call(this.threads.commits(), use);
	}

	private <R extends @Nullable Object> StoreThread.Call<R> call(StoreThread thread, Supplier<R> use) {
		return thread.call(() -> {
			synchronized (this.turn) {
				this.using = thread;
				return use.get();
			}
		});
	}

	/**
	 * Waits until a call has returned or failed. If the store does not respond, reports
	 * this once and continues to wait.
	 * @param call the call
	 * @param stopping returns whether to stop waiting
	 * @param silent receives the report that the store does not respond
	 * @return whether the call has returned or failed; {@code false} if the call was
	 * given up
	 * @throws InterruptedException when the thread is interrupted
	 */
	boolean await(StoreThread.Call<?> call, BooleanSupplier stopping, Consumer<SnapshotException> silent)
			throws InterruptedException {
		Duration bound = this.options.announceTimeout();
		AtomicBoolean reported = new AtomicBoolean();
		return call.await(() -> {
			if (call.isUnanswered(bound) && !reported.getAndSet(true)) {
				silent.accept(silence(bound));
			}
			return stopping.getAsBoolean();
		}) || !call.giveUp();
	}

	/**
	 * Uses the snapshot on the thread of the store, and waits for the result.
	 * @param use called on the thread of the store
	 * @param stopping returns whether to stop waiting
	 * @param silent receives the report that the store does not respond
	 * @return the result, or {@code null} if the call was given up
	 * @throws SnapshotException if the store has failed
	 * @throws InterruptedException when the thread is interrupted
	 */
	<R> @Nullable R use(Supplier<@Nullable R> use, BooleanSupplier stopping, Consumer<SnapshotException> silent)
			throws InterruptedException {
		StoreThread.Call<@Nullable R> call = call(use);
		return await(call, stopping, silent) ? call.result() : null;
	}

	/**
	 * Does the same as {@link #use}, but on the thread of takeovers. A takeover takes
	 * long, because it reads the whole stored state. Calls for other snapshots need not
	 * wait for it.
	 */
	<R> @Nullable R takeOver(Supplier<@Nullable R> use, BooleanSupplier stopping, Consumer<SnapshotException> silent)
			throws InterruptedException {
		StoreThread.Call<@Nullable R> call = call(this.threads.takeovers(), use);
		return await(call, stopping, silent) ? call.result() : null;
	}

	/**
	 * Whether a call is in progress, and the store has accepted nothing from it for a
	 * given time.
	 * @param bound the time
	 */
	boolean isSilent(Duration bound) {
		return this.threads.commits().isSilent(bound);
	}

	/**
	 * Creates the deadline for the announcement of a batch of changes.
	 * @param stopping returns whether to stop waiting
	 * @return the deadline until which delivery waits for the store
	 */
	AnnounceDeadline deadline(BooleanSupplier stopping) {
		return new AnnounceDeadline(this.threads.commits(), stopping);
	}

	/**
	 * Creates the failure that reports that the store does not respond.
	 * @param bound how long the store has been silent
	 */
	SnapshotException silence(Duration bound) {
		return new SnapshotException(
				"Snapshots in " + this.options.store().location()
						+ " cannot be used: there has been no answer from the store for " + bound.toMillis() + " ms",
				null);
	}

	private Snapshot open() {
		Snapshot present = this.snapshot;
		if (present == null) {
			present = this.options.store().open(this.name);
			this.snapshot = present;
		}
		return present;
	}

	/**
	 * Tries to claim the snapshot, so that this process becomes or remains the writer.
	 * @return whether this process is the writer
	 * @throws SnapshotException if the store cannot be reached
	 */
	boolean claim() {
		boolean writer = open().claim();
		this.status.writing(writer);
		return writer;
	}

	/**
	 * Reads the stored state, and passes it to the given reader. Returns whether anything
	 * is stored.
	 */
	boolean load(SnapshotReader reader) {
		String[] commit = { "" };
		boolean found = open().load(new SnapshotReader() {

			@Override
			public boolean head(SnapshotHead head) {
				OpenSnapshot.this.using.read();
				commit[0] = head.commit();
				return reader.head(head);
			}

			@Override
			public void object(StoredObject object) {
				OpenSnapshot.this.using.read();
				reader.object(object);
			}

		});
		this.last = commit[0];
		this.gapFound = false;
		return found;
	}

	/**
	 * Reads the versions of the stored objects, because another process may have written
	 * the snapshot. The version is empty for objects that must be written again:
	 * announced objects, unreadable objects, and objects that were written with different
	 * declared fields. Logs if the last commit of this process is missing, because the
	 * store may have been restored from a backup.
	 */
	StoredVersions versions() {
		String before = this.last;
		boolean told = this.gapFound;
		Map<ResourceKey, String> versions = new HashMap<>();
		Map<String, String> cursors = new HashMap<>();
		Set<ResourceKey> empty = new HashSet<>();
		boolean[] sameShape = { true };
		load(new SnapshotReader() {

			@Override
			public boolean head(SnapshotHead head) {
				sameShape[0] = isOfSameContent(head.header());
				if (isResumable(head.header())) {
					cursors.putAll(head.cursors());
				}
				return true;
			}

			@Override
			public void object(StoredObject object) {
				if (object.contentUnknown()) {
					empty.add(object.key());
				}
				boolean known = sameShape[0] && !object.announced()
						&& !OpenSnapshot.this.unknown.isUnread(object.key());
				versions.put(object.key(), known ? version(object.uid(), object.resourceVersion()) : "");
			}

		});
		if (!told && CommitId.isBehind(this.last, before)) {
			foundGap(new SnapshotGapException("The snapshot of '" + this.name + "' in "
					+ this.options.store().location() + " is not the one that this process stored last: the "
					+ "store was put back to an earlier state, or has lost commits"));
		}
		this.unknown.readAgain(versions.keySet(), empty);
		return new StoredVersions(versions, sameShape[0], cursors);
	}

	/**
	 * Returns the name of the application that has written the stored state, or
	 * {@code null} if it is this application or unknown.
	 */
	@Nullable String otherApplication() {
		String[] stored = { "" };
		try {
			open().load(new SnapshotReader() {

				@Override
				public boolean head(SnapshotHead head) {
					stored[0] = head.header().application();
					return false;
				}

				@Override
				public void object(StoredObject object) {
					// only the head is needed
				}

			});
		}
		catch (SnapshotCorruptException ex) {
			// not handled here: the writer of the snapshot sets the damaged state aside
			return null;
		}
		return OtherApplication.isOther(stored[0], this.header.application()) ? stored[0] : null;
	}

	private boolean isOfSameContent(SnapshotHeader stored) {
		return stored.shape().equals(this.header.shape()) && stored.format() == this.header.format();
	}

	/** Whether a watch can be resumed from a state with this header. */
	private boolean isResumable(SnapshotHeader stored) {
		ServerName server = ServerName.of(this.server.text());
		return SnapshotRules.of(stored, this.header).use() == SnapshotRules.Use.RESUME
				&& ServerName.of(stored.server()).compare(server) == ServerName.Verdict.SAME;
	}

	/**
	 * The stored state, without the objects.
	 *
	 * @param versions the version of each object, empty if the object must be written
	 * again
	 * @param sameShape whether all objects were written with the current declared fields
	 * @param cursors the cursors, empty if no watch can be resumed from the stored state
	 */
	record StoredVersions(Map<ResourceKey, String> versions, boolean sameShape, Map<String, String> cursors) {

	}

	static String version(String uid, String resourceVersion) {
		return uid + "@" + resourceVersion;
	}

	/**
	 * Stores changes in one commit.
	 * @param upserts objects that are new or have changed
	 * @param deletions keys of objects that no longer exist
	 * @param cursors the cursors
	 * @param oneShape whether all stored objects have the current declared fields after
	 * this commit; if not, the next start compares objects by content
	 * @throws SnapshotException if the store has failed, or if the call in progress was
	 * given up
	 */
	void commit(List<StoredObject> upserts, List<ResourceKey> deletions, Map<String, String> cursors,
			boolean oneShape) {
		if (this.using.isGivenUp()) {
			throw new SnapshotException("the rest is not stored, because the stop no longer waits for it", null);
		}
		SnapshotHeader complete = new SnapshotHeader(this.header.format(), oneShape ? this.header.shape() : "",
				this.header.resourceType(), this.header.labelSelector(), this.header.fieldSelector(),
				this.header.namespaces(), this.server.text(), this.header.application());
		String id = CommitId.after(this.last);
		try {
			open().commit(new SnapshotCommit(id, this.last, complete, upserts, deletions, cursors));
		}
		catch (SnapshotGapException ex) {
			this.gapFound = true;
			// logged here, because the caller may no longer wait for the result
			foundGap(ex);
			throw ex;
		}
		this.using.accepted();
		this.last = id;
		this.unknown.committed(upserts, deletions);
	}

	/**
	 * Returns the stored form of an object. It has no content if the object cannot be
	 * written.
	 */
	StoredObject stored(ResourceKey key, T object, boolean announced) {
		try {
			return new StoredObject(key, this.accessor.uid(object), this.accessor.resourceVersion(object),
					this.options.codec().write(object), announced);
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			unwritten(key, reason(ex));
			return new StoredObject(key, this.accessor.uid(object), this.accessor.resourceVersion(object), NO_CONTENT,
					announced);
		}
	}

	/**
	 * Whether two objects are written as the same bytes. Useful if their class does not
	 * define equality.
	 */
	boolean isWrittenAs(T one, T other) {
		try {
			return Arrays.equals(this.options.codec().write(one), this.options.codec().write(other));
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			return false;
		}
	}

	/** Returns the stored form of an object whose content is unknown. */
	static StoredObject stored(ResourceKey key, UnknownObject object) {
		return new StoredObject(key, object.uid(), object.resourceVersion(), NO_CONTENT, object.announced());
	}

	private void unwritten(ResourceKey key, String reason) {
		log(this.unwrittenLogged ? Level.DEBUG : Level.WARN, "ObjectUnwritten")
			.log("Reflector '{}': the object {} cannot be written to the snapshot: {}. Only its key, uid and "
					+ "version are stored, so the next start compares with a list. Later ones are only counted, "
					+ "as 'contentUnknown'", this.name, PrintableText.of(key), PrintableText.of(reason));
		this.unwrittenLogged = true;
	}

	/**
	 * Returns why a codec has failed. Only the message of a {@link SnapshotException} is
	 * included, because messages of other exceptions may quote the object.
	 */
	static String reason(Throwable failure) {
		return (failure instanceof SnapshotException known) ? String.valueOf(known.getMessage())
				: "it failed with " + failure.getClass().getName();
	}

	/** Sets the stored state aside. Returns its new location, human-readable. */
	String setAside(String reason) {
		String where = open().setAside(reason);
		this.last = "";
		this.unknown.restored(Map.of());
		return where;
	}

	/** Returns the helper that asks the server which cluster it is. */
	ServerQuestion server() {
		return this.server;
	}

	/** Logs that the stored state cannot be used and must not be set aside. */
	void refused(SnapshotMismatchException failure) {
		log(this.refusedLogged ? Level.DEBUG : Level.ERROR, "SnapshotMismatch").log(
				"Reflector '{}': this replica is active but does not deliver: {}. Retrying every {} s", this.name,
				failure.getMessage(), PAUSE_MILLIS / 1000);
		this.refusedLogged = true;
	}

	/** Logs that the last commit of this process is missing in the store. */
	private void foundGap(SnapshotGapException gap) {
		log(Level.WARN, "SnapshotGap")
			.log("Reflector '{}': {}. Everything that differs is written again. Until that is done, a crash can "
					+ "lose deletions", this.name, PrintableText.of(String.valueOf(gap.getMessage())));
	}

	LoggingEventBuilder log(Level level, String reason) {
		return logger.atLevel(level).addKeyValue("reflector", this.name).addKeyValue("reason", reason);
	}

	/** Waits before another attempt. */
	void pause(BooleanSupplier stopping) throws InterruptedException {
		this.server.pause(PAUSE_MILLIS, stopping);
	}

	/**
	 * Whether the claim was given up for good. From then on, another process may write,
	 * and a call that comes late is no failure.
	 */
	boolean hasEnded() {
		return this.ended;
	}

	/** Gives up the claim. */
	void close() {
		Snapshot present = this.snapshot;
		this.snapshot = null;
		if (present != null) {
			present.close();
		}
	}

	/**
	 * Gives up the claim for good. Waits until this is done, unless the store does not
	 * respond.
	 */
	void end() {
		this.ended = true;
		call(() -> {
			close();
			return true;
		});
		this.threads.end(this.options.announceTimeout());
	}

}
