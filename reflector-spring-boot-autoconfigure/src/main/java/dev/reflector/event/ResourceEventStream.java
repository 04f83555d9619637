package dev.reflector.event;

import dev.reflector.cache.informer.SharedInformer;
import reactor.core.publisher.Flux;

/**
 * The events of a reflector as a stream, injectable by the type of the objects like a
 * lister. Without a subscriber it does nothing and has no thread.
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
	 * The current state and all later changes, separately for each subscriber. The stream
	 * begins with a {@link ResourceAddedEvent} that is an
	 * {@link ResourceEvent#initialList() initial} one for each object of the mirror, once
	 * that is complete, and continues with every change. Events of one object come in
	 * order, after the mirror has been updated, and never more than were requested.
	 * <p>
	 * The mirror does not wait for a subscriber: {@code reflector.events.queue-capacity}
	 * changes wait for it, then changes of one object are merged, and when that is not
	 * enough the stream ends with an error that
	 * {@link reactor.core.Exceptions#isOverflow(Throwable)} knows. A new subscription
	 * begins again with the current state. A stop of the reflector only interrupts the
	 * stream; the close of the application context completes it.
	 * <p>
	 * Signals come on a thread {@code reflector-NAME-stream} of the subscriber's own,
	 * which may block.
	 * @return the events
	 */
	public Flux<ResourceEvent<T>> events() {
		return this.informer.changes().map((change) -> ResourceEvent.of(this.informer, this.type, change));
	}

}
