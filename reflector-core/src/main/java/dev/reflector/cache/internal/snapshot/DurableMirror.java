package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.reflector.PrintableText;
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
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;

/**
 * The snapshot of a reflector, from its first start until it is closed. The first run
 * reads it, and every run writes it with a {@link SnapshotWriter}. client-go has nothing
 * like it: its informers begin empty, and do not learn what was deleted while the process
 * was down.
 * <p>
 * <b>Promises.</b> The store holds only objects that all handlers have completed and, for
 * each namespace that is followed on its own, a cursor: the version of the server at
 * which these objects were the state of the namespace. A handler has completed a change
 * when its call has returned and the stage of its {@code completed()} is done, which it
 * is at once by default. A call that throws has returned too, and its change is lost for
 * that handler, unless it stops its delivery: then nothing is committed until it begins
 * anew. Subscribers of streams do not count. So each change is delivered at least once,
 * and a crash repeats only changes after the last commit. Several changes of an object
 * between two commits may be repeated as one. {@link WriteAhead} stores additions before
 * they are delivered. Without it, or while the store fails, one deletion may not be: that
 * of an object which was added after the last commit before a crash, and deleted before
 * the restart, if the server has lost that part of its history.
 * <p>
 * <b>Start.</b> The mirror is filled without calling a handler. A namespace with a cursor
 * goes on with a watch from there, and its changes come as from any watch. A namespace
 * without one is listed and compared, and the differences are delivered with the cause
 * {@code RECOVERED}, deletions included. {@link SnapshotRules} says when a header rules
 * out a cursor or the whole snapshot. An object that is stored and cannot be read is not
 * in the mirror. Then all namespaces are listed, and {@link UnknownContents} says until
 * when its key is kept.
 * <p>
 * <b>Replicas.</b> {@link Duty} says whether this process writes. A standby reads the
 * snapshot at its start and writes nothing. When it takes over, it becomes the writer,
 * reads what the one before has stored, and only then delivers ({@link Takeover}).
 * <p>
 * <b>Data.</b> {@link StoredState} keeps the map of objects as it was committed last. It
 * shares its nodes with the mirror, so it needs no copy, and comparing it with the mirror
 * skips what both share. When it is not certain what is stored, only uid and version of
 * each stored object are kept.
 * <p>
 * <b>Threads.</b> All calls of the store are made on {@code reflector-NAME-snapshot-io}
 * ({@link StoreThread}), one after the other. {@code reflector-NAME-store} waits for it
 * before the loops begin, and later, for a limited time, when it announces additions.
 * {@code reflector-NAME-snapshot} waits for claims, commits and recovery. Neither holds a
 * lock then, and both wait no longer when the run ends. Threads of the common pool decode
 * the objects. {@link #reset()} is called while no run continues. Any thread may read
 * {@link #status()} and {@link #completed()}.
 * <p>
 * <b>Recovery.</b> While the store cannot be reached, the start waits: without the
 * snapshot, deletions since the last run would go unnoticed. A damaged snapshot is set
 * aside by its writer, and the start continues without it. While the reflector runs, a
 * store that fails or does not answer delays nothing but the snapshot. A call that
 * failed, or was given up while it was in progress, makes it uncertain what is stored:
 * until that was read again, nothing is announced or committed.
 *
 * @param <T> the type of the objects
 */
public final class DurableMirror<T> implements AutoCloseable {

	/** The format that this version writes, and the only one that it reads. */
	private static final int FORMAT = 2;

	private static final Duration LONGEST_RESET = Duration.ofSeconds(10);

	private final String name;

	private final SnapshotOptions<T> options;

	private final OpenSnapshot<T> snapshot;

	private final DurabilityStatus status;

	private final ResourceAccessor<T> accessor;

	private final StoredState<T> stored;

	private final SnapshotLoader<T> loader;

	private final ServerComparison<T> comparison;

	private final Duty duty;

