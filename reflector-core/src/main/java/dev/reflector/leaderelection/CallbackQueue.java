package dev.reflector.leaderelection;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.reflector.internal.lease.SerialCalls;
import org.slf4j.LoggerFactory;

/**
 * Calls the callbacks of an election, one after the other.
 */
final class CallbackQueue {

	private final LeaderCallbacks callbacks;

	private final SerialCalls calls;

	private String leader = "";

	CallbackQueue(LeaderCallbacks callbacks, Executor executor) {
		this.callbacks = callbacks;
		this.calls = new SerialCalls("reflector-leader-election", LoggerFactory.getLogger(LeaderElector.class),
				executor);
	}

	void startedLeading(long epoch) {
		this.calls.add(() -> this.callbacks.onStartedLeading(epoch));
	}

	/**
	 * Calls {@code onStoppedLeading}. Later calls wait until the work of the term has
	 * ended.
	 */
	void stoppedLeading(long epoch) {
		this.calls.addWork(() -> this.callbacks.onStoppedLeading(epoch));
	}

	/**
	 * Reports the holder of the lock, if the holder has changed and the identity is not
	 * empty.
	 */
	void seen(String identity) {
		if (!identity.equals(this.leader)) {
			this.leader = identity;
			if (!identity.isEmpty()) {
				this.calls.add(() -> this.callbacks.onNewLeader(identity));
			}
		}
	}

	/**
	 * Returns a stage that completes when the calls that were added so far have ended.
	 */
	CompletionStage<Void> end() {
		return this.calls.end();
	}

}
