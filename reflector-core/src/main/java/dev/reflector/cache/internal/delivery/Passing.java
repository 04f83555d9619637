package dev.reflector.cache.internal.delivery;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A mark in the queues of all handlers.
 *
 * @param handlers the mark in the queue of each handler
 */
public record Passing(List<OfHandler> handlers) {

	/**
	 * Returns a future that completes when every handler has completed all changes before
	 * the mark: its calls have returned, and the stage of its {@code completed()} is
	 * done. The future fails if a handler was removed or stopped, even before the mark
	 * was set, or if the stage of a handler has failed.
	 */
	public CompletableFuture<Void> all() {
		return CompletableFuture
			.allOf(this.handlers.stream().map(OfHandler::passed).toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * Returns the names of the handlers that have not completed all changes before the
	 * mark.
	 */
	public List<String> waitedFor() {
		return this.handlers.stream().filter((handler) -> !handler.passed().isDone()).map(OfHandler::name).toList();
	}

	/**
	 * A mark in the queue of one handler.
	 *
	 * @param name the name of the handler
	 * @param passed completes when the handler has completed all changes before the mark
	 */
	record OfHandler(String name, CompletableFuture<Void> passed) {

	}

}
