package dev.reflector.snapshot.jdbc;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.BeanUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.ReflectionUtils;

/**
 * An H2 database in a file that this process opens itself. Unless
 * {@code DB_CLOSE_ON_EXIT=FALSE} is set, H2 closes the database as soon as the JVM begins
 * to shut down, before the last changes are stored.
 */
final class H2File {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final String PREFIX = "jdbc:h2:";

	private static final String LEFT_OPEN = "DB_CLOSE_ON_EXIT=FALSE";

	private static final String SHARED = "AUTO_SERVER=TRUE";

	/**
	 * Prefixes of databases that are not in a file, or in a file that another process
	 * opens.
	 */
	private static final Set<String> OTHERS = Set.of("mem", "tcp", "ssl", "zip", "classpath", "memfs", "memlz",
			"niomemfs", "niomemlz");

	private H2File() {
	}

	/**
	 * Refuses a file that H2 closes by itself. Does nothing if the URL cannot be read.
	 * The setting is read from the URL, because no statement of H2 returns it.
	 * @param dataSource the DataSource of the application
	 * @throws NoSnapshotDatabaseException if H2 closes the file by itself
	 */
	static void check(DataSource dataSource) {
		DataSource pool = pool(dataSource);
		String url = url(pool);
		boolean left = url != null && (has(url, LEFT_OPEN) || hasProperty(pool));
		if (url != null && isFile(url) && (!left || has(url, SHARED))) {
			throw refused(url);
		}
	}

	/**
	 * Logs a warning if the database is in a file, but {@link #check} could not read the
	 * URL of the DataSource.
	 * @param dataSource the DataSource of the application
	 * @param url the URL of a connection, which does not have all settings
	 */
	static void warnIfHidden(DataSource dataSource, String url) {
		if (isFile(url) && url(pool(dataSource)) == null) {
			logger.warn("Snapshots of reflectors are kept in {}, but the URL of its DataSource is not "
					+ "known. If the URL lacks DB_CLOSE_ON_EXIT=FALSE, deletions can be lost when the "
					+ "application ends", UrlCredentials.place(url));
		}
	}

	private static boolean hasProperty(DataSource pool) {
		return Stream.of("dataSourceProperties", "connectionProperties")
			.map((name) -> value(pool, name))
			.anyMatch((properties) -> properties instanceof Properties all
					&& "FALSE".equalsIgnoreCase(String.valueOf(all.get("DB_CLOSE_ON_EXIT"))));
	}

	private static NoSnapshotDatabaseException refused(String url) {
		String instead = "keep the snapshots in PostgreSQL, or set 'reflector.snapshot.jdbc.file' to a SQLite file";
		String action = has(url, SHARED)
				? "H2 does not combine AUTO_SERVER=TRUE with DB_CLOSE_ON_EXIT=FALSE, which would be needed: " + instead
						+ "."
				: "Add ;DB_CLOSE_ON_EXIT=FALSE to the URL of the DataSource, such as 'spring.datasource.url'. H2 does "
						+ "not combine it with AUTO_SERVER=TRUE: if that is needed, " + instead + ".";
		return new NoSnapshotDatabaseException("Snapshots of reflectors cannot be kept in " + UrlCredentials.place(url)
				+ ": H2 closes this file as soon as the process is asked to end, and deletions that are delivered "
				+ "after that would be lost at the next start.", action);
	}

	private static boolean isFile(String url) {
		if (!url.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
			return false;
		}
		String name = url.substring(PREFIX.length()).toLowerCase(Locale.ROOT);
		return !OTHERS.contains(name.substring(0, Math.max(0, name.indexOf(':'))));
	}

	private static boolean has(String url, String setting) {
		return Arrays.stream(url.split(";")).skip(1).anyMatch((part) -> part.strip().equalsIgnoreCase(setting));
	}

	private static DataSource pool(DataSource dataSource) {
		DataSource target = dataSource;
		while (target instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			target = delegating.getTargetDataSource();
		}
		return target;
	}

	/**
	 * Returns the URL that a connection pool uses. Pools have different names for this
	 * property.
	 */
	private static @Nullable String url(DataSource pool) {
		return Stream.of("jdbcUrl", "url", "URL")
			.map((name) -> value(pool, name))
			.filter(String.class::isInstance)
			.map(Object::toString)
			.filter((url) -> !url.isEmpty())
			.findFirst()
			.orElse(null);
	}

	private static @Nullable Object value(DataSource pool, String name) {
		PropertyDescriptor property = BeanUtils.getPropertyDescriptor(pool.getClass(), name);
		Method method = (property != null) ? property.getReadMethod() : null;
		return (method != null) ? ReflectionUtils.invokeMethod(method, pool) : null;
	}

}
