/**
 * Keeps snapshots in a SQL database: in its own SQLite file, or in the PostgreSQL or H2
 * database of the application. The engine calls
 * {@link dev.reflector.snapshot.jdbc.JdbcSnapshotStore} on one thread for each reflector.
 * All calls run on the calling thread and block it.
 */
@NullMarked
package dev.reflector.snapshot.jdbc;

import org.jspecify.annotations.NullMarked;
