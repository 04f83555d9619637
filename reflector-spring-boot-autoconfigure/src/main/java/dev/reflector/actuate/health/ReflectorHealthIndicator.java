package dev.reflector.actuate.health;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link HealthIndicator} of one reflector. The status is the first of these whose
 * condition holds:
 * <ul>
 * <li>{@code UNKNOWN}: the reflector is not to be started;</li>
 * <li>{@code DOWN}: a listener has stopped its delivery, or an application with another
 * name writes the snapshot, or the snapshot does not fit and must not be set aside, or
 * attempts have been failing for longer than a threshold;</li>
 * <li>{@code OUT_OF_SERVICE}: it is stopped, or has not synced yet, even if it has waited
 * for its type for a long time;</li>
 * <li>{@code DOWN}: a server that sends bookmarks has sent nothing for longer than a
 * threshold; or too many objects, or all, were skipped; or the snapshot has been behind
 * for longer than a threshold; or this replica must deliver, but cannot take over the
 * snapshot;</li>
 * <li>{@code UP}.</li>
 * </ul>
 * The details show whether the mirror is synced, connected and fresh, and the state of a
 * durable mirror's snapshot. By default, a snapshot that stays behind does not change the
 * status, because the mirror and its listeners continue. The indicator sends no request
 * to the server.
 *
 * @since 0.1.0
 */
public final class ReflectorHealthIndicator extends AbstractHealthIndicator {

	private final Reflector<?> reflector;

	private final Duration failingThreshold;

	private final Duration staleThreshold;

	private final int skippedThreshold;

	private final Duration behindThreshold;

	private final TimeSource time;

	private final Supplier<@Nullable String> idleReason;

	/**
	 * Creates the indicator.
	 * @param reflector the reflector
	 * @param failingThreshold how long attempts may fail before the status is
	 * {@code DOWN}
	 * @param staleThreshold how long a server that sends bookmarks may send nothing
	 * before the status is {@code DOWN}; zero for no limit
	 * @param skippedThreshold number of skipped objects at which the status is
	 * {@code DOWN}; zero for no limit
	 * @param behindThreshold how long the snapshot of a durable mirror may be behind
	 * before the status is {@code DOWN}; zero for no limit
	 * @param time source of time
	 * @param idleReason supplies the reason why the reflector will not be started, or
	 * {@code null} if it will be started
	 */
	public ReflectorHealthIndicator(Reflector<?> reflector, Duration failingThreshold, Duration staleThreshold,
			int skippedThreshold, Duration behindThreshold, TimeSource time, Supplier<@Nullable String> idleReason) {
		super("Health of reflector '" + reflector.name() + "' could not be determined");
		this.reflector = reflector;
		this.failingThreshold = failingThreshold;
		this.staleThreshold = staleThreshold;
		this.skippedThreshold = skippedThreshold;
		this.behindThreshold = behindThreshold;
		this.time = time;
		this.idleReason = idleReason;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		String idle = this.idleReason.get();
		if (idle != null) {
			builder.unknown().withDetail("state", this.reflector.state()).withDetail("reason", idle);
			return;
		}
		ReflectorStatus status = this.reflector.status();
		boolean fresh = isFresh(status.contact().lastProgressAt());
		builder.status(health(status, fresh)).withDetails(details(status, fresh));
	}

	/**
	 * Whether the server has sent a version of the collection within the threshold for
	 * stale mirrors.
	 */
	private boolean isFresh(@Nullable Instant lastProgressAt) {
		return lastProgressAt != null && (this.staleThreshold.isZero()
				|| Duration.between(lastProgressAt, this.time.now()).compareTo(this.staleThreshold) <= 0);
	}

	private Status health(ReflectorStatus status, boolean fresh) {
		ReflectorStatus.Durability snapshot = this.reflector.durability();
		if (status.deliveryStopped() != null
				|| (snapshot != null && (snapshot.heldBy() != null || snapshot.mismatched()))) {
			return Status.DOWN;
		}
		boolean comingUp = status.state() == ReflectorState.AWAITING_TYPE && !status.synced();
		if (!comingUp && status.failingSince() != null
				&& Duration.between(status.failingSince(), this.time.now()).compareTo(this.failingThreshold) > 0) {
			return Status.DOWN;
		}
		if (!status.synced() || status.state() == ReflectorState.STOPPED) {
			return Status.OUT_OF_SERVICE;
		}
		boolean nothing = status.size() == 0 && status.skipped() > 0;
		boolean skipped = nothing || (this.skippedThreshold > 0 && status.skipped() >= this.skippedThreshold);
		boolean waits = snapshot != null && snapshot.lastError() != null && this.reflector.isStandby();
		return (skipped || waits || isBehind() || (!fresh && isExpectedToSpeak(status))) ? Status.DOWN : Status.UP;
	}

