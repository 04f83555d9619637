package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The start of a reflector from the snapshot of its mirror. Reads the stored state, waits
 * for the store as long as necessary, and finds out whether the snapshot was taken from
 * the followed server. Starts over after a reset. Not used if the reflector delivers
 * slots, because the snapshots of slots are not restored into the mirror.
 * <p>
 * Used by the thread that writes the mirror, before the loops of a run begin.
 * {@link #reset()} is called while no run is in progress.
 *
 * @param <T> the type of the objects
 */
public final class MirrorStart<T> {

	private static final Duration LONGEST_RESET = Duration.ofSeconds(10);

	private final DurableMirror<T> mirror;

	private final OpenSnapshot<T> snapshot;

	private boolean read;

	private boolean filled;

	/**
	 * Creates the start of a reflector.
	 * @param mirror the durable mirror of the reflector, with its snapshot
	 */
	public MirrorStart(DurableMirror<T> mirror) {
		this.mirror = mirror;
		this.snapshot = mirror.open();
	}

	/** Returns the durable mirror, with its snapshot. */
	public DurableMirror<T> mirror() {
		return this.mirror;
	}

	/**
	 * Notes that the mirror has been filled with a restored state.
	 * @param restored the restored state
	 * @param objects the objects of the mirror
	 */
	public void filled(RestoredState<T> restored, PersistentMap<ResourceKey, T> objects) {
		this.filled = true;
		this.mirror.filled(restored, objects);
	}

	/** Whether the mirror has been filled, in this run or in an earlier one. */
	public boolean isFilled() {
		return this.filled;
	}

	/**
	 * Starts to read the stored state, so that the first run need not wait until it is
	 * read. Must not be called after the first run has begun.
	 */
	public void readAhead() {
		this.mirror.loader().readAhead();
	}

	/**
	 * Returns the stored state. The first run reads it, and waits while the store cannot
	 * be reached. Later runs receive the same state until
	 * {@link DurableMirror#recovered()} is called.
	 * @param stopping returns whether to give up
	 * @return the state to fill the mirror with and to continue from; {@code null} if
	 * nothing is stored, after {@link DurableMirror#recovered()}, or after giving up
	 * @throws SnapshotMismatchException if the stored state cannot be used, and the
	 * options forbid the reflector to start without it
	 * @throws InterruptedException when the thread is interrupted
	 */
	public @Nullable RestoredState<T> restore(BooleanSupplier stopping) throws InterruptedException {
		RestoredState<T> restored = this.read ? null : await(stopping, this.mirror.loader()::load);
		if (restored != null) {
			this.read = true;
			this.mirror.unfinished(restored.found() ? restored : null);
			if (!restored.found()) {
				this.snapshot.status().empty();
			}
		}
		return this.mirror.unfinished();
	}

	/**
	 * Whether a run may resume from the versions at which the previous run ended, without
	 * a list. Asks the server whether it is still the same cluster.
	 * @param cursors the version of each namespace. If all namespaces are followed
	 * together, the only key is the empty string
	 * @param stopping returns whether to give up
	 * @return {@code false} if the options forbid resuming, if stored objects could not
	 * be read, or if the server does not confirm that it is the same cluster
	 * @throws InterruptedException when the thread is interrupted
	 */
	public boolean continues(Map<String, String> cursors, BooleanSupplier stopping) throws InterruptedException {
		if (!this.mirror.isResumed() || stopping.getAsBoolean() || !this.snapshot.server().isUnchanged()) {
			return false;
		}
		this.snapshot.log(Level.INFO, "Continued")
			.log("Reflector '{}' continues from resource version {}, at which it was stopped", this.snapshot.name(),
					PrintableText.of(String.join(", ", cursors.values())));
		return true;
	}

	/**
	 * Uses the store, and tries again until this succeeds. Returns the result, or {@code
	 * null} after giving up.
	 */
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
					this.snapshot.status().failed(ex);
					// the next start reads the stored state again
					this.read = false;
					this.filled = false;
					this.mirror.unfinished(null);
					throw ex;
				}
				unavailable(ex);
				this.snapshot.pause(stopping);
			}
		}
		return null;
	}

	private void unavailable(SnapshotException failure) {
		this.snapshot.status().failed(failure);
		this.snapshot.log(Level.WARN, "StoreUnavailable")
			.log("Reflector '{}' waits for its snapshot, which cannot be read now. Retrying every {} s: {}",
					this.snapshot.name(), OpenSnapshot.PAUSE_MILLIS / 1000,
					PrintableText.of(String.valueOf(failure.getMessage())));
	}

	/**
	 * Waits until the server has answered which cluster it is, and compares the answer
	 * with the snapshot. If the answer is not enough, lists objects to find out.
	 * @param objects the restored objects
	 * @param list looks for the uids of these objects on the server
	 * @param stopping returns whether to give up
	 * @return {@code false} if the snapshot was taken from another server; {@code true}
	 * if not, or after giving up
	 * @throws SnapshotMismatchException if the snapshot was taken from another server,
	 * and the options forbid the reflector to start with it
	 * @throws InterruptedException when the thread is interrupted
	 */
	public boolean isOfThisServer(PersistentMap<ResourceKey, T> objects, Predicate<Set<String>> list,
			BooleanSupplier stopping) throws InterruptedException {
		Map<ResourceKey, T> announced = new HashMap<>();
		this.mirror.announced().forEach(announced::put);
		String reason = this.mirror.comparison()
			.with(this.mirror.loader().server(), objects, announced, list, stopping);
		return reason == null || !isSetAside(reason, stopping);
	}

	private boolean isSetAside(String reason, BooleanSupplier stopping) throws InterruptedException {
		RestoredState<T> nothing = await(stopping, () -> {
			// claims again, because another process may have become the writer in the
			// meantime
			if (this.mirror.role().isActive()) {
				this.snapshot.claim();
			}
			return this.mirror.loader().useless(reason, null);
		});
		if (nothing != null) {
			this.snapshot.status().empty();
		}
		return nothing != null;
	}

	/**
	 * Sets the stored state aside. Must be called while no run uses the snapshot.
	 * @return the new location of the stored state, human-readable
	 * @throws SnapshotException if the store cannot be reached, or another process is the
	 * writer
	 */
	public String reset() {
		if (!this.mirror.role().isActive()) {
			throw new IllegalStateException("the reflector '" + this.snapshot.name()
					+ "' is a standby: reset the snapshot on the replica that leads, which writes it");
		}
		String where = setAside();
		this.mirror.reset();
		this.read = true;
		this.snapshot.log(Level.INFO, "SnapshotReset")
			.log("Reflector '{}': its snapshot was reset. The old one is kept as {}", this.snapshot.name(), where);
		return where;
	}

	/**
	 * Sets the stored state aside. Waits only a limited time for the store, because the
	 * caller holds the lock of the informer.
	 */
	private String setAside() {
		StoreThread.Call<String> call = this.snapshot.call(() -> {
			this.mirror.loader().forget();
			this.snapshot.claim();
			String where = this.snapshot.setAside("reset");
			this.mirror.loader().nameTheWriter();
			return where;
		});
		try {
			if (!call.await(() -> this.snapshot.isSilent(LONGEST_RESET)) && call.giveUp()) {
				this.mirror.stored().doubt();
				throw this.snapshot.silence(LONGEST_RESET);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.mirror.stored().doubt();
			throw new SnapshotException("interrupted while the snapshot was set aside", null);
		}
		return call.result();
	}

}
