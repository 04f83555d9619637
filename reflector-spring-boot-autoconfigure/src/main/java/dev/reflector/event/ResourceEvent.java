package dev.reflector.event;

import dev.reflector.PrintableText;
import dev.reflector.Reflector;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ContentUnknownException;
import dev.reflector.cache.handler.Ownership;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;

/**
 * Published when a mirrored object has changed. Listeners are matched by the generic
 * type: a listener for {@code ResourceEvent<Deployment>} receives all changes of
 * deployments, a listener for {@code ResourceUpdatedEvent<Deployment>} only updates.
 * <p>
 * Events of one object are published in the order in which the server made the changes,
 * on an event thread of the reflector and after the mirror has been updated. No
 * transaction is active on that thread. {@code reflector.events.on-error} decides what
 * happens when a listener throws an exception; see {@link ResourceDeadLetterEvent}.
 *
 * <pre class="code">
 * &#064;EventListener
 * void on(ResourceEvent&lt;Deployment&gt; event) {
 *     if (!event.initialList()) {
 *         System.out.println(event.key() + " wants " + event.resource().spec().replicas());
 *     }
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public abstract sealed class ResourceEvent<T> extends DeliveredEvent implements ResolvableTypeProvider
		permits ResourceAddedEvent, ResourceUpdatedEvent, ResourceDeletedEvent {

	private final transient Change<T> change;

	private final transient ResolvableType resolvableType;

	ResourceEvent(Reflector<T> reflector, Change<T> change, ResolvableType resolvableType) {
		super(reflector);
		this.change = change;
		this.resolvableType = resolvableType;
	}

	static <T> ResourceEvent<T> of(Reflector<T> reflector, Class<T> type, Change<T> change) {
		return switch (change.type()) {
			case ADDED -> new ResourceAddedEvent<>(reflector, type, change);
			case UPDATED -> new ResourceUpdatedEvent<>(reflector, type, change);
			case DELETED -> new ResourceDeletedEvent<>(reflector, type, change);
		};
	}

	/**
	 * Returns the object after the change; for a deletion, the last known state of the
	 * object.
	 * @return the object
	 * @throws ContentUnknownException if the object was deleted and its content is not
	 * known: see {@link ResourceDeletedEvent#contentUnknown()}
	 */
	public T resource() {
		return this.change.object();
	}

	/**
	 * Returns the key of the object.
	 * @return the key
	 */
	public ResourceKey key() {
		return this.change.key();
	}

	/**
	 * Returns the version of the object.
	 * @return the version
	 */
	public String resourceVersion() {
		return this.change.resourceVersion();
	}

	/**
	 * Returns the name of the reflector that received the change.
	 * @return the name
	 */
	public String reflectorName() {
		return reflector().name();
	}

	/**
	 * Returns the reflector that received the change.
	 * @return the reflector
	 */
	@SuppressWarnings("unchecked")
	public Reflector<T> reflector() {
		return (Reflector<T>) getSource();
	}

	/**
	 * Whether the object existed already: it was in the first list after the start, or in
	 * the mirror when the listener was added.
	 * @return whether the object existed already
	 */
	public boolean initialList() {
		return this.change.initialList();
	}

	/**
	 * Returns how the reflector learned of the change.
	 * @return the cause
	 */
	public Change.Cause cause() {
		return this.change.cause();
	}

	/**
	 * Returns the ownership under which this replica delivers the change. There is one if
	 * replicas divide the objects through Leases, or if only the leader delivers. A
	 * listener can send the epoch of the ownership to another system. The other system
	 * can then refuse writes with an epoch that is smaller than an epoch it has received
	 * before.
	 * @return the ownership, or {@code null} if every replica delivers all changes of its
	 * mirror
	 */
	public @Nullable Ownership ownership() {
		return this.change.ownership();
	}

	@Override
	public ResolvableType getResolvableType() {
		return this.resolvableType;
	}

	final Change<T> change() {
		return this.change;
	}

	/**
	 * Returns the event in one line, without the content of the object.
	 * @return type of the event, name of the reflector, key and version of the object
	 */
	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + reflectorName() + " " + key() + " @ "
				+ PrintableText.of(resourceVersion()) + "]";
	}

}
