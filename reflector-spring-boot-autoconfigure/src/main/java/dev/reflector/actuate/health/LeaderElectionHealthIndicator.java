package dev.reflector.actuate.health;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import dev.reflector.leaderelection.LeaderElector;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} that shows which replica leads. The status is the first of
 * these whose condition holds:
 * <ul>
 * <li>{@code UNKNOWN}: this replica does not compete, or it has just begun to compete and
 * has not seen the Lease yet;</li>
 * <li>{@code DOWN}: no replica leads, or the last renewal of the leader was seen longer
 * ago than the lease duration; or this replica leads, and a listener of a leader election
 * event does not return;</li>
 * <li>{@code UP}: this replica leads, or another one does.</li>
 * </ul>
 * The indicator sends no request to the server.
 *
 * @since 0.1.0
 */
public final class LeaderElectionHealthIndicator extends AbstractHealthIndicator {

	private final LeaderElector elector;

	private final Supplier<Optional<String>> busy;

	/**
	 * Creates the indicator.
	 * @param elector the elector of this replica
	 */
	public LeaderElectionHealthIndicator(LeaderElector elector) {
		this(elector, Optional::empty);
	}

	/**
	 * Creates the indicator.
	 * @param elector the elector of this replica
	 * @param busy supplies the name of a listener that does not return from a leader
	 * election event, empty if there is none
	 */
	public LeaderElectionHealthIndicator(LeaderElector elector, Supplier<Optional<String>> busy) {
		super("Health of the leader election could not be determined");
		this.elector = elector;
		this.busy = busy;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		OptionalLong epoch = this.elector.epoch();
		builder.withDetail("lease", this.elector.lease())
			.withDetail("identity", this.elector.identity())
			.withDetail("leads", epoch.isPresent());
		epoch.ifPresent((number) -> builder.withDetail("epoch", number));
		String leader = epoch.isPresent() ? this.elector.identity() : this.elector.leader();
		Optional<String> busy = epoch.isPresent() ? this.busy.get() : Optional.empty();
		if (!leader.isEmpty()) {
			builder.withDetail("leader", leader);
		}
		busy.ifPresent((listener) -> builder.withDetail("busyListener", listener));
		if (epoch.isEmpty() && this.elector.isUndecided()) {
			builder.unknown();
		}
		else if (leader.isEmpty() || busy.isPresent()) {
			builder.down();
		}
		else {
			builder.up();
		}
	}

}
