package dev.reflector.cache.config;

import java.util.Collection;

/**
 * Computes the values under which an index finds an object. Called under the lock of the
 * writer, by a thread of the reflector or by the thread that decodes, and also by readers
 * in {@link dev.reflector.Lister#byIndexOf}. So it must be fast, free of side effects and
 * thread-safe, and must not block. If it throws, the index does not find the object, and
 * the error is logged and counted.
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
	 * Returns the values of an object.
	 * @param object the object
	 * @return none, one or many values
	 */
	Collection<String> values(T object);

}
