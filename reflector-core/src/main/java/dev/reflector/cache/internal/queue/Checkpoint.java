package dev.reflector.cache.internal.queue;

import java.util.concurrent.CompletableFuture;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.PersistentMap;

/**
 * A mark in the queue, after everything that one loop has queued so far. When the writer
 * of the mirror reaches the mark, the mirror is at the version that the loop had reached
 * when the mark was set.
 *
 * @param <T> the type of the objects
 */
public final class Checkpoint<T> {

	private final Indexer<T> indexer;

	private final CompletableFuture<Content<T>> content = new CompletableFuture<>();

	public Checkpoint(Indexer<T> indexer) {
		this.indexer = indexer;
	}

	/**
	 * Adds the mark to the queue. Called by the loop.
	 * @param fifo the queue between loop and mirror
	 * @param version the version up to which the loop has queued everything
	 */
	public void set(DeltaFifo<T> fifo, String version) {
		if (!fifo.mark(() -> this.content.complete(new Content<>(version, this.indexer.objects())))) {
			this.content.completeExceptionally(new BusyException());
		}
	}

	/**
	 * Returns the content of the mirror at the mark. The future completes when the writer
	 * of the mirror reaches the mark, or exceptionally with a {@link BusyException} if no
	 * mark can be set now.
	 */
	public CompletableFuture<Content<T>> content() {
		return this.content;
	}

	/**
	 * The content of the mirror at a version.
	 *
	 * @param <T> the type of the objects
	 * @param version the version, empty before the first list
	 * @param objects the objects of all namespaces
	 */
	public record Content<T>(String version, PersistentMap<ResourceKey, T> objects) {

	}

	/**
	 * Thrown when no mark can be set now, because the queue has no order across objects
	 * and is not empty, or because a change was lost on its way into the mirror.
	 */
	public static final class BusyException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
