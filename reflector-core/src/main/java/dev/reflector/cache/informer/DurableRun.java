package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.snapshot.CompletedStates;
import dev.reflector.cache.internal.snapshot.DurableMirror;
import dev.reflector.cache.internal.snapshot.Restored;
import dev.reflector.cache.internal.snapshot.SnapshotMismatchException;
import dev.reflector.cache.internal.snapshot.SnapshotWriter;
import dev.reflector.cache.internal.store.Indexer;

/**
 * What a run does to keep its mirror durable: fills it before the loops begin, and tells
 * which of its states all listeners have completed.
 *
 * @param <T> the type of the objects
 */
final class DurableRun<T> implements CompletedStates<T> {

	private final DurableMirror<T> durable;

	private final Indexer<T> indexer;

	private final boolean several;

	private final Loops<T> loops;

	private final MirrorWriter<T> mirrorWriter;

	private final Handlers<T> handlers;

	private final BooleanSupplier stopping;

	private final SnapshotWriter<T> snapshotWriter;

	DurableRun(DurableMirror<T> durable, RunSetup<T> setup, Indexer<T> indexer, Loops<T> loops,
			MirrorWriter<T> mirrorWriter, Handlers<T> handlers, BooleanSupplier stopping) {
		this.durable = durable;
		this.indexer = indexer;
		// with one namespace, the mirror has its version under the empty name
		this.several = setup.scopes().size() > 1;
		this.loops = loops;
		this.mirrorWriter = mirrorWriter;
		this.handlers = handlers;
		this.stopping = stopping;
		this.snapshotWriter = new SnapshotWriter<>(durable, this, setup.scopes().size(), setup.loop().accessor(),
				setup.loop().observer(), setup.loop().time());
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
		if (restored == null) {
			return;
		}
		if (!this.durable.isFilled()) {
			this.handlers.write(() -> this.indexer.replace(restored.objects(), List.of(), ""));
			this.durable.filled(restored, this.indexer.objects());
		}
		List<ResourceKey> keys = new ArrayList<>();
		this.indexer.objects().forEach((key, object) -> keys.add(key));
		if (!isOfThisServer(keys)) {
			this.durable.emptied(this.indexer.objects());
			return;
		}
		this.mirrorWriter.recover(this.loops.uncovered(keys), this.durable::recovered);
		this.loops.resumeFrom(restored.cursors());
	}

	private boolean isOfThisServer(List<ResourceKey> keys) throws InterruptedException {
		try {
			if (this.durable.isOfThisServer(this.stopping)) {
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
		this.handlers.write(() -> this.indexer.replace(Map.of(), keys, ""));
	}

	/** The loops begin: what they receive may be lost if the run ends too early. */
	void loopsBegin() {
		this.durable.loopsBegin();
	}

	@Override
	public CompletableFuture<Checkpoint.Content<T>> completed(int scope) {
		CompletableFuture<Checkpoint.Content<T>> completed = new CompletableFuture<>();
		Checkpoint<T> checkpoint = this.mirrorWriter.checkpoint();
		// attached before the mark is set, so this runs on the thread that writes the
		// mirror, while the state is the present one
		checkpoint.content().whenComplete((content, error) -> {
			if (error != null) {
				completed.completeExceptionally(error);
			}
			else {
				this.mirrorWriter.whenHandedOut(() -> passed(content, completed));
			}
		});
		this.loops.mark(scope, checkpoint);
		return completed;
	}

	private void passed(Checkpoint.Content<T> content, CompletableFuture<Checkpoint.Content<T>> completed) {
		if (!this.mirrorWriter.isIntact()) {
			completed.completeExceptionally(new Checkpoint.BusyException());
			return;
		}
		this.handlers.passed().whenComplete((nothing, lost) -> {
			if (lost != null) {
				completed.completeExceptionally(lost);
			}
			else {
				completed.complete(content);
			}
		});
	}

	@Override
	public String version(int scope) {
		String namespace = this.loops.get(scope).namespace();
		return this.indexer.reachedVersion((namespace != null && this.several) ? namespace : "");
	}

	@Override
	public boolean stopping() {
		return this.stopping.getAsBoolean();
	}

}
