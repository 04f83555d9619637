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
 * {@link HealthIndicator} of one reflector: {@code UNKNOWN} while it is not meant to run,
 * {@code DOWN} when its attempts have been failing for longer than a threshold or the
 * failure of a listener has stopped its delivery, {@code OUT_OF_SERVICE} while it is
 * stopped or has not synced, however long its type may be awaited, {@code DOWN} when a
 * server that sends bookmarks has said nothing for longer than another threshold, or too
 * many objects were skipped, else {@code UP}. The details tell whether the mirror is
 * synced, connected and fresh. Asks nothing of the server.
 *
 * @since 0.1.0
 */
public final class ReflectorHealthIndicator extends AbstractHealthIndicator {

	private final Reflector<?> reflector;

	private final Duration failingThreshold;

	private final Duration staleThreshold;

	private final int skippedThreshold;

	private final TimeSource time;

	private final Supplier<@Nullable String> idleReason;

	/**
	 * Creates the indicator.
	 * @param reflector the reflector
	 * @param failingThreshold how long attempts must have been failing for {@code DOWN}
	 * @param staleThreshold how long the server must have said nothing for {@code DOWN};
	 * zero for never
	 * @param skippedThreshold how many objects must have been skipped for {@code DOWN};
	 * zero for never
	 * @param time the time
	 * @param idleReason gives the reason why the reflector is not meant to run, or
	 * {@code null} when it is
	 */
	public ReflectorHealthIndicator(Reflector<?> reflector, Duration failingThreshold, Duration staleThreshold,
			int skippedThreshold, TimeSource time, Supplier<@Nullable String> idleReason) {
		super("Health of reflector '" + reflector.name() + "' could not be determined");
		this.reflector = reflector;
		this.failingThreshold = failingThreshold;
		this.staleThreshold = staleThreshold;
		this.skippedThreshold = skippedThreshold;
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
		ReflectorFacts facts = ReflectorFacts.of(status, this.time.now(), this.staleThreshold);
		builder.status(health(status, facts)).withDetails(details(status, facts));
	}

	private Status health(ReflectorStatus status, ReflectorFacts facts) {
		if (status.deliveryStopped() != null) {
			return Status.DOWN;
		}
		boolean comingUp = status.state() == ReflectorState.AWAITING_TYPE && !status.synced();
		if (!comingUp && status.failingSince() != null
				&& Duration.between(status.failingSince(), this.time.now()).compareTo(this.failingThreshold) > 0) {
			return Status.DOWN;
		}
		if (!facts.synced() || status.state() == ReflectorState.STOPPED) {
			return Status.OUT_OF_SERVICE;
		}
		boolean skipped = this.skippedThreshold > 0 && status.skipped() >= this.skippedThreshold;
		return (skipped || (!facts.fresh() && isExpectedToSpeak(status))) ? Status.DOWN : Status.UP;
	}

	/**
	 * Silence means something only while someone listens, and of a server that sends
	 * bookmarks on watches.
	 */
	private static boolean isExpectedToSpeak(ReflectorStatus status) {
		return status.state() != ReflectorState.PAUSED && status.contact().bookmarks();
	}

	private Map<String, Object> details(ReflectorStatus status, ReflectorFacts facts) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", status.state());
		if (status.state() == ReflectorState.AWAITING_TYPE) {
			details.put("awaitedType", this.reflector.resourceType().toString());
		}
		put(details, "labelSelector", this.reflector.labelSelector());
		put(details, "fieldSelector", this.reflector.fieldSelector());
		details.put("synced", facts.synced());
		details.put("connected", facts.connected());
		details.put("fresh", facts.fresh());
		details.put("size", status.size());
		details.put("skipped", status.skipped());
		details.put("lastSyncResourceVersion", status.lastSyncResourceVersion());
		put(details, "lastProgressAt", facts.lastProgressAt());
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
		List<ReflectorStatus.Scope> scopes = status.contact().scopes();
		if (scopes.size() > 1) {
			details.put("namespaces",
					scopes.stream()
						.collect(Collectors.toMap((scope) -> Objects.requireNonNull(scope.namespace()),
								ReflectorHealthIndicator::details, (first, second) -> second, LinkedHashMap::new)));
		}
		return details;
	}

	private static Map<String, Object> details(ReflectorStatus.Durability snapshot) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("writing", snapshot.writing());
		details.put("restored", snapshot.restored());
		put(details, "committedAt", snapshot.committedAt());
		put(details, "behindSince", snapshot.behindSince());
		put(details, "lastError", snapshot.lastError());
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
