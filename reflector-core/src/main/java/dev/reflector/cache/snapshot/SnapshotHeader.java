package dev.reflector.cache.snapshot;

import java.util.List;

/**
 * Describes the collection and the format of a snapshot, and the application that has
 * written it. If any component except the application differs from the reflector's own
 * value, the reflector does not resume from the snapshot and lists everything. If the
 * format, the type or the cluster differs, the reflector does not even compare the
 * snapshot with the list.
 *
 * @param format the format of the stored objects
 * @param shape a digest of the declared fields of the record
 * @param resourceType group, version and kind
 * @param labelSelector the label selector, empty for none
 * @param fieldSelector the field selector, empty for none
 * @param namespaces the namespaces in order, empty for all
 * @param server identifies the cluster by its uid and URL, as returned by
 * {@link dev.reflector.cache.source.ListerWatcher#serverIdentity()}
 * @param application the name of the application that has written the snapshot, empty
 * when it has none. Applications with different names do not share a snapshot
 * @since 0.1.0
 */
public record SnapshotHeader(int format, String shape, String resourceType, String labelSelector, String fieldSelector,
		List<String> namespaces, String server, String application) {

	public SnapshotHeader {
		namespaces = List.copyOf(namespaces);
	}

	/**
	 * Creates a header for an application that has no name.
	 * @param format the format of the stored objects
	 * @param shape a digest of the declared fields of the record
	 * @param resourceType group, version and kind
	 * @param labelSelector the label selector, empty for none
	 * @param fieldSelector the field selector, empty for none
	 * @param namespaces the namespaces in order, empty for all
	 * @param server identifies the cluster
	 */
	public SnapshotHeader(int format, String shape, String resourceType, String labelSelector, String fieldSelector,
			List<String> namespaces, String server) {
		this(format, shape, resourceType, labelSelector, fieldSelector, namespaces, server, "");
	}

}
