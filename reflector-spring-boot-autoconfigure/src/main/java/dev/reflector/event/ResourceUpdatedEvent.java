package dev.reflector.event;

import dev.reflector.Reflector;
import dev.reflector.cache.handler.Change;

import org.springframework.core.ResolvableType;

/**
 * Published when an object has changed in the mirror, or when a resync delivers it again.
 * For a resync, {@link #previous()} is the same state as {@link #resource()}. Several
 * changes may be merged into one event, from the first state to the last, if a listener
 * is slow or the connection was lost.
 *
 * <pre class="code">
 * &#064;EventListener
 * void on(ResourceUpdatedEvent&lt;Deployment&gt; event) {
 *     int change = event.resource().spec().replicas() - event.previous().spec().replicas();
 *     System.out.println(event.key() + " has " + change + " replicas more");
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class ResourceUpdatedEvent<T> extends ResourceEvent<T> {

	private static final ClassValue<ResolvableType> TYPES = new ClassValue<>() {

		@Override
		protected ResolvableType computeValue(Class<?> type) {
			return ResolvableType.forClassWithGenerics(ResourceUpdatedEvent.class, type);
		}

	};

	/**
	 * Creates the event.
	 * @param reflector the reflector that saw the change
	 * @param type the type of the objects
	 * @param change the change
	 */
	public ResourceUpdatedEvent(Reflector<T> reflector, Class<T> type, Change<T> change) {
		super(reflector, change, TYPES.get(type));
	}

	/**
	 * Returns the object before the change; for a resync, the same as
	 * {@link #resource()}.
	 * @return the object
	 */
	public T previous() {
		T previous = change().previous();
		return (previous != null) ? previous : resource();
	}

}
