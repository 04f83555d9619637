package dev.reflector.cache.config;

import java.util.Collection;

/**
 * Computes the values under which an index finds an object. Called while the mirror is
 * locked, on a thread of the reflector or on the thread that decodes responses. Also
 * called by {@link dev.reflector.Lister#byIndexOf}, on the caller's thread and without a
 * lock. The function must be fast, free of side effects and thread-safe, and must not
 * block. Its result must depend only on the object: otherwise, the index may find an
 * object under former values. If the function throws, the index does not find the object,
 * and the error is logged and counted.
 *
 * <pre class="code">
 * // deployments.byIndex("team", "web")
 * &#064;Bean
 * static IndexFunction&lt;Deployment&gt; team() {
 *     return (deployment) -&gt; List.of(deployment.metadata().labels().getOrDefault("team", ""));
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface IndexFunction<T> {

	/**
	 * Returns the values under which an index finds an object.
	 * @param object the object
	 * @return the values; may be empty
	 */
	Collection<String> values(T object);

}
