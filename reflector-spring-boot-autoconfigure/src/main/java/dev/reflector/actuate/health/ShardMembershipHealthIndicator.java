package dev.reflector.actuate.health;

import java.util.Set;
import java.util.function.Supplier;

import dev.reflector.sharding.membership.ShardMembership;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} that shows which slots this replica owns. The first of these
 * that holds decides:
 * <ul>
 * <li>{@code DOWN}: slots have had no owner in any replica for too long, so that nobody
 * tells of their changes;</li>
 * <li>{@code UNKNOWN}: the Lease of this replica is not valid, by its own clock;</li>
 * <li>{@code UP}.</li>
 * </ul>
 * It sends no request to the server.
 *
 * @since 0.1.0
 */
public final class ShardMembershipHealthIndicator extends AbstractHealthIndicator {

	private final ShardMembership membership;

	private final Supplier<Set<Integer>> unowned;

	/**
	 * Creates the indicator.
	 * @param membership the replica
	 * @param unowned gives the slots that have had no owner in any replica for too long
	 */
	public ShardMembershipHealthIndicator(ShardMembership membership, Supplier<Set<Integer>> unowned) {
		super("Health of the shards could not be determined");
		this.membership = membership;
		this.unowned = unowned;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Set<Integer> unowned = this.unowned.get();
		builder.withDetail("group", this.membership.group())
			.withDetail("identity", this.membership.identity())
			.withDetail("slots", this.membership.slots().count())
			.withDetail("desired", this.membership.desired().size())
			.withDetail("owned", this.membership.owned());
		if (!unowned.isEmpty()) {
			builder.down().withDetail("unowned", unowned);
		}
		else if (this.membership.isMember()) {
			builder.up();
		}
		else {
			builder.unknown();
		}
	}

}
