package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The start of a reflector from the snapshot of its mirror: reads what is stored, waits
 * for the store as long as necessary, and finds out whether the snapshot is of the server
 * that is followed. After a reset it begins again. Slots have no such start, because
 * nothing is restored from their snapshots.
 * <p>
 * Used by the thread that writes the mirror, before the loops of a run begin, and
 * {@link #reset()} while no run continues.
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
	 * @param mirror the snapshot of the reflector
	 */
	public MirrorStart(DurableMirror<T> mirror) {
		this.mirror = mirror;
		this.snapshot = mirror.open();
	}

	/** The snapshot. */
	public DurableMirror<T> mirror() {
		return this.mirror;
	}

	/**
	 * Notes that the mirror has been filled with the restored state.
	 * @param restored what was restored
	 * @param objects the mirror
	 */
	public void filled(Restored<T> restored, PersistentMap<ResourceKey, T> objects) {
		this.filled = true;
		this.mirror.filled(restored, objects);
	}

	/** Whether the mirror has been filled, in this run or in an earlier one. */
	public boolean isFilled() {
		return this.filled;
	}

	/**
	 * Begins to read what is stored, so that the first run finds it read. Must not be
	 * called after that.
	 */
	public void readAhead() {
		this.mirror.loader().readAhead();
	}

	/**
	 * Reads what is stored, once. Waits as long as the store cannot be reached.
	 * @param stopping whether to give up
	 * @return the state with which to fill the mirror and from which to continue; the
	 * same for a later run, as long as {@link DurableMirror#recovered()} was not called;
	 * {@code null} when nothing is stored, or when given up
	 * @throws SnapshotMismatchException when the snapshot does not fit the reflector and
	 * the options say not to start then
	 * @throws InterruptedException when the thread is interrupted
	 */
	public @Nullable Restored<T> restore(BooleanSupplier stopping) throws InterruptedException {
		Restored<T> restored = this.read ? null : await(stopping, this.mirror.loader()::load);
		if (restored != null) {
			this.read = true;
			this.mirror.unfinished(restored.found() ? restored : null);
			if (!restored.found()) {
				this.snapshot.status().empty();
			}
		}
		return this.mirror.unfinished();
	}

	/** Uses the store, and repeats that as long as it fails. */
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
					// the next start reads it again
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
	 * Waits until the server has said which cluster it is, and compares that with the
	 * snapshot. If its answer does not decide, a list of the server does.
	 * @param objects the restored objects
	 * @param list looks for the uids of the objects on the server
	 * @param stopping whether to give up
	 * @return whether the snapshot is of this server, as far as is known; also when given
	 * up
	 * @throws SnapshotMismatchException when the snapshot is of another server and the
	 * options say not to start then
	 * @throws InterruptedException when the thread is interrupted
	 */
	public boolean isOfThisServer(PersistentMap<ResourceKey, T> objects, ListedUids<T> list, BooleanSupplier stopping)
			throws InterruptedException {
		Map<ResourceKey, T> announced = new HashMap<>();
		this.mirror.announced().forEach(announced::put);
		String reason = this.mirror.comparison()
			.with(this.mirror.loader().server(), objects, announced, list, stopping);
		return reason == null || !isSetAside(reason, stopping);
	}

	private boolean isSetAside(String reason, BooleanSupplier stopping) throws InterruptedException {
		Restored<T> nothing = await(stopping, () -> {
			// another process may have become the writer since
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
	 * Moves the stored state away. Call it while no run uses that state.
	 * @return where the state is now, human-readable
	 * @throws SnapshotException when the store cannot be reached, or another process is
	 * the writer
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
	 * Sets the stored state aside. Waits for the store for a limited time only, because
	 * the caller holds the lock of the informer.
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
