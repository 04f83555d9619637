package dev.reflector.integration;

import java.util.List;

/**
 * A disturbance of an application with a durable mirror, in addition to being killed.
 */
abstract class Disturbance {

	private final String name;

	Disturbance(String name) {
		this.name = name;
	}

	/**
	 * Happens between two lives.
	 * @param run the lives
	 * @return arguments of the next life
	 */
	List<String> beforeStart(CrashRun run) throws Exception {
		return List.of();
	}

	/** Happens while the application starts. */
	void whileStarting() throws Exception {
		// most do nothing
	}

	/**
	 * Happens while the application runs, is in step with the server, and the server
	 * changes. The application is killed when this returns.
	 * @param life the life
	 * @return whether the store is in order now, and has what the application has written
	 */
	boolean whileRunning(CrashLife life) throws Exception {
		return true;
	}

	/** Ends what has not ended yet, when the application is dead. */
	void afterDeath() throws Exception {
		// most have ended
	}

	/** Whether it needs an application that has come in step with the server. */
	boolean needsRunning() {
		return true;
	}

	/** Whether the application finds the store as the previous one has left it. */
	boolean keepsStore() {
		return true;
	}

	/** Whether the application declares the same fields as the previous one. */
	boolean keepsRelease() {
		return true;
	}

	/** Whether the application can read all that is stored. */
	boolean readsAll() {
		return true;
	}

	@Override
	public final String toString() {
		return this.name;
	}

	/** A step of a disturbance. */
	@FunctionalInterface
	interface Step {

		void take() throws Exception;

	}

	/** A step that the application takes itself. */
	@FunctionalInterface
	interface StepOfProcess {

		void take(DurableProcess process) throws Exception;

	}

}
