package dev.reflector.cache.internal.snapshot;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The role of this process: whether it writes the snapshot of a reflector. If only one of
 * several replicas delivers, only that replica writes. Before it delivers anything, it
 * reads what the previous writer has stored. Thread-safe.
 */
public final class WriterRole {

	private final AtomicReference<State> state;

	/**
	 * Creates a role.
	 * @param standby whether the process begins as a standby
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

	/**
	 * Whether this process is active. An active process delivers. It also writes the
	 * snapshot, unless another process turns out to be the writer.
	 */
	public boolean isActive() {
		return state() == State.ACTIVE;
	}

	/** Whether this process must become the writer. */
	public boolean isTakingOver() {
		return state() == State.TAKING_OVER;
	}

	/** Notes that this process must become the writer. */
	public void takeOver() {
		this.state.updateAndGet((before) -> (before == State.ACTIVE) ? before : State.TAKING_OVER);
	}

	/**
	 * Notes that the state of the previous writer has been read, and makes this process
	 * active. Returns {@code false}, and changes nothing, if this process must no longer
	 * take over.
	 */
	boolean hasTakenOver() {
		return this.state.compareAndSet(State.TAKING_OVER, State.ACTIVE);
	}

	/**
	 * Notes that another application writes the snapshot. This process must take over
	 * once that application is gone.
	 * @return whether this process was active until now
	 */
	boolean waitForOther() {
		return this.state.compareAndSet(State.ACTIVE, State.TAKING_OVER);
	}

	/** Notes that this process must no longer write. */
	public void standBy() {
		this.state.updateAndGet((before) -> (before == State.STANDBY) ? before : State.HANDING_OVER);
	}

	/** Notes that the claim was given up. */
	void hasHandedOver() {
		this.state.compareAndSet(State.HANDING_OVER, State.STANDBY);
	}

	/** The states of the role. */
	enum State {

		/** Another process writes the snapshot. */
		STANDBY,

		/** This process must become the writer. */
		TAKING_OVER,

		/**
		 * This process writes the snapshot, unless another process turns out to be the
		 * writer.
		 */
		ACTIVE,

		/** This process must give up the claim. */
		HANDING_OVER

	}

}
