package dev.reflector.actuate.endpoint;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ReflectorStatus.BusyListener;
import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.ReflectorStatus.Shard;
import dev.reflector.ReflectorStatus.Skipped;
import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Report of the {@link ReflectorsEndpoint} on one reflector. The JSON always has a key
 * for each component.
 *
 * @param name name of the reflector
 * @param resource the mirrored collection
 * @param state its current state
 * @param awaitedType the type that the server does not serve yet, if it waits for one
 * @param lastSyncResourceVersion version up to which it has followed the collection
 * @param standby whether its listeners receive nothing, because another replica delivers
 * @param synced whether the mirror has been filled
 * @param connected whether the server has answered and no request has failed since
 * @param size number of objects in the mirror
 * @param skipped number of objects whose current version is not in the mirror
 * @param skippedObjects at most twenty of these objects, with as many different reasons
 * as possible
 * @param queueDepth number of changes received but not yet handed to every listener
 * @param counts numbers of lists, watches, events and errors since the start
 * @param lastListAt when the last complete list was received
 * @param lastEventAt when the last event of a watch was received
 * @param lastProgressAt when the server last sent a version of the collection
 * @param failingSince since when every attempt has failed
 * @param nextAttemptAt when the next attempt after a failure is due
 * @param lastError the most recent error
 * @param deliveryStopped the failure that stopped the delivery to a listener until the
 * reflector is resumed or started again
 * @param busyListener the listener whose call has been running longest, if it exceeds the
 * threshold for slow listeners
 * @param snapshot the snapshot of a durable mirror
 * @param shard the share of the collection, when replicas divide it
 * @param scopes one part for each namespace that is mirrored separately
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ReflectorDescriptor(String name, ResourceDescriptor resource, ReflectorState state,
		@Nullable String awaitedType, String lastSyncResourceVersion, boolean standby, boolean synced,
		boolean connected, int size, int skipped, List<Skipped> skippedObjects, int queueDepth,
		ReflectorStatus.Counts counts, @Nullable Instant lastListAt, @Nullable Instant lastEventAt,
		@Nullable Instant lastProgressAt, @Nullable Instant failingSince, @Nullable Instant nextAttemptAt,
		@Nullable LastError lastError, @Nullable LastError deliveryStopped, @Nullable BusyListener busyListener,
		@Nullable Durability snapshot, @Nullable Shard shard,
		List<PartDescriptor> scopes) implements OperationResponseBody {

	static ReflectorDescriptor of(Reflector<?> reflector, ValueSanitizer sanitizer) {
		ReflectorStatus status = reflector.status();
		ReflectorStatus.Contact contact = status.contact();
		return new ReflectorDescriptor(reflector.name(), ResourceDescriptor.of(reflector), status.state(),
				(status.state() == ReflectorState.AWAITING_TYPE) ? reflector.resourceType().toString() : null,
				sanitizer.version(status.lastSyncResourceVersion()), reflector.isStandby(), status.synced(),
				contact.connected(), status.size(), status.skipped(), skipped(reflector, sanitizer),
				status.queueDepth(), status.counts(), status.lastListAt(), status.lastEventAt(),
				contact.lastProgressAt(), status.failingSince(), contact.nextAttemptAt(),
				error(status.lastError(), sanitizer), error(status.deliveryStopped(), sanitizer),
				listener(status.busyListener(), sanitizer), snapshot(reflector.durability(), sanitizer),
				reflector.shard(),
				contact.scopes().stream().map((scope) -> PartDescriptor.of(scope, sanitizer)).toList());
	}

	private static List<Skipped> skipped(Reflector<?> reflector, ValueSanitizer sanitizer) {
		return reflector.skippedObjects()
			.stream()
			.map((skipped) -> new Skipped(sanitizer.object(skipped.object()),
					sanitizer.version(skipped.resourceVersion()), sanitizer.message(skipped.reason())))
			.toList();
	}

	private static @Nullable LastError error(@Nullable LastError error, ValueSanitizer sanitizer) {
		return (error != null) ? new LastError(error.at(), error.status(), sanitizer.reason(error.reason()),
				sanitizer.message(error.message())) : null;
	}

	private static @Nullable Durability snapshot(@Nullable Durability snapshot, ValueSanitizer sanitizer) {
		return (snapshot != null) ? new Durability(snapshot.location(), snapshot.writing(), snapshot.restored(),
				snapshot.size(), snapshot.contentUnknown(), versions(snapshot.cursors(), sanitizer),
				snapshot.committedAt(), snapshot.commitTook(), snapshot.behindSince(),
				error(snapshot.lastError(), sanitizer), snapshot.heldBy(), snapshot.slowestListener()) : null;
	}

	private static Map<String, String> versions(Map<String, String> versions, ValueSanitizer sanitizer) {
		Map<String, String> shown = new LinkedHashMap<>();
		versions.forEach((scope, version) -> shown.put(scope, sanitizer.version(version)));
		return shown;
	}

	private static @Nullable BusyListener listener(@Nullable BusyListener listener, ValueSanitizer sanitizer) {
		return (listener != null)
				? new BusyListener(listener.name(), sanitizer.object(listener.subject()), listener.since()) : null;
	}

	/**
	 * A part of the mirror that is listed and watched separately.
	 *
	 * @param namespace the namespace, {@code null} for all
	 * @param state state of the reflector for this namespace
	 * @param connected whether the server has answered and nothing has failed since
	 * @param lastSyncResourceVersion version up to which the reflector has followed it
	 * @param lastProgressAt when the server last sent a version of the collection
	 * @param failingSince since when every attempt has failed
	 * @param nextAttemptAt when the next attempt after a failure is due
	 * @param lastError the most recent error
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record PartDescriptor(@Nullable String namespace, ReflectorState state, boolean connected,
			String lastSyncResourceVersion, @Nullable Instant lastProgressAt, @Nullable Instant failingSince,
			@Nullable Instant nextAttemptAt, @Nullable LastError lastError) {

		private static PartDescriptor of(ReflectorStatus.Scope scope, ValueSanitizer sanitizer) {
			return new PartDescriptor(scope.namespace(), scope.state(), scope.connected(),
					sanitizer.version(scope.lastSyncResourceVersion()), scope.lastProgressAt(), scope.failingSince(),
					scope.nextAttemptAt(), error(scope.lastError(), sanitizer));
		}

	}

	/**
	 * The type and the objects that a reflector mirrors.
	 *
	 * @param group API group, empty for the core group
	 * @param version version of the group
	 * @param kind kind of the objects
	 * @param plural plural resource name, or {@code null} until it is known
	 * @param namespaces namespaces, empty for all
	 * @param labelSelector label selector, empty for all objects
	 * @param fieldSelector field selector, empty for all objects
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record ResourceDescriptor(String group, String version, String kind, @Nullable String plural,
			List<String> namespaces, String labelSelector, String fieldSelector) {

		private static ResourceDescriptor of(Reflector<?> reflector) {
			ResourceType type = reflector.resourceType();
			return new ResourceDescriptor(type.group(), type.version(), type.kind(), type.plural(),
					reflector.namespaces(), reflector.labelSelector(), reflector.fieldSelector());
		}

	}

}
