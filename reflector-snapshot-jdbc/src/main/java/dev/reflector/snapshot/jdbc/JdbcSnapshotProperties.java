package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Settings of the database for snapshots.
 *
 * @param file SQLite file for the snapshots of all reflectors. If it is not set, the
 * snapshots are kept in the only DataSource of the application, or in the primary
 * DataSource.
 * @param initializeSchema When to create the tables of snapshots in a DataSource. The
 * tables of a SQLite file are always created.
 * @param tablePrefix Name of one table of snapshots in a DataSource. The names of the
 * other tables begin with it.
 */
@ConfigurationProperties("reflector.snapshot.jdbc")
record JdbcSnapshotProperties(@Nullable Path file,
		@DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
		@DefaultValue(JdbcSnapshotStore.DEFAULT_TABLE_PREFIX) String tablePrefix) {

}
