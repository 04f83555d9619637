package dev.reflector.autoconfigure.registration;

import java.time.Duration;
import java.util.List;

import dev.reflector.autoconfigure.internal.PropertyChecks;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of one reflector below {@code reflector.resources.<name>}, which override its
 * annotation or registration. If no type has a reflector of that name, API version and
 * kind define a new reflector.
 *
 * @param apiVersion Group and version.
 * @param kind Kind of the objects.
 * @param plural Plural resource name.
 * @param namespaces Namespaces to mirror, empty for all.
 * @param labelSelector Label selector.
 * @param fieldSelector Field selector.
 * @param resyncPeriod How often every object is delivered again.
 * @param pollInterval How often a type is listed that the server cannot watch.
 * @param enabled Whether the reflector is started.
 * @param metadataOnly Whether the server is asked for the metadata of objects alone.
 * @param maxObjects Most objects that the mirror may hold; not set for no limit. An
 * object that exceeds the limit ends the request, and the mirror does not change.
 * @param maxSize Largest size of all mirrored objects together, as the server sends them
 * without compression; not set for no limit. Has no effect on mirrors of a Kafka topic.
 * @param snapshotName Name under which the snapshot of a durable mirror is kept, by
 * default the name of the reflector. Set it to the former name of a renamed reflector to
 * keep its snapshot.
 * @since 0.1.0
 */
public record ReflectedResourceProperties(@Nullable String apiVersion, @Nullable String kind, @Nullable String plural,
		@Nullable List<String> namespaces, @Nullable String labelSelector, @Nullable String fieldSelector,
		@Nullable Duration resyncPeriod, @Nullable Duration pollInterval, @DefaultValue("true") boolean enabled,
		@Nullable Boolean metadataOnly, @Nullable Long maxObjects, @Nullable DataSize maxSize,
		@Nullable String snapshotName) {

	/**
	 * Treats an empty API version or kind as not set.
	 */
	public ReflectedResourceProperties {
		apiVersion = PropertyChecks.textOrNull(apiVersion);
		kind = PropertyChecks.textOrNull(kind);
		snapshotName = PropertyChecks.textOrNull(snapshotName);
	}

	/**
	 * Returns whether these settings can define a reflector without an annotated class.
	 * @return whether API version and kind are set
	 */
	public boolean isComplete() {
		return this.apiVersion != null && this.kind != null;
	}

}
