package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * What an annotated type if there is one, placeholders and properties together say about
 * a reflector.
 *
 * @param <T> the type of the objects
 * @param type the type of the objects
 * @param name name of the reflector
 * @param resourceType type of the objects at the server
 * @param namespaces namespaces to mirror, empty for all
 * @param labelSelector label selector, empty for everything
 * @param fieldSelector field selector, empty for everything
 * @param resyncPeriod resync period, zero for never
 * @param enabled whether to start the reflector
 * @param metadataOnly whether to ask for metadata alone, {@code null} to let the type
 * decide
 */
record ReflectorDefinition<T>(Class<T> type, String name, ResourceType resourceType, List<String> namespaces,
		String labelSelector, String fieldSelector, Duration resyncPeriod, boolean enabled,
		@Nullable Boolean metadataOnly) {

}
