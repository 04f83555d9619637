package dev.reflector.cache.internal.snapshot;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.snapshot.SnapshotRules.Use;
import dev.reflector.cache.internal.snapshot.SnapshotRules.Verdict;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.StoredObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Reads the stored state and decides whether a watch can be resumed from it. Reads at the
 * start of the first run, or earlier, while the application is still starting. Reads on
 * the thread of the store.
 * <p>
 * A state that was read early is used only if no other process can have changed the
 * stored state since then, because this process was the writer all the time. Otherwise,
 * or if the early reading has failed, the state is read at the start of the run. A
 * standby does not become the writer, so the state that it has read may be slightly
 * outdated. It reads again when it takes over.
 *
 * @param <T> the type of the objects
 */
final class SnapshotLoader<T> {

	private final String name;

	private final SnapshotOptions<T> options;

	private final OpenSnapshot<T> snapshot;

	private final DurabilityStatus status;

	private final DurableMirror<T> mirror;

	/**
	 * The call that reads the stored state early, or {@code null} if there is none. The
	 * call completes with {@code null} if another process is the writer.
	 */
	private StoreThread.@Nullable Call<@Nullable RestoredState<T>> ahead;

	/** The cluster of the stored state. */
	private volatile String server = "";

	SnapshotLoader(String name, SnapshotOptions<T> options, OpenSnapshot<T> snapshot, DurabilityStatus status,
			DurableMirror<T> mirror) {
		this.name = name;
		this.options = options;
		this.snapshot = snapshot;
		this.status = status;
		this.mirror = mirror;
	}

	/** Whether this process may become the writer. A standby must not. */
	private boolean mayClaim() {
		return this.mirror.role().isActive();
	}

	/**
	 * Returns the cluster that the stored state was taken from; the cluster is unknown if
	 * nothing was read.
	 */
	ServerName server() {
		return ServerName.of(this.server);
	}

	/**
	 * Starts to read the stored state early. Does nothing if a state was already read
	 * early and has not been used yet.
	 */
	synchronized void readAhead() {
		if (this.ahead == null) {
			this.ahead = this.snapshot.call(() -> (!mayClaim() || this.snapshot.claim()) ? read() : null);
		}
	}

	/**
	 * Reads the stored state, or uses the state that was read early.
	 * @return the state to fill the mirror with
	 * @throws SnapshotMismatchException if the stored state cannot be used, and the
	 * options forbid the reflector to start without it
	 * @throws SnapshotException if the store cannot be reached
	 */
	RestoredState<T> load() {
		RestoredState<T> ready = forget();
		boolean alone = !mayClaim() || this.snapshot.claim();
		if (ready != null && alone) {
			return ready;
		}
		if (!alone && this.mirror.waitsForOther()) {
			// not read now: this process reads the stored state when it takes over
			return RestoredState.nothing();
		}
		if (!alone) {
			this.snapshot.log(Level.INFO, "NotWriter")
				.log("Reflector '{}': another process writes its snapshot in {}. This process only reads it, "
						+ "and takes over when the other has ended", this.name, this.options.store().location());
		}
		return read();
	}

	/**
	 * Returns and forgets the state that was read early, or returns {@code null} if there
	 * is none. Must be called on the thread of the store, so that no early reading is in
	 * progress.
	 */
	synchronized @Nullable RestoredState<T> forget() {
		StoreThread.Call<@Nullable RestoredState<T>> ahead = this.ahead;
		this.ahead = null;
		try {
			return (ahead != null) ? ahead.result() : null;
		}
		catch (RuntimeException ex) {
			// the state is read again, and the failure is reported then
			return null;
		}
	}

