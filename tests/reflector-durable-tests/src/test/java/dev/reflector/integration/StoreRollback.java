package dev.reflector.integration;

/**
 * The store returns to an earlier state while the application runs: a standby without the
 * last commits is promoted, or a copy is restored. The application notices that, and
 * writes the missing changes.
 */
final class StoreRollback extends Disturbance {

	private final Step copy;

	private final Step goBack;

	private final Step end;

	/**
	 * Creates a rollback.
	 * @param name its name
	 * @param copy saves the state to return to
	 * @param goBack returns to the saved state
	 * @param end cleans up after the process has died
	 */
	StoreRollback(String name, Step copy, Step goBack, Step end) {
		super(name);
		this.copy = copy;
		this.goBack = goBack;
		this.end = end;
	}

	@Override
	boolean whileRunning(CrashLife life) throws Exception {
		this.copy.take();
		// commits that are lost
		life.awaitNextCommit();
		life.awaitNextCommit();
		this.goBack.take();
		life.addAndAwaitInStep(StoreOutage.BOUND);
		if (life.random().nextInt(3) == 0) {
			life.random(2000);
			return false;
		}
		life.awaitStored();
		return true;
	}

	@Override
	void afterDeath() throws Exception {
		this.end.take();
	}

}