	private final OtherApplication other;

	/** What an earlier process has announced, and the server has not decided about. */
	private final AnnouncedObjects<T> announced;

	private boolean read;

	private boolean filled;

	/** What was restored, until a run has found all that has changed since. */
	private @Nullable Restored<T> unfinished;

	/**
	 * Creates the snapshot of a reflector. Opens nothing.
	 * @param name the name of the reflector
	 * @param options where and how it is kept
	 * @param header what the reflector mirrors, but for the server
	 * @param identity asks the server for its identity
	 * @param accessor reads metadata
	 * @param time source of time
	 * @param duty whether this process writes it
	 * @param other warns of another application
	 */
	public DurableMirror(String name, SnapshotOptions<T> options, SnapshotHeader header, Mono<String> identity,
			ResourceAccessor<T> accessor, TimeSource time, Duty duty, OtherApplication other) {
		this(name, options, header, identity, accessor, time, duty, other, StoreThreads.one(name, time));
	}

	/**
	 * Creates one of several snapshots that share the threads of their store. Opens
	 * nothing.
	 * @param name the name of the snapshot
	 * @param options where and how it is kept
	 * @param header what the reflector mirrors, but for the server
	 * @param identity asks the server for its identity
	 * @param accessor reads metadata
	 * @param time source of time
	 * @param duty whether this process writes it
	 * @param other warns of another application
	 * @param threads use the store
	 */
	public DurableMirror(String name, SnapshotOptions<T> options, SnapshotHeader header, Mono<String> identity,
			ResourceAccessor<T> accessor, TimeSource time, Duty duty, OtherApplication other, StoreThreads threads) {
		this.name = name;
		this.other = other;
		this.options = options;
		this.accessor = accessor;
		this.announced = new AnnouncedObjects<>(accessor);
		this.status = new DurabilityStatus(options.store().location(), time);
		this.snapshot = new OpenSnapshot<>(name, options, header, new ServerQuestion(name, identity, time), accessor,
				this.status, threads);
		this.stored = new StoredState<>(header.namespaces(), accessor, this.snapshot.unknown());
		this.comparison = new ServerComparison<>(this.snapshot, accessor);
		this.duty = duty;
		this.loader = new SnapshotLoader<>(name, options, this.snapshot, this.status, this);
	}

	/**
	 * What a reflector mirrors, as a header without the server.
	 * @param resourceType the type
	 * @param options has the codec
	 * @param source has the selectors
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

	/** Whether this process writes the snapshot, or another replica does. */
	public Duty duty() {
		return this.duty;
	}

	/**
	 * Becomes the writer in the place of another replica, and reads what that one has
	 * stored.
	 * @param present the objects of the mirror
	 * @return what handlers have completed; {@code null} while another is the writer
	 * @throws SnapshotException when the store cannot be reached
	 */
	@Nullable Takeover<T> takeOver(PersistentMap<ResourceKey, T> present) {
		if (this.duty.state() != Duty.State.TAKING_OVER || !this.snapshot.claim()) {
			return null;
		}
		Restored<T> restored = readToTakeOver(present);
		Takeover<T> takeover = Takeover.of(restored, present, same(restored.sameShape()));
		forgetAnnounced();
		this.unfinished = null;
		Announcements<T> announcements = this.stored.announcements();
		long number = announcements.begin();
		takeover.announced().forEach((key, object) -> announcements.add(key, object, number, true));
		if (takeover.sameShape()) {
			this.stored.restored(takeover.completed(), takeover.cursors());
		}
		else {
			this.stored.unknown(this.snapshot.versions());
			this.stored.completed(takeover.completed());
		}
		return takeover;
	}

	/** While what is stored is not to be used, another process may become the writer. */
	private Restored<T> readToTakeOver(PersistentMap<ResourceKey, T> present) {
		try {
			return ofThisServer(this.loader.read(), present);
		}
		catch (SnapshotMismatchException ex) {
			this.snapshot.close();
			this.status.writing(false);
			throw ex;
		}
	}

