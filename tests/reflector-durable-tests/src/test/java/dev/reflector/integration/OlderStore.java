package dev.reflector.integration;

import java.util.List;

/**
 * An older copy of the store is restored between two lives. What has changed since is
 * delivered again.
 */
final class OlderStore extends Disturbance {

	OlderStore(String name) {
		super(name);
	}

	@Override
	List<String> beforeStart(CrashRun run) throws Exception {
		run.store().restore();
		return List.of();
	}

	@Override
	boolean needsRunning() {
		return false;
	}

	@Override
	boolean keepsStore() {
		return false;
	}

}
