package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.Outbox;
import dev.reflector.cache.internal.delivery.Passing;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.snapshot.CompletedState;
import dev.reflector.cache.internal.snapshot.CompletedStates;
import dev.reflector.cache.internal.snapshot.CompletionMarks;
import dev.reflector.cache.internal.snapshot.DurableMirror;
import dev.reflector.cache.internal.snapshot.ListedUids;
import dev.reflector.cache.internal.snapshot.Restored;
import dev.reflector.cache.internal.snapshot.SnapshotMismatchException;
import dev.reflector.cache.internal.snapshot.SnapshotWriter;
import dev.reflector.cache.internal.snapshot.WriteAhead;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * What a run does to keep its mirror durable: fills it before the loops begin, and tells
 * which of its states all listeners have completed.
 *
 * @param <T> the type of the objects
 */
final class DurableRun<T> implements CompletedStates<T> {

	private final DurableMirror<T> durable;

	private final Parts<T> parts;

	private final Indexer<T> indexer;

	private final boolean several;

	private final Loops<T> loops;

	private final MirrorWriter<T> mirrorWriter;

	private final Handlers<T> handlers;

	private final ListedUids<T> listedUids;

	private final BooleanSupplier stopping;

	private final WriteAhead<T> writeAhead;

	private final SnapshotWriter<T> snapshotWriter;

	/**
	 * Creates what keeps the mirror of a run durable.
	 * @param durable the snapshot
	 * @param setup of the run
	 * @param parts of the run
	 * @param stopping whether the run ends, after a last commit
	 */
	DurableRun(DurableMirror<T> durable, RunSetup<T> setup, Parts<T> parts, BooleanSupplier stopping) {
		this.durable = durable;
		this.parts = parts;
		this.indexer = parts.indexer();
		// with one namespace, the mirror has its version under the empty name
		this.several = setup.scopes().size() > 1;
		this.loops = parts.loops();
		this.mirrorWriter = parts.writer();
		this.mirrorWriter.compareBy(durable::hasSameContent);
		this.handlers = parts.handlers();
		this.listedUids = new ListedUids<>(setup.loop().listerWatcher(), setup.loop().accessor(), setup.scopes());
		this.stopping = stopping;
		this.writeAhead = new WriteAhead<>(durable, setup.loop().observer(), setup.loop().time());
		this.snapshotWriter = new SnapshotWriter<>(durable, this, setup.scopes().size(), setup.loop().observer(),
				setup.loop().time());
	}

	/** The task of the thread that writes the snapshot. */
	SnapshotWriter<T> writer() {
		return this.snapshotWriter;
	}

	/**
	 * Fills the mirror, in the first run that gets that far, and prepares the loops to
	 * find what has changed since. As long as no run has found all of that, the next one
	 * does the same. Called on the thread that writes the mirror, before the loops begin.
	 * @throws InterruptedException when the thread is interrupted
	 */
	void restore() throws InterruptedException {
		Restored<T> restored = this.durable.restore(this.stopping);
		if (!this.durable.duty().isActive()) {
			// at the latest now, when another application delivers
			this.handlers.standBy();
		}
		if (restored == null) {
			return;
		}
		if (!this.durable.isFilled()) {
			this.handlers.write(() -> {
				this.indexer.fill(restored.objects());
				this.indexer.unknown().addAll(restored.unknown());
			});
			this.durable.filled(restored, this.indexer.objects());
		}
		List<ResourceKey> keys = new ArrayList<>();
		this.indexer.objects().forEach((key, object) -> keys.add(key));
		this.durable.announced().forEach((key, object) -> keys.add(key));
		this.indexer.unknown().forEach((key, object) -> keys.add(key));
		if (!isOfThisServer(keys)) {
			this.durable.emptied(this.indexer.objects());
			return;
		}
		this.mirrorWriter.recover(this.loops.uncovered(keys), this.durable::recovered);
		this.loops.resumeFrom(restored.cursors());
	}

	private boolean isOfThisServer(List<ResourceKey> keys) throws InterruptedException {
		try {
			if (this.durable.isOfThisServer(this.indexer.objects(), this.listedUids, this.stopping)) {
				return true;
			}
		}
		catch (SnapshotMismatchException ex) {
			empty(keys);
			throw ex;
		}
		empty(keys);
		return false;
	}

	private void empty(List<ResourceKey> keys) {
		this.handlers.write(() -> {
			this.indexer.replace(Map.of(), keys, "");
			this.indexer.unknown().clear();
		});
	}

	/** The loops begin: what they receive may be lost if the run ends too early. */
	void loopsBegin() {
		this.durable.loopsBegin();
		if (this.durable.isWrittenAhead()) {
			this.mirrorWriter.beforeHandOut(this::announce);
		}
	}

