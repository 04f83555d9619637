package dev.reflector.actuate.health;

import java.util.Set;

import dev.reflector.sharding.membership.ShardMembership;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} that shows which slots this replica owns. The status is the
 * first of these whose condition holds:
 * <ul>
 * <li>{@code DOWN}: this replica takes no slots, because it is configured differently
 * than others, or no replica has delivered the changes of some slots for too long;</li>
 * <li>{@code UNKNOWN}: the Lease of this replica is not valid, by its own clock, or no
 * replica delivers the changes of some slots at the moment, perhaps because they are
 * being handed over;</li>
 * <li>{@code UP}.</li>
 * </ul>
 * The indicator sends no request to the server.
 *
 * @since 0.1.0
 */
public final class ShardMembershipHealthIndicator extends AbstractHealthIndicator {

	private final ShardMembership membership;

	/**
	 * Creates the indicator.
	 * @param membership the membership of this replica
	 */
	public ShardMembershipHealthIndicator(ShardMembership membership) {
		super("Health of the shards could not be determined");
		this.membership = membership;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Set<Integer> unowned = this.membership.unowned();
		Set<Integer> undelivered = this.membership.undelivered();
		builder.withDetail("group", this.membership.group())
			.withDetail("identity", this.membership.identity())
			.withDetail("slots", this.membership.slots().count())
			.withDetail("desired", this.membership.desired().size())
			.withDetail("owned", this.membership.owned());
		String conflict = this.membership.conflict();
		if (!conflict.isEmpty()) {
			builder.down().withDetail("conflict", conflict);
		}
		else if (!unowned.isEmpty()) {
			builder.down().withDetail("unowned", unowned);
		}
		else if (!undelivered.isEmpty()) {
			builder.unknown().withDetail("undelivered", undelivered);
		}
		else if (this.membership.isMember()) {
			builder.up();
		}
		else {
			builder.unknown();
		}
	}

}
