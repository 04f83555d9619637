package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;

import javax.sql.DataSource;

import dev.reflector.cache.snapshot.SnapshotStore;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.util.ClassUtils;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for snapshots in a SQL database: in the SQLite file that
 * {@code reflector.snapshot.jdbc.file} names, or in the {@link DataSource} of the
 * application.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
		beforeName = "dev.reflector.autoconfigure.ReflectorAutoConfiguration")
@ConditionalOnBooleanProperty("reflector.snapshot.enabled")
@ConditionalOnMissingBean(SnapshotStore.class)
@EnableConfigurationProperties(JdbcSnapshotProperties.class)
@ImportRuntimeHints(JdbcSnapshotAutoConfiguration.Scripts.class)
public final class JdbcSnapshotAutoConfiguration {

	/**
	 * Creates the store, after Flyway and Liquibase have run. These refuse a schema that
	 * already has tables, and the store may create its tables while other beans are
	 * created.
	 */
	@Bean
	@DependsOnDatabaseInitialization
	JdbcSnapshotStore reflectorSnapshotStore(JdbcSnapshotProperties properties,
			ObjectProvider<DataSource> dataSources) {
		Path file = properties.file();
		if (file != null) {
			if (!ClassUtils.isPresent("org.sqlite.JDBC", null)) {
				throw new NoSnapshotDatabaseException(
						"Snapshots of reflectors cannot be kept in " + file + ", because the SQLite driver is missing.",
						"Add 'org.xerial:sqlite-jdbc' to the dependencies of the application.");
			}
			SqliteFile.loadDriverInBackground();
			return JdbcSnapshotStore.of(file);
		}
		DataSource dataSource = dataSources.getIfUnique();
		if (dataSource == null) {
			throw new NoSnapshotDatabaseException(
					"Snapshots of reflectors are switched on ('reflector.snapshot.enabled'), but there is "
							+ (dataSources.stream().findAny().isPresent() ? "more than one DataSource" : "no database")
							+ " for them.",
					"Set 'reflector.snapshot.jdbc.file' to a file on a local disk for them, such as "
							+ "/var/lib/application/reflectors.db, or define one DataSource bean for PostgreSQL or H2, "
							+ "or your own SnapshotStore bean.");
		}
		return JdbcSnapshotStore.of(dataSource, properties.tablePrefix(), properties.initializeSchema());
	}

	/** Adds the scripts to a native image. */
	static class Scripts implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("dev/reflector/snapshot/jdbc/schema-*.sql");
		}

	}

}
