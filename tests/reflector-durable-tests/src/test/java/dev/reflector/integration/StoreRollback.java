package dev.reflector.integration;

/**
 * What is stored becomes an earlier state while the application runs: a standby without
 * the last commits is promoted, or a copy is restored. The application notices, and
 * writes what is missing.
 */
final class StoreRollback extends Disturbance {

	private final Step copy;

	private final Step goBack;

	private final Step end;

	/**
	 * Creates it.
	 * @param name its name
	 * @param copy keeps the state to go back to
	 * @param goBack makes that state the present one
	 * @param end tidies up after the life
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
