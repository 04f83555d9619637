package dev.reflector.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link HealthIndicator} of one reflector: {@code UNKNOWN} while it is not meant to run,
 * {@code DOWN} when its attempts have been failing for longer than a threshold,
 * {@code OUT_OF_SERVICE} while it is stopped or has not synced, however long its type may
 * be awaited, else {@code UP}. Asks nothing of the server.
 */
public final class ReflectorHealthIndicator extends AbstractHealthIndicator {

	private final Reflector<?> reflector;

	private final Duration failingThreshold;

	private final TimeSource time;

	private final Supplier<@Nullable String> idleReason;

	/**
	 * Creates the indicator.
	 * @param reflector the reflector
	 * @param failingThreshold how long attempts must have been failing for {@code DOWN}
	 * @param time the time
	 * @param idleReason gives the reason why the reflector is not meant to run, or
	 * {@code null} when it is
	 */
	public ReflectorHealthIndicator(Reflector<?> reflector, Duration failingThreshold, TimeSource time,
			Supplier<@Nullable String> idleReason) {
		super("Health of reflector '" + reflector.name() + "' could not be determined");
		this.reflector = reflector;
		this.failingThreshold = failingThreshold;
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
		builder.status(health(status)).withDetails(details(status));
	}

	private Status health(ReflectorStatus status) {
		boolean comingUp = status.state() == ReflectorState.AWAITING_TYPE && !status.synced();
		if (!comingUp && status.failingSince() != null
				&& Duration.between(status.failingSince(), this.time.now()).compareTo(this.failingThreshold) > 0) {
			return Status.DOWN;
		}
		return (status.synced() && status.state() != ReflectorState.STOPPED) ? Status.UP : Status.OUT_OF_SERVICE;
	}

	private Map<String, Object> details(ReflectorStatus status) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", status.state());
		if (status.state() == ReflectorState.AWAITING_TYPE) {
			details.put("awaitedType", this.reflector.resourceType().toString());
		}
		details.put("synced", status.synced());
		details.put("size", status.size());
		details.put("lastSyncResourceVersion", status.lastSyncResourceVersion());
		if (status.failingSince() != null) {
			details.put("failingSince", status.failingSince());
		}
		ReflectorStatus.LastError error = status.lastError();
		if (error != null) {
			details.put("lastError", Map.of("at", error.at(), "status", error.status(), "reason", error.reason(),
					"message", error.message()));
		}
		return details;
	}

}
