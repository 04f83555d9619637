package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceType;
import dev.reflector.cache.config.LimitSettings;
import org.jspecify.annotations.Nullable;

/**
 * Defines what a reflector mirrors: the result of an annotation or registration,
 * placeholders and properties.
 *
 * @param <T> the type of the objects
 * @param type the type of the objects
 * @param name name of the reflector
 * @param resourceType group, version, kind and plural of the type
 * @param namespaces namespaces to mirror, empty for all
 * @param labelSelector label selector, empty for everything
 * @param fieldSelector field selector, empty for everything
 * @param resyncPeriod resync period, zero for never
 * @param pollInterval how often a type that cannot be watched is listed, {@code null} for
 * the default
 * @param enabled whether to start the reflector
 * @param metadataOnly whether to request only metadata, or {@code null} if the type
 * decides
 * @param limits how much the mirror may hold
 * @param snapshotName name under which the snapshot of the reflector is kept
 */
public record ReflectorDefinition<T>(Class<T> type, String name, ResourceType resourceType, List<String> namespaces,
		String labelSelector, String fieldSelector, Duration resyncPeriod, @Nullable Duration pollInterval,
		boolean enabled, @Nullable Boolean metadataOnly, LimitSettings limits, String snapshotName) {

}
