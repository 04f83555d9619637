package dev.reflector.cache.internal.snapshot;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;

import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.store.AnnouncedObjects;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The snapshot of a reflector, from the first start of the reflector until it is closed.
 * The first run reads the snapshot, and every run writes it as a
 * {@link PartitionSnapshot}. client-go has no snapshots: its informers begin empty, so
 * objects that were deleted while the process was down are not reported.
 * <p>
 * <b>Promises.</b> The store holds only objects whose changes all handlers have completed
 * and, for each namespace that is followed separately, a cursor: the resource version at
 * which the namespace had exactly these objects. A handler has completed a change when
 * its call has returned and the stage that its {@code completed()} returns is done; by
 * default, that stage is always done. A call that throws an exception counts as returned,
 * so its change is lost for that handler. But if the failure stops the handler's
 * delivery, there are no commits until the handler starts over. Commits do not wait for
 * subscribers of streams. So each change is delivered at least once, and a crash repeats
 * only changes after the last commit. Several changes of an object between two commits
 * may be repeated as one. {@link WriteAhead} stores additions before they are delivered.
 * Without {@link WriteAhead}, or while the store fails, the deletion of an object is not
 * delivered in one case: the object was added after the last commit before a crash and
 * deleted before the restart, and the server no longer has that part of its history.
 * <p>
 * <b>Start.</b> The mirror is filled without calling a handler. A namespace with a cursor
 * continues with a watch from the cursor, and its changes are delivered like those of any
 * watch. A namespace without a cursor is listed and compared, and the differences are
 * delivered with the cause {@code RECOVERED}, deletions included. {@link SnapshotRules}
 * decides, by the header of the snapshot, whether the cursors and the objects may be
 * used. A stored object that cannot be read is left out of the mirror. If there is such
 * an object, all namespaces are listed, and {@link UnknownContents} keeps its key until
 * the server has shown whether the object still exists.
 * <p>
 * <b>Replicas.</b> {@link WriterRole} says whether this process writes. A standby reads
 * the snapshot at its start and writes nothing. When it takes over, it becomes the
 * writer, reads what the previous writer has stored, and only then delivers
 * ({@link Takeover}).
 * <p>
 * <b>Data.</b> {@link StoredState} keeps the map of objects as it was committed last.
 * This map shares its nodes with the mirror, so it needs no copy, and comparing both maps
 * skips the nodes that they share. After a failure, or if another process may have
 * written the snapshot, only uid and version of each stored object are known.
 * <p>
 * <b>Threads.</b> All calls of the store are made on {@code reflector-NAME-snapshot-io}
 * ({@link StoreThread}), one after the other. {@code reflector-NAME-store} waits for this
 * thread before the loops begin, and later, for a limited time, when it announces
 * additions. {@code reflector-NAME-snapshot} waits for the thread of the store during
 * claims, commits and recovery. Neither of the two waiting threads holds a lock while it
 * waits, and both stop waiting when the run ends. Threads of the common pool decode the
 * objects. Any thread may read {@link #status()} and {@link #completed()}.
 * <p>
 * <b>Recovery.</b> While the store cannot be reached, the start waits: without the
 * snapshot, deletions since the last run would go unnoticed. A damaged snapshot is set
 * aside by its writer, and the start continues without it. While the reflector runs, a
 * store that fails or does not answer delays nothing but the snapshot. After a call has
 * failed, or was given up while in progress, the stored state is unknown. Nothing is
 * announced or committed until the stored state has been read again.
 *
 * @param <T> the type of the objects
 */
public final class DurableMirror<T> implements AutoCloseable {

	/**
	 * The format that this version of the library writes. It is also the only format that
	 * this version reads.
	 */
	private static final int FORMAT = 2;

	private final SnapshotOptions<T> options;

	private final OpenSnapshot<T> snapshot;

	private final DurabilityStatus status;

	private final ResourceAccessor<T> accessor;

	private final StoredState<T> stored;

	private final SnapshotLoader<T> loader;

	private final ServerComparison<T> comparison;

	private final WriterRole role;

	private final OtherApplication other;

	/**
	 * The objects that an earlier process has announced, until the server shows whether
	 * they still exist.
	 */
	private final AnnouncedObjects<T> announced;

	/**
	 * The restored state, or {@code null} once a run has found all changes since the
	 * snapshot was written.
	 */
	private @Nullable RestoredState<T> unfinished;

	/**
	 * Creates a snapshot. Does not open the store yet.
	 * @param name the name of the snapshot
	 * @param options where and how the snapshot is kept
	 * @param header the header, without the server
	 * @param identity asks the server for its identity
	 * @param accessor reads metadata
	 * @param time source of time
	 * @param role whether this process writes the snapshot
	 * @param other warns of another application
	 * @param threads the threads that use the store
	 */
	public DurableMirror(String name, SnapshotOptions<T> options, SnapshotHeader header, Mono<String> identity,
			ResourceAccessor<T> accessor, TimeSource time, WriterRole role, OtherApplication other,
			StoreThreads threads) {
		this.other = other;
		this.options = options;
		this.accessor = accessor;
		this.announced = new AnnouncedObjects<>(accessor);
		this.status = new DurabilityStatus(options.store().location(), time);
		this.snapshot = new OpenSnapshot<>(name, options, header, new ServerQuestion(name, identity, time), accessor,
				this.status, threads);
		this.stored = new StoredState<>(header.namespaces(), accessor, this.snapshot.unknown());
		this.comparison = new ServerComparison<>(this.snapshot, accessor);
		this.role = role;
		this.loader = new SnapshotLoader<>(name, options, this.snapshot, this.status, this);
	}

	/**
	 * Creates the header of a snapshot, without the server. It describes what the
	 * reflector mirrors.
	 * @param resourceType the type
	 * @param options the options, with the codec
	 * @param source the source, with the selectors
	 * @param namespaces the namespaces
	 * @return the header
	 */
	public static SnapshotHeader header(ResourceType resourceType, SnapshotOptions<?> options, ListerWatcher<?> source,
			List<String> namespaces) {
		return new SnapshotHeader(FORMAT, options.codec().shape(),
				resourceType.apiVersion() + " " + resourceType.kind(), source.labelSelector(), source.fieldSelector(),
				namespaces, "", options.application());
	}

	OpenSnapshot<T> open() {
		return this.snapshot;
	}

	StoredState<T> stored() {
		return this.stored;
	}

	/**
	 * Returns the role, which says whether this process or another replica writes the
	 * snapshot.
	 */
	public WriterRole role() {
		return this.role;
	}

	/**
	 * Makes this process the writer in place of another replica, and reads what that
	 * replica has stored.
	 * @param present the objects of the mirror
	 * @return the state that was found, or {@code null} while another process is the
	 * writer
	 * @throws SnapshotException if the store cannot be reached
	 */
	@Nullable Takeover<T> takeOver(PersistentMap<ResourceKey, T> present) {
		if (this.role.state() != WriterRole.State.TAKING_OVER || !this.snapshot.claim()) {
			return null;
		}
		RestoredState<T> restored = readToTakeOver(present);
		Takeover<T> takeover = Takeover.of(restored, present, same(restored.sameShape()));
		forgetAnnounced();
		this.unfinished = null;
		PendingAdditions<T> pendingAdditions = this.stored.pendingAdditions();
		long number = pendingAdditions.begin();
		takeover.announced().forEach((key, object) -> pendingAdditions.add(key, object, number, true));
		if (takeover.sameShape()) {
			this.stored.restored(takeover.completed(), takeover.cursors());
		}
		else {
			this.stored.unknown(this.snapshot.versions());
			this.stored.completed(takeover.completed());
		}
		return takeover;
	}

	/**
	 * Reads the stored state for a takeover. If the state must not be used, gives up the
	 * claim, so that another process may become the writer.
	 */
	private RestoredState<T> readToTakeOver(PersistentMap<ResourceKey, T> present) {
		try {
			return ofThisServer(this.loader.read(), present);
		}
		catch (SnapshotMismatchException ex) {
			this.snapshot.close();
			this.status.writing(false);
			throw ex;
		}
	}

	/**
	 * Returns a test for whether two objects are the same. Versions are not compared if
	 * the options forbid resuming: a user sets this if objects of the same version may
	 * differ.
	 */
	private BiPredicate<T, T> same(boolean sameShape) {
		return (sameShape && this.options.resume()) ? (one, other) -> version(one).equals(version(other))
				: this::hasSameContent;
	}

	private String version(T object) {
		return OpenSnapshot.version(this.accessor.uid(object), this.accessor.resourceVersion(object));
	}

	/**
	 * Whether two objects have the same content: they are equal, or are written as the
	 * same bytes.
	 */
	public boolean hasSameContent(T one, T other) {
		return one.equals(other) || this.snapshot.isWrittenAs(one, other);
	}

	private RestoredState<T> ofThisServer(RestoredState<T> restored, PersistentMap<ResourceKey, T> present) {
		String reason = restored.found()
				? this.comparison.with(this.loader.server(), restored.objects(), restored.announced(), present) : null;
		return (reason == null) ? restored : this.loader.useless(reason, null);
	}

	/**
	 * Whether an application with a different name writes the snapshot. If so, this
	 * process waits until that application is gone. Called on the thread of the store, if
	 * another process is the writer.
	 */
	boolean waitsForOther() {
		String other = this.snapshot.otherApplication();
		this.status.heldBy(other);
		if (other != null) {
			this.role.waitForOther();
			this.other.waits(other, this.options.application(), this.options.store().location());
		}
		return other != null;
	}

	/**
	 * Called when the stored state has been read. Warns if this process is now the writer
	 * and another application was the previous writer.
	 */
	void continuesFrom(SnapshotHeader stored) {
		if (this.status.isWriting() && OtherApplication.isOther(stored.application(), this.options.application())) {
			this.other.hasGone(stored.application(), this.options.application(), this.options.store().location());
		}
	}

	/**
	 * Gives up the claim on the snapshot, if this process must hand the snapshot over to
	 * another replica.
	 * @return a future that completes when the other replica can become the writer
	 */
	public CompletableFuture<Void> handOver() {
		return this.snapshot.call(() -> {
			if (this.role.state() == WriterRole.State.HANDING_OVER) {
				this.snapshot.close();
				this.status.standsBy();
				this.role.hasHandedOver();
			}
			return true;
		}).done();
	}

	/**
	 * Notes that the mirror has been filled with a restored state.
	 * @param restored the restored state
	 * @param objects the objects of the mirror
	 */
	public void filled(RestoredState<T> restored, PersistentMap<ResourceKey, T> objects) {
		// the objects are in the mirror now
		this.unfinished = restored.withoutObjects();
		this.announced.addAll(restored.announced(), restored.cursors());
		this.stored.pendingAdditions().restored(restored.announced());
		if (restored.sameShape()) {
			this.stored.restored(objects, restored.cursors());
		}
		else {
			// an empty version means that the object must be written again, with the
			// current declared fields
			Map<ResourceKey, String> versions = new HashMap<>();
			objects.forEach((key, object) -> versions.put(key, ""));
			unread().keySet().forEach((key) -> versions.put(key, ""));
			this.stored.unknown(new OpenSnapshot.StoredVersions(versions, false, Map.of()));
			this.stored.completed(objects);
		}
	}

	/**
	 * Notes that the mirror has been emptied, because the snapshot was taken from another
	 * server.
	 * @param objects the empty mirror
	 */
	public void emptied(PersistentMap<ResourceKey, T> objects) {
		this.unfinished = null;
		this.snapshot.unknown().restored(Map.of());
		forgetAnnounced();
		this.stored.restored(objects, Map.of());
	}

	/**
	 * Notes that the stored state was set aside, so that there is nothing to continue
	 * from.
	 */
	void reset() {
		emptied(PersistentMap.empty());
		this.snapshot.server().forget();
		this.status.empty();
	}

	private void forgetAnnounced() {
		this.announced.clear();
		this.stored.pendingAdditions().clear();
	}

	/**
	 * Returns the objects that an earlier process has announced, as long as the server
	 * has not shown whether they still exist.
	 */
	public AnnouncedObjects<T> announced() {
		return this.announced;
	}

	/**
	 * Returns the objects of the mirror that are not stored, not even in an older
	 * version.
	 * @param present the objects of the mirror
	 * @return the objects that are not stored
	 */
	public Map<ResourceKey, T> unstored(PersistentMap<ResourceKey, T> present) {
		Map<ResourceKey, T> unstored = new LinkedHashMap<>();
		present.forEach((key, object) -> {
			if (!this.stored.contains(key)) {
				unstored.put(key, object);
			}
		});
		return unstored;
	}

	/**
	 * Whether the stored state of a namespace has the given version.
	 * @param scope the number of the namespace that is followed separately
	 * @param version the version
	 */
	public boolean isStored(int scope, String version) {
		return this.stored.isAt(scope, version);
	}

	/** Whether the stored state is unknown, because of a failure. */
	public boolean isDoubtful() {
		return this.stored.isDoubtful();
	}

	/** Whether additions are stored before listeners receive them. */
	public boolean isWrittenAhead() {
		return this.options.writeAhead();
	}

	/**
	 * Whether an object was announced by an earlier process, and this process has
	 * delivered neither its addition nor its deletion yet.
	 */
	public boolean isUndecided(ResourceKey key) {
		return this.stored.pendingAdditions().isOpen(key);
	}

	/** Returns the number of the last batch whose additions were announced. */
	public long lastAnnounced() {
		return this.stored.pendingAdditions().last();
	}

	/**
	 * Returns the added objects that listeners may have received but that are not yet
	 * committed.
	 */
	public Map<ResourceKey, T> uncommitted() {
		return this.stored.pendingAdditions().objects();
	}

	/**
	 * Notes that the loops of a run begin. After that, no later run resumes from the
	 * restored cursors. A later run lists and compares instead, because changes that the
	 * loops have received may be dropped if this run ends before they are in the mirror.
	 */
	public void loopsBegin() {
		RestoredState<T> restored = this.unfinished;
		if (restored != null) {
			this.unfinished = restored.withoutCursors();
		}
	}

	/**
	 * Returns the restored state, or {@code null} once a run has found all changes since
	 * the snapshot was written.
	 */
	@Nullable RestoredState<T> unfinished() {
		return this.unfinished;
	}

	/** Sets the restored state, or {@code null} if there is none. */
	void unfinished(@Nullable RestoredState<T> restored) {
		this.unfinished = restored;
	}

	/**
	 * Returns the comparison that decides whether the snapshot was taken from the
	 * followed server.
	 */
	ServerComparison<T> comparison() {
		return this.comparison;
	}

	/** Returns the loader, which reads the stored state. */
	SnapshotLoader<T> loader() {
		return this.loader;
	}

	/** Whether a run may resume the watch from a stored version. */
	boolean isResumed() {
		return this.options.resume() && unread().isEmpty();
	}

	/** Notes that the mirror has all changes since the snapshot was written. */
	public void recovered() {
		this.unfinished = null;
	}

	/**
	 * Returns the objects that all handlers have completed, and separately the newer
	 * objects that some handlers may have received.
	 */
	public CompletedObjects<T> completed() {
		return new CompletedObjects<>(this.stored.objects(), uncommitted(), unread());
	}

	/**
	 * Returns the same as {@link #completed()}. If an object has the same content in the
	 * mirror, the result contains the mirror's instance of the object.
	 */
	CompletedObjects<T> completed(PersistentMap<ResourceKey, T> present) {
		return new CompletedObjects<>(
				Takeover.aligned(this.stored.objects(), present, same(this.stored.isOneShape(-1))), uncommitted(),
				unread());
	}

	/** Returns the stored objects whose content cannot be read. */
	Map<ResourceKey, UnknownObject> unread() {
		return this.snapshot.unknown().unread();
	}

	/** Returns the status of the snapshot. */
	public ReflectorStatus.Durability status() {
		return this.status.present();
	}

	/**
	 * Makes this process the writer, unless it already is. Reads the stored versions if
	 * this process was not the writer, or if the stored state is unknown.
	 * @return whether this process is the writer now
	 * @throws SnapshotException if the store cannot be reached
	 */
	boolean isWriter() {
		if (this.stored.isDoubtful() || !this.status.isWriting()) {
			// a standby that has given up its claim must not take it again
			if (!this.role.isActive() || !this.snapshot.claim()) {
				return false;
			}
			// read after the claim: from now on, no other process changes the stored
			// state
			this.stored.unknown(this.loader.versions());
		}
		return true;
	}

	/**
	 * Gives up the claim for good. Waits until this is done, unless the store does not
	 * respond.
	 */
	@Override
	public void close() {
		this.snapshot.end();
	}

}
