package dev.reflector.console;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.actuate.endpoint.ReflectorDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The status of a reflector, as it is sent to the web page. Values that the endpoint also
 * reports have the same names as in the endpoint. Times are in milliseconds.
 */
record Summary(String name, String resource, String kind, @Nullable List<String> namespaces, String labelSelector,
		String fieldSelector, ReflectorState state, @Nullable String awaitedType, boolean standby, boolean synced,
		boolean connected, boolean fresh, int size, int skipped, String lastSyncResourceVersion,
		@Nullable Long lastListAt, @Nullable Long lastEventAt, @Nullable Long lastContactAt,
		@Nullable Long failingSince, @Nullable Long nextAttemptAt, int queueDepth, ReflectorStatus.Counts counts,
		@Nullable String failure, @Nullable Busy busyListener, List<HandlerCounts.View> listeners,
		@Nullable SnapshotView snapshot, ReflectorStatus.@Nullable Shard shards, @Nullable Leader leader,
		List<Part> scopes, List<String> operations, long revision) {

	static Summary of(ReflectorDescriptor descriptor, List<HandlerCounts.View> listeners, @Nullable Leader leader,
			boolean writes) {
		ReflectorDescriptor.ResourceDescriptor resource = descriptor.resource();
		ReflectorStatus.Counts counts = descriptor.counts();
		ReflectorStatus.BusyListener busy = descriptor.busyListener();
		String plural = (resource.plural() != null) ? resource.plural() : resource.kind();
		return new Summary(descriptor.name(),
				plural + (resource.group().isEmpty() ? "" : "." + resource.group()) + "/" + resource.version(),
				resource.kind(), resource.namespaces().isEmpty() ? null : resource.namespaces(),
				resource.labelSelector(), resource.fieldSelector(), descriptor.state(), descriptor.awaitedType(),
				descriptor.standby(), descriptor.synced(), descriptor.connected(),
				descriptor.synced() && descriptor.connected() && descriptor.failingSince() == null
						&& descriptor.deliveryStopped() == null,
				descriptor.size(), descriptor.skipped(), descriptor.lastSyncResourceVersion(),
				millis(descriptor.lastListAt()), millis(descriptor.lastEventAt()), millis(descriptor.lastProgressAt()),
				millis(descriptor.failingSince()), millis(descriptor.nextAttemptAt()), descriptor.queueDepth(), counts,
				failure(descriptor),
				(busy != null) ? new Busy(busy.name(), busy.subject(), busy.since().toEpochMilli()) : null, listeners,
				snapshot(descriptor.snapshot()), descriptor.shard(), leader,
				descriptor.scopes()
					.stream()
					.map((scope) -> new Part(scope.namespace(), scope.state(), scope.connected(),
							scope.lastSyncResourceVersion()))
					.toList(),
				writes ? Operation.of(descriptor) : List.of(), revision(counts));
	}

	static long revision(ReflectorStatus.Counts counts) {
		return counts.added() + counts.updated() + counts.deleted();
	}

	/**
	 * Returns why requests fail. If they do not fail, returns why the delivery to a
	 * listener has stopped.
	 */
	private static @Nullable String failure(ReflectorDescriptor descriptor) {
		ReflectorStatus.LastError error = (descriptor.failingSince() != null) ? descriptor.lastError()
				: descriptor.deliveryStopped();
		if (error == null) {
			return null;
		}
		return ((error.status() != 0) ? error.status() + " " : "") + error.reason() + ": " + error.message();
	}

	private static @Nullable SnapshotView snapshot(ReflectorStatus.@Nullable Durability snapshot) {
		if (snapshot == null) {
			return null;
		}
		ReflectorStatus.LastError error = snapshot.lastError();
		return new SnapshotView(snapshot.location(), snapshot.writing(), snapshot.restored(), snapshot.size(),
				snapshot.cursors(), millis(snapshot.committedAt()), millis(snapshot.behindSince()),
				(error != null) ? error.message() : null);
	}

	private static @Nullable Long millis(@Nullable Instant at) {
		return (at != null) ? at.toEpochMilli() : null;
	}

	/** A listener whose current call takes long. */
	record Busy(String name, String subject, long since) {

	}

	/** State of the snapshot of a durable mirror. */
	record SnapshotView(String location, boolean writing, int restored, int size, Map<String, String> cursors,
			@Nullable Long committedAt, @Nullable Long behindSince, @Nullable String failure) {

	}

	/** The leader election of the replicas. */
	record Leader(String lease, String identity, String leader, boolean leads) {

	}

	/** A namespace that is listed and watched separately. */
	record Part(@Nullable String namespace, ReflectorState state, boolean connected, String lastSyncResourceVersion) {

	}

}
