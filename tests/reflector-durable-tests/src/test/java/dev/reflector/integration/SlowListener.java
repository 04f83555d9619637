package dev.reflector.integration;

import java.util.List;

/**
 * The listener takes longer for a change than the server for the next one, so its queue
 * is never empty. Commits follow what it has completed all the same.
 */
final class SlowListener extends Disturbance {

	SlowListener() {
		super("slow listener");
	}

	@Override
	List<String> beforeStart(CrashRun run) {
		return List.of("--" + DurableProcess.LISTENER_TAKES + "=200ms");
	}

	@Override
	boolean whileRunning(CrashLife life) {
		life.awaitCommitsOfBusyListener();
		return true;
	}

}
