package dev.reflector.cache.internal.snapshot;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether this process writes the snapshot of a reflector. If one of several replicas
 * delivers, only that one writes. Before it delivers anything, it reads what the previous
 * writer has stored. Thread-safe.
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

	/** Creates the role of a process that will become the writer. */
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

	/** Makes this process take over. */
	public void takeOver() {
		this.state.updateAndGet((before) -> (before == State.ACTIVE) ? before : State.TAKING_OVER);
	}

	/**
	 * Notes that the state stored by another process was read. Returns {@code false} when
	 * this process must no longer write.
	 */
	boolean hasTakenOver() {
		return this.state.compareAndSet(State.TAKING_OVER, State.ACTIVE);
	}

	/**
	 * Makes this process wait for another application, and take over when that has ended.
	 * @return whether this process has delivered until now
	 */
	boolean waitForOther() {
		return this.state.compareAndSet(State.ACTIVE, State.TAKING_OVER);
	}

	/** Makes this process a standby, which must no longer write. */
	public void standBy() {
		this.state.updateAndGet((before) -> (before == State.STANDBY) ? before : State.HANDING_OVER);
	}

	/** Notes that the claim was given up. */
	void hasHandedOver() {
		this.state.compareAndSet(State.HANDING_OVER, State.STANDBY);
	}

	/** What a replica does about the snapshot. */
	enum State {

		/** Another process writes the snapshot. */
		STANDBY,

		/** This replica must become the writer. */
		TAKING_OVER,

		/**
		 * This replica writes the snapshot, unless it finds that another process does.
		 */
		ACTIVE,

		/** This replica must give up the claim. */
		HANDING_OVER

	}

}