	private BiPredicate<T, T> same(boolean sameShape) {
		return sameShape ? (one, other) -> version(one).equals(version(other)) : this::hasSameContent;
	}

	private String version(T object) {
		return OpenSnapshot.version(this.accessor.uid(object), this.accessor.resourceVersion(object));
	}

	/**
	 * Whether two objects have the same content: as they are stored, if not by equals.
	 */
	public boolean hasSameContent(T one, T other) {
		return one.equals(other) || this.snapshot.isWrittenAs(one, other);
	}

	private Restored<T> ofThisServer(Restored<T> restored, PersistentMap<ResourceKey, T> present) {
		String reason = restored.found()
				? this.comparison.with(this.loader.server(), restored.objects(), restored.announced(), present) : null;
		return (reason == null) ? restored : this.loader.useless(reason, null);
	}

	/**
	 * Whether an application of another name writes the snapshot, which is then waited
	 * for. Called on the thread of the store, when another process is the writer.
	 */
	boolean waitsForOther() {
		String other = this.snapshot.otherApplication();
		this.status.heldBy(other);
		if (other != null) {
			this.duty.waitForOther();
			this.other.waits(other, this.options.application(), this.options.store().location());
		}
		return other != null;
	}

	/** Has read what is stored, and is its writer. */
	void continuesFrom(SnapshotHeader stored) {
		if (this.status.isWriting() && OtherApplication.isOther(stored.application(), this.options.application())) {
			this.other.hasGone(stored.application(), this.options.application(), this.options.store().location());
		}
	}

	/**
	 * Gives up the claim if that is due, so that another replica can take over.
	 * @return completes when that is done
	 */
	public CompletableFuture<Void> handOver() {
		return handingOver().done();
	}

	StoreThread.Call<Boolean> handingOver() {
		return this.snapshot.call(() -> {
			if (this.duty.state() == Duty.State.HANDING_OVER) {
				this.snapshot.close();
				this.status.standsBy();
				this.duty.hasHandedOver();
			}
			return true;
		});
	}

	/**
	 * The mirror has been filled with what was restored.
	 * @param restored what was restored
	 * @param objects the mirror
	 */
	public void filled(Restored<T> restored, PersistentMap<ResourceKey, T> objects) {
		this.filled = true;
		// the objects are in the mirror now
		this.unfinished = restored.withoutObjects();
		this.announced.addAll(restored.announced(), restored.cursors());
		this.stored.announcements().restored(restored.announced());
		if (restored.sameShape()) {
			this.stored.restored(objects, restored.cursors());
		}
		else {
			// all objects are written again, in the present shape
			Map<ResourceKey, String> versions = new HashMap<>();
			objects.forEach((key, object) -> versions.put(key, ""));
			unread().keySet().forEach((key) -> versions.put(key, ""));
			this.stored.unknown(new OpenSnapshot.StoredVersions(versions, false, Map.of()));
			this.stored.completed(objects);
		}
	}

	/** Whether the mirror has been filled, in this run or in an earlier one. */
	public boolean isFilled() {
		return this.filled;
	}

	/**
	 * The mirror has been emptied, because the snapshot is of another server.
	 * @param objects the empty mirror
	 */
	public void emptied(PersistentMap<ResourceKey, T> objects) {
		this.unfinished = null;
		this.snapshot.unknown().restored(Map.of());
		forgetAnnounced();
		this.stored.restored(objects, Map.of());
	}

	private void forgetAnnounced() {
		this.announced.clear();
		this.stored.announcements().clear();
	}

	/**
	 * What an earlier process has announced, and the server has not decided about yet.
	 */
	public AnnouncedObjects<T> announced() {
		return this.announced;
	}

