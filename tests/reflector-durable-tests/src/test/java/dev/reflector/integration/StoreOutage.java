package dev.reflector.integration;

import java.time.Duration;

/**
 * The store is away, locked, silent or full for a while. Mirror and listeners continue,
 * and the status says that the snapshot is behind.
 */
final class StoreOutage extends Disturbance {

	/**
	 * Within this time, a change of the server is delivered, whatever the store does: it
	 * is a multiple of {@code reflector.snapshot.announce-timeout}, long enough for a
	 * busy machine, and shorter than the pool waits for a connection.
	 */
	static final Duration BOUND = Duration.ofSeconds(20);

	private final StepOfProcess begin;

	private final StepOfProcess end;

	private DurableProcess process;

	StoreOutage(String name, Step begin, Step end) {
		this(name, (process) -> begin.take(), (process) -> end.take());
	}

	StoreOutage(String name, StepOfProcess begin, StepOfProcess end) {
		super(name);
		this.begin = begin;
		this.end = end;
	}

	@Override
	boolean whileRunning(CrashLife life) throws Exception {
		this.process = life.process();
		this.begin.take(this.process);
		life.addAndAwaitInStep(BOUND);
		life.awaitBehind();
		if (life.random().nextInt(3) == 0) {
			life.random(500);
			return false;
		}
		end();
		if (life.random().nextInt(3) == 0) {
			life.random(3000);
			return false;
		}
		life.awaitStored();
		return true;
	}

	@Override
	void afterDeath() throws Exception {
		end();
	}

	private void end() throws Exception {
		DurableProcess process = this.process;
		this.process = null;
		if (process != null) {
			this.end.take(process);
		}
	}

}
