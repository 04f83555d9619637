package dev.reflector.integration;

import java.io.IOException;

/**
 * The listener takes longer for a change than the server for the next one, so its queue
 * is never empty. Commits follow what it has completed all the same.
 */
final class SlowListener extends Disturbance {

	SlowListener() {
		super("slow listener");
	}

	@Override
	boolean whileRunning(CrashLife life) throws IOException {
		life.process().slowDown();
		life.awaitCommitsOfBusyListener();
		return true;
	}

}
