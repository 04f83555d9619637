package dev.reflector.integration;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The store is away when the application starts, and comes back.
 */
final class OutageAtStart extends Disturbance {

	private final Step begin;

	private final Step end;

	private boolean away;

	OutageAtStart(String name, Step begin, Step end) {
		super(name);
		this.begin = begin;
		this.end = end;
	}

	@Override
	List<String> beforeStart(CrashRun run) throws Exception {
		this.begin.take();
		this.away = true;
		return List.of();
	}

	@Override
	void whileStarting() throws Exception {
		// a start takes longer: it asks the store at least once
		TimeUnit.MILLISECONDS.sleep(1500);
		afterDeath();
	}

	@Override
	void afterDeath() throws Exception {
		if (this.away) {
			this.away = false;
			this.end.take();
		}
	}

	@Override
	boolean needsRunning() {
		return false;
	}

}
