package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Settings of the database for snapshots.
 *
 * @param file SQLite file that holds the snapshots of all reflectors. Without it, they
 * are in the only DataSource of the application, or in the primary one.
 * @param initializeSchema When to make the tables of snapshots in a DataSource. The
 * tables in a SQLite file are always made.
 * @param tablePrefix Prefix of the names of all tables of snapshots in a DataSource. One
 * table has exactly this name.
 */
@ConfigurationProperties("reflector.snapshot.jdbc")
record JdbcSnapshotProperties(@Nullable Path file,
		@DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
		@DefaultValue(JdbcSnapshotStore.DEFAULT_TABLE_PREFIX) String tablePrefix) {

}