	/**
	 * The objects of the mirror that are not stored in any version.
	 * @param present the objects of the mirror
	 * @return those that are not stored
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
	 * Whether what is stored is of a version.
	 * @param scope the number of the namespace that is followed on its own
	 * @param version the version
	 */
	public boolean isStored(int scope, String version) {
		return this.stored.isAt(scope, version);
	}

	/** Whether a failure has made it uncertain what is stored. */
	public boolean isDoubtful() {
		return this.stored.isDoubtful();
	}

	/** Whether additions are stored before listeners hear of them. */
	public boolean isWrittenAhead() {
		return this.options.writeAhead();
	}

	/**
	 * Whether an object was announced by an earlier process, and its deletion was not
	 * handed out yet.
	 */
	public boolean isUndecided(ResourceKey key) {
		return this.stored.announcements().isOpen(key);
	}

	/** The number of the last batch of which the additions were announced. */
	public long lastAnnounced() {
		return this.stored.announcements().last();
	}

	/** Objects of which listeners may have heard and which no commit covers yet. */
	public Map<ResourceKey, T> uncommitted() {
		return this.stored.announcements().objects();
	}

	/**
	 * The loops of a run begin. Changes that they receive are dropped if the run ends
	 * early, so a later run cannot resume: it lists and compares.
	 */
	public void loopsBegin() {
		Restored<T> restored = this.unfinished;
		if (restored != null) {
			this.unfinished = restored.withoutCursors();
		}
	}

	/** All that has changed since the snapshot was written is in the mirror. */
	public void recovered() {
		this.unfinished = null;
	}

	/** What all handlers have completed, and what some may have heard of since then. */
	public CompletedObjects<T> completed() {
		return new CompletedObjects<>(this.stored.objects(), uncommitted(), unread());
	}

	/** The same, with the instances of the mirror where it has the same. */
	CompletedObjects<T> completed(PersistentMap<ResourceKey, T> present) {
		return new CompletedObjects<>(
				Takeover.aligned(this.stored.objects(), present, same(this.stored.isOneShape(-1))), uncommitted(),
				unread());
	}

	/** Stored objects of which the content cannot be read. */
	Map<ResourceKey, UnknownObject> unread() {
		return this.snapshot.unknown().unread();
	}

	/** The status of the snapshot. */
	public ReflectorStatus.Durability status() {
		return this.status.present();
	}

	/**
	 * Begins to read what is stored, so that the first run finds it read. Must not be
	 * called after that.
	 */
	public void readAhead() {
		this.loader.readAhead();
	}

	/**
	 * Reads what is stored, once. Waits as long as the store cannot be reached.
	 * @param stopping whether to give up
	 * @return what to fill the mirror with and to go on from; again for a later run, as
	 * long as {@link #recovered()} was not called; {@code null} when there is nothing, or
	 * when given up
	 * @throws SnapshotMismatchException when the snapshot is of something else, and that
	 * is to keep the reflector from starting
	 * @throws InterruptedException when the thread is interrupted
	 */
	public @Nullable Restored<T> restore(BooleanSupplier stopping) throws InterruptedException {
		Restored<T> restored = this.read ? null : await(stopping, this.loader::load);
		if (restored != null) {
			this.read = true;
			this.unfinished = restored.found() ? restored : null;
			if (!restored.found()) {
				this.status.empty();
			}
		}
		return this.unfinished;
	}

	/** Uses the store, again and again as long as that fails. */
	private <R> @Nullable R await(BooleanSupplier stopping, Supplier<R> use) throws InterruptedException {
		while (!stopping.getAsBoolean()) {
			try {
				StoreThread.Call<R> call = this.snapshot.call(use);
				if (this.snapshot.await(call, stopping, this::unavailable)) {
					return call.result();
				}
			}
			catch (SnapshotException ex) {
				if (ex instanceof SnapshotMismatchException) {
					this.status.failed(ex);
					// the next start reads it again
					this.read = false;
					this.filled = false;
					this.unfinished = null;
					throw ex;
				}
				unavailable(ex);
				this.snapshot.pause(stopping);
			}
		}
		return null;
	}

