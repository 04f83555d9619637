package dev.reflector.autoconfigure.internal.registration;

import java.util.List;

import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The store and the settings of the snapshots of durable mirrors.
 *
 * @param settings the settings, which apply to the snapshots of all reflectors
 * @param stores supplies the store
 * @param jsonMapper supplies the mapper for stored objects
 */
public record DurableSnapshots(Settings settings, ObjectProvider<SnapshotStore> stores,
		ObjectProvider<JsonMapper> jsonMapper) {

	private static final Logger logger = LoggerFactory.getLogger(DurableSnapshots.class);

	/**
	 * Warns if replicas take over from each other, but cannot read each other's
	 * snapshots.
	 * @param delivery what this replica delivers
	 */
	public void warnIfLocal(ReplicaDelivery delivery) {
		String takeover = delivery.takeover();
		SnapshotStore store = (takeover != null) ? this.stores.getIfUnique() : null;
		if (store != null && store.isLocal()) {
			logger.warn("Snapshots of reflectors are kept in {}, which only this host can read, and '{}' is set. A "
					+ "replica that takes over continues from its own snapshots: it delivers changes again that "
					+ "another replica has delivered, and not the deletions of objects that only the other replica "
					+ "has seen. Use a store that all replicas share: remove 'reflector.snapshot.jdbc.file', and use "
					+ "a DataSource for PostgreSQL", store.location(), takeover);
		}
	}

	<T> SnapshotOptions<T> options(ReflectorDefinition<T> definition, ReplicaDelivery delivery) {
		SnapshotStore store = this.stores.getIfUnique();
		if (store == null) {
			throw new ReflectorConfigurationException(
					"Snapshots are switched on ('reflector.snapshot.enabled'), but there is no store for them.",
					"Add 'dev.reflector:reflector-snapshot-jdbc' to the dependencies, or define one bean of type "
							+ SnapshotStore.class.getName() + ".");
		}
		return this.settings.options(
				new RenamedSnapshots(delivery.snapshots(store), definition.name(), definition.snapshotName()),
				codec(definition));
	}

	private <T> JsonSnapshotCodec<T> codec(ReflectorDefinition<T> definition) {
		// without the application's mapper, with the modules that the client reads with
		JsonMapper mapper = this.jsonMapper.getIfUnique(() -> JsonMapper.builder().findAndAddModules().build());
		JsonSnapshotCodec<T> codec = new JsonSnapshotCodec<>(mapper, definition.type(), definition.resourceType());
		List<String> problems = codec.problems();
		if (!problems.isEmpty()) {
			throw new ReflectorConfigurationException(
					"Snapshots are switched on ('reflector.snapshot.enabled'), but objects of "
							+ definition.type().getName() + ", of the reflector '" + definition.name()
							+ "', would be restored without some components. " + String.join(". ", problems) + ".",
					"Let the component be written as it is read: give it a field or a getter of its name and "
							+ "type, or a "
							+ "serializer (@JsonSerialize) that writes what its deserializer reads. Or remove it from "
							+ "the type, or leave snapshots off.");
		}
		return codec;
	}

	/** Makes the options of a snapshot from the properties for snapshots. */
	public interface Settings {

		<T> SnapshotOptions<T> options(SnapshotStore store, SnapshotCodec<T> codec);

	}

}
