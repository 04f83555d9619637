package dev.reflector.event;

import dev.reflector.Reflector;
import dev.reflector.cache.handler.Change;

import org.springframework.core.ResolvableType;

/**
 * Published when an object has appeared in the mirror. When the mirror is filled after a
 * start, an event with {@link #initialList()} is also published for each object that
 * already exists. With a durable mirror, these events are published only for objects that
 * the snapshot does not have.
 *
 * <pre class="code">
 * &#064;EventListener
 * void on(ResourceAddedEvent&lt;Deployment&gt; event) {
 *     System.out.println(event.key() + (event.initialList() ? " exists" : " is new"));
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class ResourceAddedEvent<T> extends ResourceEvent<T> {

	private static final ClassValue<ResolvableType> TYPES = new ClassValue<>() {

		@Override
		protected ResolvableType computeValue(Class<?> type) {
			return ResolvableType.forClassWithGenerics(ResourceAddedEvent.class, type);
		}

	};

	/**
	 * Creates the event.
	 * @param reflector the reflector that saw the change
	 * @param type the type of the objects
	 * @param change the change
	 */
	public ResourceAddedEvent(Reflector<T> reflector, Class<T> type, Change<T> change) {
		super(reflector, change, TYPES.get(type));
	}

}
