package dev.reflector.snapshot.jdbc;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotCommit;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotFacts;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.cache.snapshot.SnapshotGapException;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.StoredObject;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * The snapshot of one reflector, as rows of the tables. A writer claims the snapshot
 * before it writes. Each claim raises the epoch of the reflector, and a write succeeds
 * only with the epoch of the last claim. So a writer that was replaced can write nothing
 * more, even if it has not noticed this.
 */
final class JdbcSnapshot implements Snapshot {

	private static final int ROWS_OF_A_BATCH = 500;

	private static final String SET_ASIDE = " (set aside)";

	private final SnapshotDatabase database;

	private final String reflector;

	private final Clock clock;

	/** The epoch of the claim, or {@code null} if there is no claim. */
	private @Nullable Long epoch;

	JdbcSnapshot(SnapshotDatabase database, String reflector, Clock clock) {
		this.database = database;
		this.reflector = reflector;
		this.clock = clock;
	}

	@Override
	public boolean claim() {
		this.database.open();
		if (!this.database.hold(this.reflector, this)) {
			this.epoch = null;
			return false;
		}
		Long before = this.epoch;
		if (before == null) {
			this.epoch = this.database.write(this::raiseEpoch);
			return true;
		}
		Long now = this.database
			.<@Nullable Long>read((jdbc) -> only(jdbc.queryForList(sql().epoch, Long.class, this.reflector)));
		if (!before.equals(now)) {
			// another process has claimed the snapshot since, so the caller must load the
			// snapshot again
			giveUp();
			return false;
		}
		return true;
	}

	private long raiseEpoch(JdbcOperations jdbc) {
		requireKnownTables(jdbc);
		if (jdbc.update(sql().raiseEpoch, this.reflector) == 0) {
			jdbc.update(sql().insertReflector, this.reflector, 1);
		}
		return number(jdbc, sql().epoch);
	}

	@Override
	public boolean load(SnapshotReader reader) {
		this.database.open();
		return this.database.read((jdbc) -> {
			Stored stored = stored(jdbc);
			if (stored == null) {
				return false;
			}
			if (reader.head(stored.head)) {
				RowCallbackHandler objects = (row) -> reader.object(SnapshotRows.object(sql().dialect, row));
				jdbc.query(sql().objects, objects, stored.id);
			}
			return true;
		});
	}

	/**
	 * Throws an exception if the tables have a later version than this release supports.
	 * A later release of this library has created them.
	 */
	private void requireKnownTables(JdbcOperations jdbc) {
		Integer version = jdbc.queryForObject(sql().version, Integer.class);
		if (version != null && version > DatabaseSchema.VERSION) {
			throw new SnapshotException(
					"Snapshots in " + this.database.location() + " are in tables of version " + version
							+ ", which a later release has created, but this release supports only version "
							+ DatabaseSchema.VERSION
							+ ". Run that release again, or set 'reflector.snapshot.jdbc.file' to another file or "
							+ "'reflector.snapshot.jdbc.table-prefix' to another name: everything then comes as added",
					null);
		}
	}

	private @Nullable Stored stored(JdbcOperations jdbc) {
		requireKnownTables(jdbc);
		return only(jdbc.query(sql().head, (row, number) -> new Stored(row.getLong("ID"), SnapshotRows.head(row)),
				this.reflector));
	}

	@Override
	public void commit(SnapshotCommit commit) {
		long claimed = epochOfTheClaim();
		SnapshotHead head = new SnapshotHead(commit.id(), commit.header(), commit.cursors(), this.clock.instant());
		written((jdbc) -> {
			List<Object> values = SnapshotRows.values(head);
			values.add(this.reflector);
			values.add(claimed);
			values.add(commit.previous());
			if (jdbc.update(sql().commitHead, values.toArray()) == 0) {
				throw isEpoch(jdbc, claimed) ? gap() : fenced();
			}
			long id = number(jdbc, sql().id);
			delete(jdbc, id, commit.deletions());
			upsert(jdbc, id, commit.upserts());
			return id;
		});
	}

