package dev.reflector.event;

import dev.reflector.Reflector;
import dev.reflector.cache.handler.Change;

import org.springframework.core.ResolvableType;

/**
 * Published when an object has left the mirror, because it was deleted or a selector no
 * longer matches it. {@link #resource()} is the last known state of the object. The state
 * may be older than the deletion: see {@link #finalStateUnknown()}.
 *
 * <pre class="code">
 * &#064;EventListener
 * void on(ResourceDeletedEvent&lt;Deployment&gt; event) {
 *     System.out.println(event.key() + " had " + event.resource().spec().replicas() + " replicas");
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class ResourceDeletedEvent<T> extends ResourceEvent<T> {

	private static final ClassValue<ResolvableType> TYPES = new ClassValue<>() {

		@Override
		protected ResolvableType computeValue(Class<?> type) {
			return ResolvableType.forClassWithGenerics(ResourceDeletedEvent.class, type);
		}

	};

	/**
	 * Creates the event.
	 * @param reflector the reflector that saw the change
	 * @param type the type of the objects
	 * @param change the change
	 */
	public ResourceDeletedEvent(Reflector<T> reflector, Class<T> type, Change<T> change) {
		super(reflector, change, TYPES.get(type));
	}

	/**
	 * Whether the reflector did not receive an event of the deletion, but noticed the
	 * deletion later: a list no longer had the object, or another object of the same name
	 * had replaced it. In that case, {@link #resource()} may be older than the last state
	 * of the object.
	 * @return whether the final state is unknown
	 */
	public boolean finalStateUnknown() {
		return change().finalStateUnknown();
	}

	/**
	 * Whether only key, uid and version of the object are known. This happens if the
	 * object was deleted while the application was down, and the snapshot of its durable
	 * mirror does not have the content: either the type has changed since, or the content
	 * could not be written to the snapshot. Then {@link #resource()} throws an exception.
	 * {@link #key()} still identifies the object.
	 *
	 * <pre class="code">
	 * &#064;EventListener
	 * void on(ResourceDeletedEvent&lt;Deployment&gt; event) {
	 *     String had = event.contentUnknown() ? "?" : String.valueOf(event.resource().spec().replicas());
	 *     System.out.println(event.key() + " had " + had + " replicas");
	 * }
	 * </pre>
	 * @return whether the content is unknown
	 */
	public boolean contentUnknown() {
		return change().contentUnknown();
	}

}
