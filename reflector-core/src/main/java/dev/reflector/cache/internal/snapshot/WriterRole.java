package dev.reflector.cache.internal.snapshot;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether this process writes the snapshot of a reflector. Where one of several replicas
 * delivers, only that one does, and it reads what the one before has stored before it
 * delivers anything. Thread-safe.
 */
public final class WriterRole {

	private final AtomicReference<State> state;

	/**
	 * Creates a role.
	 * @param standby whether it begins as a standby
	 */
	public WriterRole(boolean standby) {
		this(standby ? State.STANDBY : State.ACTIVE);
	}

	private WriterRole(State state) {
		this.state = new AtomicReference<>(state);
	}

	/** The role of a process that will become the writer. */
	public static WriterRole takingOver() {
		return new WriterRole(State.TAKING_OVER);
	}

	State state() {
		return this.state.get();
	}

	/** Whether this process writes, or delivers what it would write. */
	public boolean isActive() {
		return state() == State.ACTIVE;
	}

	/** Whether this process must become the writer. */
	public boolean isTakingOver() {
		return state() == State.TAKING_OVER;
	}

	/** This process must write. */
	public void takeOver() {
		this.state.updateAndGet((before) -> (before == State.ACTIVE) ? before : State.TAKING_OVER);
	}

	/** What another has stored was read, unless this process must no longer write. */
	boolean hasTakenOver() {
		return this.state.compareAndSet(State.TAKING_OVER, State.ACTIVE);
	}

	/**
	 * Another application writes, and this process takes over when that is gone.
	 * @return whether it has delivered until now
	 */
	boolean waitForOther() {
		return this.state.compareAndSet(State.ACTIVE, State.TAKING_OVER);
	}

	/** This process must no longer write. */
	public void standBy() {
		this.state.updateAndGet((before) -> (before == State.STANDBY) ? before : State.HANDING_OVER);
	}

	/** The claim was given up. */
	void hasHandedOver() {
		this.state.compareAndSet(State.HANDING_OVER, State.STANDBY);
	}

	/** What a replica does about the snapshot. */
	enum State {

		/** Another writes it. */
		STANDBY,

		/** It must become the writer. */
		TAKING_OVER,

		/** It writes it, unless it finds that another process does. */
		ACTIVE,

		/** It must give up the claim. */
		HANDING_OVER

	}

}
