package dev.reflector.actuate.health;

import java.util.OptionalLong;

import dev.reflector.leaderelection.LeaderElector;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} that shows who leads:
 * <ul>
 * <li>{@code UNKNOWN}: this replica has not seen the Lease yet;</li>
 * <li>{@code UP}: it has, for a standby is as healthy as a leader.</li>
 * </ul>
 * It sends no request to the server.
 *
 * @since 0.1.0
 */
public final class LeaderElectionHealthIndicator extends AbstractHealthIndicator {

	private final LeaderElector elector;

	/**
	 * Creates the indicator.
	 * @param elector takes part in the election
	 */
	public LeaderElectionHealthIndicator(LeaderElector elector) {
		super("Health of the leader election could not be determined");
		this.elector = elector;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		OptionalLong epoch = this.elector.epoch();
		builder.withDetail("lease", this.elector.lease())
			.withDetail("identity", this.elector.identity())
			.withDetail("leads", epoch.isPresent());
		epoch.ifPresent((number) -> builder.withDetail("epoch", number));
		if (this.elector.leader().isEmpty()) {
			builder.unknown();
		}
		else {
			builder.up().withDetail("leader", this.elector.leader());
		}
	}

}