	/** Reads the stored state. */
	RestoredState<T> read() {
		Reading reading = new Reading();
		try {
			if (!this.snapshot.load(reading)) {
				this.snapshot.log(Level.INFO, "NoSnapshot")
					.log("Reflector '{}': there is no snapshot in {} yet", this.name, this.options.store().location());
				return nothing();
			}
			return reading.restored();
		}
		catch (SnapshotCorruptException ex) {
			return useless("it is damaged: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Reads the versions of the stored objects while the reflector runs. Sets a damaged
	 * state aside. The writer then stores the state that it has in memory.
	 * @return the versions, none after damage
	 * @throws SnapshotCorruptException if the stored state is damaged, and the options
	 * forbid to set it aside
	 */
	OpenSnapshot.StoredVersions versions() {
		try {
			return this.snapshot.versions();
		}
		catch (SnapshotCorruptException ex) {
			if (this.options.onMismatch() == SnapshotOptions.OnMismatch.FAIL) {
				throw ex;
			}
			UnknownContents unknown = this.snapshot.unknown();
			Map<ResourceKey, UnknownObject> unread = unknown.unread();
			String where = this.snapshot.setAside("it is damaged: " + ex.getMessage());
			unknown.restored(unread);
			unknown.readAgain(Set.of(), Set.of());
			this.snapshot.log(Level.WARN, "SnapshotDamaged")
				.setCause(ex)
				.log("Reflector '{}': its snapshot in {} is damaged: {}; it is set aside as {}. Everything is stored "
						+ "again. Until that is done, a crash can lose deletions", this.name,
						this.options.store().location(), PrintableText.of(String.valueOf(ex.getMessage())), where);
			return new OpenSnapshot.StoredVersions(Map.of(), true, Map.of());
		}
	}

	/**
	 * Sets the stored state aside, if this process is the writer.
	 * @param reason why the state cannot be used
	 * @param cause the failure to read the state, or {@code null} if it was read
	 * @return an empty state
	 * @throws SnapshotMismatchException if the options forbid the reflector to start
	 * without a usable state
	 */
	RestoredState<T> useless(String reason, @Nullable Throwable cause) {
		if (this.options.onMismatch() == SnapshotOptions.OnMismatch.FAIL) {
			throw new SnapshotMismatchException(this.name, this.options.store().location(), reason);
		}
		String where = this.status.isWriting() ? "it is set aside as " + this.snapshot.setAside(reason)
				: "the process that writes it must set it aside";
		this.snapshot.log(Level.WARN, "SnapshotUseless")
			.setCause(cause)
			.log("Reflector '{}': its snapshot in {} cannot be used: {}; {}. All objects are listed and "
					+ "delivered as added. Deletions since the snapshot was written are not delivered", this.name,
					this.options.store().location(), PrintableText.of(reason), where);
		return nothing();
	}

	private RestoredState<T> nothing() {
		if (this.status.isWriting()) {
			nameTheWriter();
		}
		return RestoredState.nothing();
	}

	/**
	 * Stores the name of this application, so that other applications wait. Called while
	 * nothing else is stored.
	 */
	void nameTheWriter() {
		if (!this.options.application().isEmpty()) {
			this.snapshot.commit(List.of(), List.of(), Map.of(), true);
		}
	}

	/** Collects the objects of the stored state, if the state can be used. */
	private final class Reading implements SnapshotReader {

		private StoredObjectDecoder<T> decoder = newDecoder();

		private Verdict verdict = new Verdict(Use.NONE, "");

		private @Nullable SnapshotHead head;

		@Override
		public boolean head(SnapshotHead head) {
			this.decoder = newDecoder();
			this.head = head;
			this.verdict = SnapshotRules.of(head.header(), SnapshotLoader.this.snapshot.header());
			return this.verdict.use() != Use.NONE;
		}

		@Override
		public void object(StoredObject object) {
			this.decoder.add(object);
		}

		private StoredObjectDecoder<T> newDecoder() {
			return new StoredObjectDecoder<>(SnapshotLoader.this.options.codec(),
					SnapshotLoader.this.snapshot.accessor());
		}

		RestoredState<T> restored() {
			SnapshotHead head = Objects.requireNonNull(this.head);
			SnapshotOptions<T> options = SnapshotLoader.this.options;
			if (this.verdict.use() == Use.NONE) {
				return useless(this.verdict.reason(), null);
			}
			StoredObjectDecoder.Objects<T> decoded = this.decoder.finish();
			int size = decoded.objects().size();
			int unknown = decoded.unknown().size();
			SnapshotLoader.this.server = head.header().server();
			SnapshotLoader.this.mirror.continuesFrom(head.header());
			SnapshotLoader.this.snapshot.unknown().restored(decoded.unknown());
			SnapshotLoader.this.status.restored(size, unknown, head);
			boolean resume = this.verdict.use() == Use.RESUME && options.resume() && unknown == 0;
			Map<String, String> cursors = resume ? head.cursors() : Map.of();
			String how = !cursors.isEmpty()
					? "continues from resource version " + PrintableText.of(String.join(", ", cursors.values()))
					: "is compared with a list" + (this.verdict.reason().isEmpty() ? "" : ", " + this.verdict.reason());
			SnapshotLoader.this.snapshot.log(Level.INFO, "Restored")
				.log("Reflector '{}': restored {} objects of {} from {}, and {}", SnapshotLoader.this.name, size,
						head.committedAt(), options.store().location(), how);
			if (unknown > 0) {
				unknown(unknown, decoded.reason());
			}
			if (size + unknown == 0 && decoded.announced().isEmpty() && head.cursors().isEmpty()) {
				// nothing is stored but the name of the writer
				return RestoredState.nothing();
			}
			return new RestoredState<>(true, decoded.objects(), decoded.announced(), decoded.unknown(), cursors,
					head.cursors(), head.header().shape().equals(SnapshotLoader.this.snapshot.header().shape()));
		}

		private void unknown(int count, @Nullable String reason) {
			SnapshotLoader.this.snapshot.log((reason != null) ? Level.WARN : Level.INFO, "ContentUnknown")
				.log("Reflector '{}': the content of {} stored objects is unknown{}. All objects are listed, "
						+ "and if one of them was deleted, its deletion is delivered without content",
						SnapshotLoader.this.name, count,
						(reason != null) ? ", because it cannot be read. The first is " + PrintableText.of(reason)
								: ", because it could not be written");
		}

	}

}
