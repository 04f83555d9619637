package dev.reflector.actuate.health;

import java.util.Set;
import java.util.function.Supplier;

import dev.reflector.sharding.membership.ShardMembership;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Shows which slots this replica owns. {@code UNKNOWN} while its Lease is not valid, and
 * {@code DOWN} while slots have had no owner in any replica for too long, because nobody
 * tells of their changes. It sends no request to the server.
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