	/** Stores additions before listeners hear of them. */
	private void announce(Outbox<T> outbox) {
		Map<ResourceKey, T> additions = new LinkedHashMap<>();
		Map<ResourceKey, T> deletions = new LinkedHashMap<>();
		outbox.forEach(additions::put, (change) -> {
			if (change.type() == Change.Type.ADDED) {
				additions.put(change.key(), change.object());
			}
			else if (change.type() == Change.Type.DELETED && this.durable.isUndecided(change.key())) {
				deletions.put(change.key(), change.object());
			}
		});
		if (!additions.isEmpty() || !deletions.isEmpty()) {
			try {
				this.writeAhead.announce(additions, deletions, this.stopping);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void send(int scope, CompletionMarks<CompletedState<T>>.Mark mark) {
		Checkpoint<T> checkpoint = this.mirrorWriter.checkpoint();
		// attached before the mark is set, so this runs on the thread that writes the
		// mirror, while the state is the current one
		checkpoint.content().whenComplete((content, error) -> {
			if (error != null) {
				mark.state().completeExceptionally(error);
			}
			else {
				mark.inMirror(content.version());
				CompletedState<T> state = new CompletedState<>(content.version(), content.objects(),
						this.durable.lastAnnounced(), this.indexer.unknown().keys());
				this.mirrorWriter.whenHandedOut(() -> passes(state, mark));
			}
		});
		this.loops.mark(scope, checkpoint);
	}

	private void passes(CompletedState<T> state, CompletionMarks<CompletedState<T>>.Mark mark) {
		if (!this.mirrorWriter.isIntact()) {
			mark.state().completeExceptionally(new Checkpoint.BusyException());
			return;
		}
		Passing passing = this.handlers.passed();
		mark.passes(passing.all(), passing::waitedFor, state);
	}

	@Override
	public String version(int scope) {
		return version(this.parts, scope, this.several);
	}

	/**
	 * The version that a mirror has reached.
	 * @param parts of the run
	 * @param scope the number of the namespace that is followed on its own
	 * @param several whether there is more than one such namespace
	 */
	static String version(Parts<?> parts, int scope, boolean several) {
		String namespace = parts.loops().get(scope).namespace();
		return parts.indexer().reachedVersion((namespace != null && several) ? namespace : "");
	}

	@Override
	public boolean isStored(int scope, String version) {
		return this.durable.isStored(scope, version);
	}

	@Override
	public boolean isBehind(int scope) {
		return true;
	}

	@Override
	public boolean synced() {
		return this.handlers.hasSynced();
	}

	@Override
	public boolean hasReached(Map<String, String> cursors) {
		return hasReached(cursors, this.indexer, this.several);
	}

	/**
	 * Whether a mirror has reached a stored state.
	 * @param cursors the versions of that state, by namespace that is followed on its own
	 * @param indexer the mirror
	 * @param several whether there is more than one such namespace
	 */
	static boolean hasReached(Map<String, String> cursors, Indexer<?> indexer, boolean several) {
		return cursors.entrySet()
			.stream()
			.noneMatch((cursor) -> ResourceVersions.isGreater(cursor.getValue(),
					indexer.reachedVersion(several ? cursor.getKey() : "")));
	}

	@Override
	public PersistentMap<ResourceKey, T> objects() {
		return this.indexer.objects();
	}

	@Override
	public void deliver(@Nullable CompletedObjects<T> completed) throws InterruptedException {
		boolean begun = false;
		while (!begun && this.durable.duty().isActive() && !stopping()) {
			Map<ResourceKey, T> additions = unstored();
			if (!additions.isEmpty()) {
				this.writeAhead.announce(additions, Map.of(), this.stopping);
			}
			// the mirror may have got another object meanwhile
			begun = this.handlers.takeOver(completed, () -> this.durable.duty().isActive() && unstored().isEmpty());
		}
	}

	/**
	 * What is still to be stored: nothing while the store fails, or has another writer.
	 */
	private Map<ResourceKey, T> unstored() {
		boolean ahead = this.durable.isWrittenAhead() && !this.durable.isDoubtful() && this.durable.status().writing();
		return ahead ? this.durable.unstored(this.indexer.objects()) : Map.of();
	}

	@Override
	public void standBy() {
		this.handlers.standBy();
	}

	@Override
	public boolean stopping() {
		return this.stopping.getAsBoolean();
	}

	/**
	 * The parts of a run that a durable mirror has to do with.
	 *
	 * @param <T> the type of the objects
	 * @param indexer the mirror
	 * @param loops follow the server
	 * @param writer writes the mirror
	 * @param handlers the listeners
	 */
	record Parts<T>(Indexer<T> indexer, Loops<T> loops, MirrorWriter<T> writer, Handlers<T> handlers) {

	}

}
