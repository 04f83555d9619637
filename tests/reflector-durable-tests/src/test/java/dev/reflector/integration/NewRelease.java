package dev.reflector.integration;

import java.util.List;

/**
 * The next life is another release of the application: it declares other fields, or
 * cannot read some of the stored objects.
 */
final class NewRelease extends Disturbance {

	private final WidgetRelease.Name release;

	private CrashWriter writer;

	NewRelease(String name, WidgetRelease.Name release) {
		super(name);
		this.release = release;
	}

	/**
	 * Removes the color that the release does not know from all objects of the server.
	 */
	@Override
	List<String> beforeStart(CrashRun run) {
		if (!readsAll()) {
			this.writer = run.writer();
			this.writer.retireColour();
		}
		return List.of("--" + DurableProcess.RELEASE + "=" + this.release);
	}

	@Override
	void afterDeath() {
		if (this.writer != null) {
			this.writer.allColours();
			this.writer = null;
		}
	}

	@Override
	boolean needsRunning() {
		return false;
	}

	@Override
	boolean keepsRelease() {
		return false;
	}

	@Override
	boolean readsAll() {
		return this.release != WidgetRelease.Name.STRICTER;
	}

}