	private void unavailable(SnapshotException failure) {
		this.status.failed(failure);
		this.snapshot.log(Level.WARN, "StoreUnavailable")
			.log("Reflector '{}' does not start before its snapshot can be read; retrying every {} s: {}", this.name,
					OpenSnapshot.PAUSE_MILLIS / 1000, PrintableText.of(String.valueOf(failure.getMessage())));
	}

	/**
	 * Waits until the server has said who it is, and compares that with the snapshot.
	 * When its answer does not decide, one list of the server does.
	 * @param objects the restored objects
	 * @param list looks for their uids on the server
	 * @param stopping whether to give up
	 * @return whether the snapshot is of this server, as far as can be told; also when
	 * given up
	 * @throws SnapshotMismatchException when it is not, and that is to keep the reflector
	 * from starting
	 * @throws InterruptedException when the thread is interrupted
	 */
	public boolean isOfThisServer(PersistentMap<ResourceKey, T> objects, ListedUids<T> list, BooleanSupplier stopping)
			throws InterruptedException {
		Map<ResourceKey, T> announced = new HashMap<>();
		this.announced.forEach(announced::put);
		String reason = this.comparison.with(this.loader.server(), objects, announced, list, stopping);
		return reason == null || !isSetAside(reason, stopping);
	}

	private boolean isSetAside(String reason, BooleanSupplier stopping) throws InterruptedException {
		Restored<T> nothing = await(stopping, () -> {
			// another process may have become the writer meanwhile
			if (this.duty.isActive()) {
				this.snapshot.claim();
			}
			return this.loader.useless(reason, null);
		});
		if (nothing != null) {
			this.status.empty();
		}
		return nothing != null;
	}

	/**
	 * Becomes the writer if it is not, and learns what is stored if that is not certain.
	 * @return whether it is the writer
	 * @throws SnapshotException when the store cannot be reached
	 */
	boolean isWriter() {
		if (this.stored.isDoubtful() || !this.status.isWriting()) {
			// a standby that has given up its claim must not take it again
			if (!this.duty.isActive() || !this.snapshot.claim()) {
				return false;
			}
			// read after the claim: from now on no other process changes it
			this.stored.unknown(this.snapshot.versions());
		}
		return true;
	}

	/**
	 * Moves what is stored away. To be called while no run uses it.
	 * @return where it is now, for people
	 * @throws SnapshotException when the store cannot be reached, or another process is
	 * the writer
	 */
	public String reset() {
		if (!this.duty.isActive()) {
			throw new IllegalStateException("the reflector '" + this.name
					+ "' is a standby: its snapshot is reset where it is written, on the replica that leads");
		}
		String where = setAside();
		forgetAnnounced();
		this.stored.restored(PersistentMap.empty(), Map.of());
		this.snapshot.server().forget();
		this.read = true;
		this.unfinished = null;
		this.status.empty();
		this.snapshot.log(Level.INFO, "SnapshotReset")
			.log("Reflector '{}': its snapshot was reset, what was stored is now {}", this.name, where);
		return where;
	}

	/**
	 * Waits for the store, but not for ever: the caller holds the lock of the informer.
	 */
	private String setAside() {
		StoreThread.Call<String> call = this.snapshot.call(() -> {
			this.loader.forget();
			this.snapshot.claim();
			return this.snapshot.setAside("reset");
		});
		try {
			if (!call.await(() -> this.snapshot.isSilent(LONGEST_RESET)) && call.giveUp()) {
				this.stored.doubt();
				throw this.snapshot.silence(LONGEST_RESET);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.stored.doubt();
			throw new SnapshotException("interrupted while the snapshot was set aside", null);
		}
		return call.result();
	}

	/** Gives up the claim for good. Waits for that, unless the store is silent. */
	@Override
	public void close() {
		this.snapshot.end();
	}

}
