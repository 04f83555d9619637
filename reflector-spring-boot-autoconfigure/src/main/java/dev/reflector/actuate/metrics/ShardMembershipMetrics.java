package dev.reflector.actuate.metrics;

import java.util.Set;
import java.util.function.Supplier;

import dev.reflector.sharding.membership.ShardMembership;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of the slots that replicas divide among them.
 *
 * @since 0.1.0
 */
public final class ShardMembershipMetrics implements MeterBinder {

	private final ShardMembership membership;

	private final Supplier<Set<Integer>> unowned;

	/**
	 * Creates the metrics.
	 * @param membership the replica
	 * @param unowned gives the slots that have had no owner in any replica for too long
	 */
	public ShardMembershipMetrics(ShardMembership membership, Supplier<Set<Integer>> unowned) {
		this.membership = membership;
		this.unowned = unowned;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("reflector.shards.member", this.membership, (replica) -> replica.isMember() ? 1 : 0)
			.description("1 while the Lease of this replica is valid, by its own clock, else 0")
			.register(registry);
		Gauge.builder("reflector.shards.owned", this.membership, ShardMembership::owned)
			.description("Slots that this replica owns now, by its own clock")
			.register(registry);
		Gauge.builder("reflector.shards.desired", this.membership, (replica) -> replica.desired().size())
			.description("Slots that this replica should own")
			.register(registry);
		Gauge.builder("reflector.shards.unowned", this.unowned, (slots) -> slots.get().size())
			.description(
					"Slots that have had no owner in any replica for longer than the configured bound, as seen here")
			.register(registry);
	}

}