	private boolean isBehind() {
		ReflectorStatus.Durability snapshot = this.behindThreshold.isZero() ? null : this.reflector.durability();
		return snapshot != null && snapshot.behindSince() != null
				&& Duration.between(snapshot.behindSince(), this.time.now()).compareTo(this.behindThreshold) > 0;
	}

	/**
	 * Whether the server is expected to send something from time to time: the reflector
	 * is not paused, and the server sends bookmarks.
	 */
	private static boolean isExpectedToSpeak(ReflectorStatus status) {
		return status.state() != ReflectorState.PAUSED && status.contact().bookmarks();
	}

	private Map<String, Object> details(ReflectorStatus status, boolean fresh) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", status.state());
		if (status.state() == ReflectorState.AWAITING_TYPE) {
			details.put("awaitedType", this.reflector.resourceType().toString());
		}
		put(details, "labelSelector", this.reflector.labelSelector());
		put(details, "fieldSelector", this.reflector.fieldSelector());
		if (this.reflector.isStandby()) {
			details.put("standby", true);
		}
		details.put("synced", status.synced());
		details.put("connected", status.contact().connected());
		details.put("fresh", fresh);
		details.put("size", status.size());
		details.put("skipped", status.skipped());
		details.put("lastSyncResourceVersion", status.lastSyncResourceVersion());
		put(details, "lastProgressAt", status.contact().lastProgressAt());
		put(details, "failingSince", status.failingSince());
		put(details, "nextAttemptAt", status.contact().nextAttemptAt());
		put(details, "lastError", status.lastError());
		put(details, "deliveryStopped", status.deliveryStopped());
		ReflectorStatus.BusyListener busy = status.busyListener();
		if (busy != null) {
			details.put("busyListener", Map.of("name", busy.name(), "subject", busy.subject(), "since", busy.since()));
		}
		ReflectorStatus.Durability snapshot = this.reflector.durability();
		if (snapshot != null) {
			details.put("snapshot", details(snapshot));
		}
		ReflectorStatus.Shard shard = this.reflector.shard();
		if (shard != null) {
			details.put("shard", details(shard));
		}
		List<ReflectorStatus.Scope> scopes = status.contact().scopes();
		if (scopes.size() > 1) {
			details.put("namespaces",
					scopes.stream()
						.collect(Collectors.toMap((scope) -> Objects.requireNonNull(scope.namespace()),
								ReflectorHealthIndicator::details, (first, second) -> second, LinkedHashMap::new)));
		}
		return details;
	}

	private static Map<String, Object> details(ReflectorStatus.Shard shard) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("selector", shard.selector());
		if (shard.index() != null && shard.count() != null) {
			details.put("index", shard.index());
			details.put("count", shard.count());
		}
		details.put("filteredBy", shard.filteredBy());
		if (shard.slots() != null) {
			details.put("slots", shard.slots());
		}
		return details;
	}

	private static Map<String, Object> details(ReflectorStatus.Durability snapshot) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("writing", snapshot.writing());
		details.put("restored", snapshot.restored());
		details.put("size", snapshot.size());
		details.put("contentUnknown", snapshot.contentUnknown());
		details.put("cursors", snapshot.cursors());
		put(details, "committedAt", snapshot.committedAt());
		if (snapshot.commitTook() != null) {
			details.put("commitTook", snapshot.commitTook());
		}
		put(details, "behindSince", snapshot.behindSince());
		put(details, "lastError", snapshot.lastError());
		ReflectorStatus.SlowestListener slowest = snapshot.slowestListener();
		if (slowest != null) {
			details.put("slowestListener", Map.of("name", slowest.name(), "since", slowest.since()));
		}
		if (snapshot.heldBy() != null) {
			details.put("heldBy", snapshot.heldBy());
		}
		return details;
	}

	private static Map<String, Object> details(ReflectorStatus.Scope scope) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", scope.state());
		details.put("connected", scope.connected());
		details.put("lastSyncResourceVersion", scope.lastSyncResourceVersion());
		put(details, "lastProgressAt", scope.lastProgressAt());
		put(details, "failingSince", scope.failingSince());
		put(details, "nextAttemptAt", scope.nextAttemptAt());
		put(details, "lastError", scope.lastError());
		return details;
	}

	private static void put(Map<String, Object> details, String key, @Nullable Instant at) {
		if (at != null) {
			details.put(key, at);
		}
	}

	private static void put(Map<String, Object> details, String key, String selector) {
		if (!selector.isEmpty()) {
			details.put(key, selector);
		}
	}

	private static void put(Map<String, Object> details, String key, ReflectorStatus.@Nullable LastError error) {
		if (error != null) {
			details.put(key, Map.of("at", error.at(), "status", error.status(), "reason", error.reason(), "message",
					error.message()));
		}
	}

}
