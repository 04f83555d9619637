package dev.reflector.cache.source;

/**
 * Changes each object before it is stored, for example to remove fields that are not
 * needed (client-go: {@code TransformFunc}). Called on threads of the source, possibly
 * several times for one version of an object, so it must be fast and free of side
 * effects. It must not change name, namespace or resource version. When it throws or
 * returns {@code null}, the object is skipped as if it could not be read, and the mirror
 * keeps the last version that it has.
 *
 * <pre class="code">
 * &#064;Bean
 * static TransformFunction&lt;Deployment&gt; withoutNegativeNumbers() {
 *     return (deployment) -&gt; new Deployment(deployment.metadata(),
 *             new Deployment.Spec(Math.max(0, deployment.spec().replicas())));
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface TransformFunction<T> {

	/**
	 * Changes an object.
	 * @param object the object that was read
	 * @return the object to store, which may be the given instance
	 */
	T transform(T object);

}
