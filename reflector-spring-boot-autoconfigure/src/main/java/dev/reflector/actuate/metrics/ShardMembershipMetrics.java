package dev.reflector.actuate.metrics;

import java.util.function.ToDoubleFunction;

import dev.reflector.sharding.membership.ShardMembership;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of this replica's membership and of its slots.
 *
 * @since 0.1.0
 */
public final class ShardMembershipMetrics implements MeterBinder {

	private final ShardMembership membership;

	/**
	 * Creates the metrics.
	 * @param membership the membership of this replica
	 */
	public ShardMembershipMetrics(ShardMembership membership) {
		this.membership = membership;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("reflector.shards.member", this.membership, (replica) -> replica.isMember() ? 1 : 0)
			.description("1 while the Lease of this replica is valid, by its own clock, else 0")
			.register(registry);
		Gauge.builder("reflector.shards.owned", this.membership, ShardMembership::owned)
			.description("Slots that this replica owns now, by its own clock")
			.register(registry);
		slots(registry, "delivered", ShardMembership::delivered);
		slots(registry, "undelivered", (replica) -> Math.max(0, replica.owned() - replica.delivered()));
		Gauge.builder("reflector.shards.desired", this.membership, (replica) -> replica.desired().size())
			.description("Slots that this replica should own")
			.register(registry);
		Gauge.builder("reflector.shards.unowned", this.membership, (replica) -> replica.unowned().size())
			.description(
					"Slots that no replica has delivered for longer than the configured time, as this replica sees it")
			.register(registry);
	}

	private void slots(MeterRegistry registry, String state, ToDoubleFunction<ShardMembership> count) {
		Gauge.builder("reflector.shards.slots", this.membership, count)
			.description("Slots that this replica owns now, by whether it delivers their changes")
			.tag("state", state)
			.register(registry);
	}

}
