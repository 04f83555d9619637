package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.reflector.leaderelection.LeaderCallbacks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls several callbacks. When a term begins, they are called in their order; when a
 * term ends, in reverse order. If one of them fails, the others are still called.
 *
 * @param all the callbacks
 */
public record AllLeaderCallbacks(List<LeaderCallbacks> all) implements LeaderCallbacks {

	private static final Logger logger = LoggerFactory.getLogger(AllLeaderCallbacks.class);

	private static final CompletionStage<?> DONE = CompletableFuture.completedFuture(null);

	/**
	 * Creates the callbacks.
	 * @param all the callbacks
	 */
	public AllLeaderCallbacks {
		all = List.copyOf(all);
	}

	@Override
	public void onStartedLeading(long epoch) {
		this.all.forEach((one) -> call(one, (callbacks) -> {
			callbacks.onStartedLeading(epoch);
			return DONE;
		}));
	}

	@Override
	public CompletionStage<?> onStoppedLeading(long epoch) {
		List<CompletableFuture<?>> ends = new ArrayList<>();
		for (int i = this.all.size() - 1; i >= 0; i--) {
			ends.add(call(this.all.get(i), (callbacks) -> callbacks.onStoppedLeading(epoch)).toCompletableFuture());
		}
		return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
	}

	@Override
	public void onNewLeader(String identity) {
		this.all.forEach((one) -> call(one, (callbacks) -> {
			callbacks.onNewLeader(identity);
			return DONE;
		}));
	}

	private static CompletionStage<?> call(LeaderCallbacks callbacks,
			Function<LeaderCallbacks, CompletionStage<?>> call) {
		try {
			return call.apply(callbacks);
		}
		catch (RuntimeException | Error ex) {
			logger.error("A callback of the leader election has failed", ex);
			return DONE;
		}
	}

}
