package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.List;
import java.util.function.Consumer;

import dev.reflector.leaderelection.LeaderCallbacks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls several callbacks, in their order when a term begins, and the other way round
 * when it ends. One that fails does not keep the others from being called.
 *
 * @param all the callbacks
 */
public record AllLeaderCallbacks(List<LeaderCallbacks> all) implements LeaderCallbacks {

	private static final Logger logger = LoggerFactory.getLogger(AllLeaderCallbacks.class);

	/**
	 * Takes the callbacks.
	 * @param all the callbacks
	 */
	public AllLeaderCallbacks {
		all = List.copyOf(all);
	}

	@Override
	public void onStartedLeading(long epoch) {
		this.all.forEach((one) -> call(one, (callbacks) -> callbacks.onStartedLeading(epoch)));
	}

	@Override
	public void onStoppedLeading(long epoch) {
		for (int i = this.all.size() - 1; i >= 0; i--) {
			call(this.all.get(i), (callbacks) -> callbacks.onStoppedLeading(epoch));
		}
	}

	@Override
	public void onNewLeader(String identity) {
		this.all.forEach((one) -> call(one, (callbacks) -> callbacks.onNewLeader(identity)));
	}

	private static void call(LeaderCallbacks callbacks, Consumer<LeaderCallbacks> call) {
		try {
			call.accept(callbacks);
		}
		catch (RuntimeException ex) {
			logger.error("A callback of the leader election has failed", ex);
		}
	}

}
