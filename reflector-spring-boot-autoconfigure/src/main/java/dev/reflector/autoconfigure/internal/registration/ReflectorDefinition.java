package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.registration.ReflectedResourceProperties;

/**
 * Defines what a reflector mirrors. The values come from the annotation or registration,
 * whose placeholders are resolved, and from the properties, which take precedence.
 *
 * @param <T> the type of the objects
 * @param type the type of the objects
 * @param name name of the reflector
 * @param resourceType group, version, kind and plural of the type
 * @param namespaces namespaces to mirror, empty for all
 * @param labelSelector label selector, empty for everything
 * @param fieldSelector field selector, empty for everything
 * @param resyncPeriod resync period, zero for never
 * @param settings the configuration properties of the reflector. Use them only for
 * settings that are not a component of this record
 * @param snapshotName name under which the snapshot of the reflector is kept
 */
public record ReflectorDefinition<T>(Class<T> type, String name, ResourceType resourceType, List<String> namespaces,
		String labelSelector, String fieldSelector, Duration resyncPeriod, ReflectedResourceProperties settings,
		String snapshotName) {

}
