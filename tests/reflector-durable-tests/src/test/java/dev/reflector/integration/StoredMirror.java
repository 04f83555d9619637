package dev.reflector.integration;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.snapshot.jdbc.JdbcSnapshotStore;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.awaitility.Awaitility.await;

/**
 * The stored state of the widgets, as another process reads it.
 *
 * @param cursor the version up to which all changes are completed, 0 for none
 * @param objects the versions by key
 * @param announced objects that may have been delivered as added: versions by key
 */
record StoredMirror(long cursor, Map<String, String> objects, Map<String, String> announced) {

	static final StoredMirror NOTHING = new StoredMirror(0, Map.of(), Map.of());

	/**
	 * Reads what is stored.
	 * @param place a file, or the URL of a database
	 * @param dead whether the process that wrote is dead: then waits until the database
	 * has ended what that process had begun
	 */
	static StoredMirror read(String place, boolean dead) {
		try (JdbcSnapshotStore store = store(place); Snapshot snapshot = store.open("widgets")) {
			if (dead) {
				await().atMost(CrashLife.PATIENCE).until(snapshot::claim);
			}
			Reader reader = new Reader();
			snapshot.load(reader);
			return new StoredMirror(reader.cursor, reader.objects, reader.announced);
		}
	}

	private static JdbcSnapshotStore store(String place) {
		return place.startsWith("jdbc:") ? JdbcSnapshotStore.of(new DriverManagerDataSource(place),
				JdbcSnapshotStore.DEFAULT_TABLE_PREFIX, DatabaseInitializationMode.ALWAYS)
				: JdbcSnapshotStore.of(Path.of(place));
	}

	private static final class Reader implements SnapshotReader {

		private final Map<String, String> objects = new HashMap<>();

		private final Map<String, String> announced = new HashMap<>();

		private long cursor;

		@Override
		public boolean head(SnapshotHead head) {
			this.cursor = Long.parseLong(head.cursors().getOrDefault("", "0"));
			return true;
		}

		@Override
		public void object(StoredObject object) {
			(object.announced() ? this.announced : this.objects).put(object.key().toString(), object.resourceVersion());
		}

	}

}
