package dev.reflector.actuate.metrics;

import dev.reflector.leaderelection.LeaderElector;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of a leader election, with the Lease as tag {@code lease}.
 *
 * @since 0.1.0
 */
public final class LeaderElectionMetrics implements MeterBinder {

	private final LeaderElector elector;

	/**
	 * Creates the metrics.
	 * @param elector the elector of this replica
	 */
	public LeaderElectionMetrics(LeaderElector elector) {
		this.elector = elector;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("reflector.leader.election.leads", this.elector, (elector) -> elector.isLeader() ? 1 : 0)
			.description("1 while this replica leads, by its own clock, else 0")
			.tag("lease", this.elector.lease())
			.register(registry);
		Gauge
			.builder("reflector.leader.election.epoch", this.elector,
					(elector) -> elector.epoch().isPresent() ? elector.epoch().getAsLong() : Double.NaN)
			.description("Number of the current term, if this replica leads")
			.tag("lease", this.elector.lease())
			.register(registry);
	}

}
