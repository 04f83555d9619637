package dev.reflector.cache.internal.delivery;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A mark in the queues of all handlers.
 *
 * @param handlers the marks in the queues
 */
public record Passing(List<OfHandler> handlers) {

	/**
	 * Returns a future that completes when every handler has completed all changes before
	 * the mark: its calls have returned, and the stage of its {@code completed()} is
	 * done. The future fails when a handler was removed or stopped, even before the mark
	 * was set, or when the stage of a handler has failed.
	 */
	public CompletableFuture<Void> all() {
		return CompletableFuture
			.allOf(this.handlers.stream().map(OfHandler::passed).toArray(CompletableFuture<?>[]::new));
	}

	/** Returns the names of the handlers that have not completed these changes. */
	public List<String> waitedFor() {
		return this.handlers.stream().filter((handler) -> !handler.passed().isDone()).map(OfHandler::name).toList();
	}

	/**
	 * A mark in the queue of one handler.
	 *
	 * @param name the name of the handler
	 * @param passed completes when the handler has completed all changes before it
	 */
	record OfHandler(String name, CompletableFuture<Void> passed) {

	}

}
