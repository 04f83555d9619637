package dev.reflector.leaderelection;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls callbacks one after the other, on the threads of an executor. The elector holds
 * its lock while it adds calls, so their order is that of what has happened.
 */
final class CallbackQueue {

	private static final Logger logger = LoggerFactory.getLogger(CallbackQueue.class);

	private static final CompletionStage<?> DONE = CompletableFuture.completedFuture(null);

	private final LeaderCallbacks callbacks;

	private final Executor executor;

	private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

	private String leader = "";

	CallbackQueue(LeaderCallbacks callbacks, Executor executor) {
		this.callbacks = callbacks;
		this.executor = executor;
	}

	void startedLeading(long epoch) {
		add(() -> {
			this.callbacks.onStartedLeading(epoch);
			return DONE;
		});
	}

	void stoppedLeading(long epoch) {
		add(() -> this.callbacks.onStoppedLeading(epoch));
	}

	/**
	 * Reports a new holder; reports nothing while there is none.
	 */
	void seen(String identity) {
		if (!identity.equals(this.leader)) {
			this.leader = identity;
			if (!identity.isEmpty()) {
				add(() -> {
					this.callbacks.onNewLeader(identity);
					return DONE;
				});
			}
		}
	}

	/** Completes when the calls that were added so far have ended. */
	CompletionStage<Void> end() {
		return this.last.exceptionally((failure) -> null);
	}

	private void add(Supplier<CompletionStage<?>> call) {
		this.last = this.last.<CompletionStage<?>>handleAsync((nothing, failure) -> run(call), this.executor)
			.thenCompose((ended) -> ended)
			.handle((result, failure) -> {
				if (failure != null) {
					logger.warn("A callback of the leader election has failed", failure);
				}
				return null;
			});
	}

	private static CompletionStage<?> run(Supplier<CompletionStage<?>> call) {
		Thread thread = Thread.currentThread();
		String formerName = thread.getName();
		thread.setName("reflector-leader-election");
		try {
			return call.get();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
		finally {
			thread.setName(formerName);
		}
	}

}
