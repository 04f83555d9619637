package dev.reflector.internal.lease;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.slf4j.Logger;

/**
 * Makes calls one after the other, on the threads of an executor. Callers hold a lock
 * when they add calls, so the calls are in the order of the events. If a call fails, this
 * is logged, and the next call follows.
 */
public final class SerialCalls {

	private static final CompletionStage<?> DONE = CompletableFuture.completedFuture(null);

	private final String threadName;

	private final Logger logger;

	private final Executor executor;

	private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

	public SerialCalls(String threadName, Logger logger, Executor executor) {
		this.threadName = threadName;
		this.logger = logger;
		this.executor = executor;
	}

	/** Adds a call that ends when it returns. */
	public void add(Runnable call) {
		addWork(() -> {
			call.run();
			return DONE;
		});
	}

	/** Adds a call that ends when the stage that it returns has completed. */
	public void addWork(Supplier<CompletionStage<?>> call) {
		this.last = this.last.<CompletionStage<?>>handleAsync((nothing, failure) -> run(call), this.executor)
			.thenCompose((ended) -> ended)
			.handle((result, failure) -> {
				if (failure != null) {
					this.logger.warn("A callback of the leader election or of sharding has failed", failure);
				}
				return null;
			});
	}

	/** Returns a future that completes when all calls added so far have ended. */
	public CompletableFuture<Void> end() {
		return this.last.exceptionally((failure) -> null);
	}

	private CompletionStage<?> run(Supplier<CompletionStage<?>> call) {
		Thread thread = Thread.currentThread();
		String formerName = thread.getName();
		thread.setName(this.threadName);
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
