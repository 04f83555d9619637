package dev.reflector.cache.informer;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.delivery.Passing;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.snapshot.CompletedState;
import dev.reflector.cache.internal.snapshot.CompletionMarks;
import dev.reflector.cache.internal.snapshot.MarkedStates;
import dev.reflector.cache.internal.snapshot.PartitionSnapshot;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.ResourceVersions;

/**
 * Finds the states of a durable mirror that all handlers have completed.
 * <p>
 * A mark is sent from the loop through the queue to the mirror. When the mark reaches the
 * mirror, the writer of the mirror takes the current map of objects, which contains the
 * state of the loop's namespace at the loop's version. When all earlier changes are in
 * the queues of the handlers, a second mark goes into each of these queues. The state is
 * completed when every handler has returned from all changes before the mark in its
 * queue, and the stage of the handler's {@code completed()} has completed. Several marks
 * may be in progress at the same time ({@link CompletionMarks}). Each mark serves all
 * partitions.
 *
 * @param <T> the type of the objects
 */
final class CompletedMirror<T> implements MarkedStates.Source<CompletedMirror.State<T>> {

	private final DurablePartitions<T> partitions;

	private final DurableRun.Parts<T> parts;

	/**
	 * Whether several namespaces are followed separately. If not, the mirror keeps its
	 * version under the empty string instead of the name of a namespace.
	 */
	private final boolean several;

	CompletedMirror(DurablePartitions<T> partitions, RunSetup<T> setup, DurableRun.Parts<T> parts) {
		this.partitions = partitions;
		this.parts = parts;
		this.several = setup.scopes().size() > 1;
	}

	@Override
	public String version(int scope) {
		String namespace = this.parts.loops().get(scope).namespace();
		return version((namespace != null) ? namespace : "");
	}

	private String version(String namespace) {
		return this.parts.indexer().reachedVersion(this.several ? namespace : "");
	}

	/** Whether the mirror has reached the versions of a stored state. */
	boolean hasReached(Map<String, String> cursors) {
		return cursors.entrySet()
			.stream()
			.noneMatch((cursor) -> ResourceVersions.isGreater(cursor.getValue(), version(cursor.getKey())));
	}

	@Override
	public boolean isStored(int scope, String version) {
		return this.partitions.isStored(scope, version);
	}

	/** Whether the snapshot of a partition must be updated. */
	@Override
	public boolean isBehind(int scope) {
		boolean behind = false;
		for (int partition : this.partitions.begun().keySet()) {
			PartitionSnapshot<T> snapshot = this.partitions.snapshots().find(partition);
			behind |= snapshot == null || snapshot.isBehind(scope, this.partitions.present(partition),
					this.parts.indexer().unknown().keys());
		}
		return behind;
	}

	/**
	 * Sends a mark. The state at the mark will be stored only for partitions whose
	 * handlers have already started.
	 */
	@Override
	public void send(int scope, CompletionMarks<State<T>>.Mark mark) {
		Map<Integer, Long> epochs = this.partitions.begun();
		Checkpoint<T> checkpoint = this.parts.writer().checkpoint();
		// registered before the mark is sent, so that this callback runs on the thread
		// that writes the mirror, while the state is current
		checkpoint.content().whenComplete((content, error) -> {
			if (error != null) {
				mark.state().completeExceptionally(error);
				return;
			}
			mark.inMirror(content.version());
			Map<Integer, Begun> begun = new HashMap<>();
			epochs.forEach((partition, epoch) -> {
				PartitionSnapshot<T> snapshot = this.partitions.snapshots().find(partition);
				if (snapshot != null) {
					begun.put(partition, new Begun(epoch, snapshot.lastAnnounced()));
				}
			});
			State<T> state = new State<>(content.version(), content.objects(), begun,
					this.parts.indexer().unknown().keys());
			this.parts.writer().whenHandedOut(() -> passes(state, mark));
		});
		this.parts.loops().mark(scope, checkpoint);
	}

	private void passes(State<T> state, CompletionMarks<State<T>>.Mark mark) {
		if (!this.parts.writer().isIntact()) {
			mark.state().completeExceptionally(new Checkpoint.BusyException());
			return;
		}
		Passing passing = this.parts.handlers().passed();
		mark.passes(passing.all(), passing::waitedFor, state);
	}

	/**
	 * A state of the mirror. Every handler has completed all changes up to this state.
	 *
	 * @param <T> the type of the objects
	 * @param version the version of the namespace that the mark was sent for
	 * @param objects the objects of all partitions
	 * @param begun the partitions whose handlers had started when the mark was sent, by
	 * number
	 * @param undecided the keys of undecided objects, see {@link CompletedState}
	 */
	record State<T>(String version, PersistentMap<ResourceKey, T> objects, Map<Integer, Begun> begun,
			Set<ResourceKey> undecided) {

	}

	/**
	 * A partition whose handlers had started when a mark was sent.
	 *
	 * @param epoch the epoch in which the partition was delivered
	 * @param mark the number of the last batch of additions that had been announced when
	 * the mirror had the state
	 */
	record Begun(long epoch, long mark) {

	}

}