	private void delete(JdbcOperations jdbc, long id, List<ResourceKey> keys) {
		jdbc.batchUpdate(sql().deleteObject, keys, ROWS_OF_A_BATCH, (statement, key) -> {
			statement.setLong(1, id);
			statement.setString(2, key.namespace());
			statement.setString(3, key.name());
		});
	}

	private void upsert(JdbcOperations jdbc, long id, List<StoredObject> objects) {
		jdbc.batchUpdate(sql().upsertObject, objects, ROWS_OF_A_BATCH, (statement, object) -> {
			statement.setLong(1, id);
			statement.setString(2, object.key().namespace());
			statement.setString(3, object.key().name());
			sql().dialect.bind(statement, 4, SnapshotEntry.of(object));
		});
	}

	/**
	 * Sets this snapshot aside. If the file of the database is damaged, the whole file is
	 * moved. Otherwise, the snapshot is renamed to the first unused name.
	 */
	@Override
	public String setAside(String reason) {
		long claimed = epochOfTheClaim();
		String moved = this.database.moveAsideIfDamaged();
		if (moved != null) {
			this.epoch = this.database.write(this::raiseEpoch);
			return moved;
		}
		return "'" + written((jdbc) -> {
			if (!isEpoch(jdbc, claimed)) {
				throw fenced();
			}
			String name = this.reflector + SET_ASIDE;
			if (jdbc.queryForList(sql().committedId, Long.class, this.reflector).isEmpty()) {
				return name;
			}
			for (int number = 2; !jdbc.queryForList(sql().id, Long.class, name).isEmpty(); number++) {
				name = this.reflector + SET_ASIDE + " " + number;
			}
			jdbc.update(sql().rename, name, reason, this.reflector);
			jdbc.update(sql().insertReflector, this.reflector, claimed);
			return name;
		}) + "' in " + this.database.location();
	}

	@Override
	public SnapshotFacts facts() {
		this.database.open();
		return this.database.read((jdbc) -> {
			Stored stored = stored(jdbc);
			if (stored == null) {
				return new SnapshotFacts(0, 0, Map.of(), null);
			}
			return jdbc.queryForObject(sql().size, (row, number) -> new SnapshotFacts(row.getLong(1), row.getLong(2),
					stored.head.cursors(), stored.head.committedAt()), stored.id);
		});
	}

	@Override
	public void close() {
		giveUp();
	}

	private void giveUp() {
		this.epoch = null;
		this.database.release(this.reflector, this);
	}

	private long epochOfTheClaim() {
		Long claimed = this.epoch;
		if (claimed == null) {
			throw fenced();
		}
		return claimed;
	}

	private <R> R written(Function<JdbcOperations, R> work) {
		try {
			return this.database.write(work);
		}
		catch (SnapshotFencedException ex) {
			giveUp();
			throw ex;
		}
	}

	private SnapshotFencedException fenced() {
		return new SnapshotFencedException("Another process writes the snapshot of '" + this.reflector + "' in "
				+ this.database.location() + ", or that snapshot was removed, so this process is no longer its writer");
	}

	private SnapshotGapException gap() {
		return new SnapshotGapException("The snapshot of '" + this.reflector + "' in " + this.database.location()
				+ " is not the one that this process stored last: the database was put back to an earlier "
				+ "state, or has " + "lost commits");
	}

	/**
	 * Whether a claim is still valid. If it is valid, no other process can write until
	 * the current transaction ends.
	 */
	private boolean isEpoch(JdbcOperations jdbc, long claimed) {
		return jdbc.update(sql().checkEpoch, this.reflector, claimed) > 0;
	}

	private SnapshotSql sql() {
		return this.database.sql();
	}

	private long number(JdbcOperations jdbc, String sql) {
		return Objects.requireNonNull(jdbc.queryForObject(sql, Long.class, this.reflector));
	}

	private static <T> @Nullable T only(List<? extends @Nullable T> rows) {
		return rows.isEmpty() ? null : rows.get(0);
	}

	/**
	 * A stored head and the key of its row.
	 *
	 * @param id the key, to which the rows of the objects refer
	 * @param head the head
	 */
	private record Stored(long id, SnapshotHead head) {
	}

}
