package dev.reflector.event;

import dev.reflector.cache.informer.SharedInformer;
import reactor.core.publisher.Flux;

/**
 * A stream of the events of a reflector. Like a lister, it is injected by the type of the
 * objects. Without a subscriber, the stream does nothing and has no thread.
 *
 * <pre class="code">
 * Flux&lt;String&gt; names(ResourceEventStream&lt;Deployment&gt; deployments) {
 *     return deployments.events().map((event) -&gt; event.key().name());
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class ResourceEventStream<T> {

	private final Class<T> type;

	private final SharedInformer<T> informer;

	/**
	 * Creates the stream.
	 * @param type the type of the objects
	 * @param informer the reflector
	 */
	public ResourceEventStream(Class<T> type, SharedInformer<T> informer) {
		this.type = type;
		this.informer = informer;
	}

	/**
	 * Returns the current state and all later changes. Each subscriber has a separate
	 * stream. Once the mirror is complete, the stream begins with an
	 * {@link ResourceEvent#initialList() initial} {@link ResourceAddedEvent} for each
	 * object of the mirror. Then it continues with every change. Events of one object
	 * come in order, after the mirror has been updated. The stream never sends more
	 * events than the subscriber has requested.
	 * <p>
	 * The mirror does not wait for a subscriber. Up to
	 * {@code reflector.events.queue-capacity} changes are queued for a subscriber. If
	 * more arrive, changes of the same object are merged. If none can be merged, the
	 * stream ends with an error for which
	 * {@link reactor.core.Exceptions#isOverflow(Throwable)} returns {@code true}. A new
	 * subscription begins again with the current state. If the reflector stops, the
	 * stream pauses until the reflector starts again. If the application context closes,
	 * the stream completes.
	 * <p>
	 * Each subscriber is called on a separate thread {@code reflector-NAME-stream}, and
	 * may block it.
	 * @return the events
	 */
	public Flux<ResourceEvent<T>> events() {
		return this.informer.changes().map((change) -> ResourceEvent.of(this.informer, this.type, change));
	}

}
