package dev.reflector.test.internal.server;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import dev.reflector.test.internal.exchange.ServerControl;
import dev.reflector.test.internal.fault.FaultScript;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.store.StoreContents;

/**
 * Performs the actions by which faults affect the whole server. Each action calls the
 * part of the server that is affected.
 *
 * @param store the data
 * @param faults the faults that have not been played yet
 * @param clock the clock of the server
 * @param outages takes the server down for some time
 */
record DirectControl(ObjectStore store, FaultScript faults, InstantSource clock,
		Outages outages) implements ServerControl {

	@Override
	public void compact() {
		this.store.compact();
	}

	@Override
	public void restore(StoreContents backup) {
		this.store.restore(backup);
	}

	@Override
	public Instant now() {
		return this.clock.instant();
	}

	@Override
	public void turnAway(int connections) {
		this.faults.turnAway(connections);
	}

	@Override
	public void interrupt(Duration duration) {
		this.outages.interrupt(duration);
	}

	@Override
	public void refuse(Duration duration, Runnable then) {
		this.outages.refuse(duration, then);
	}

}
