package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Warns of loggers of other libraries that are enabled at a level at which they print
 * credentials or objects.
 */
final class RevealingLoggers {

	private static final Logger logger = LoggerFactory.getLogger(RevealingLoggers.class);

	private static final List<Revealing> ALL = List.of(
			new Revealing("org.eclipse.jetty.client.transport.HttpSender", Level.DEBUG, "the token of the API server"),
			new Revealing("org.eclipse.jetty.client.transport.HttpReceiver", Level.DEBUG,
					"what the server answers, which may quote the token"),
			new Revealing("org.eclipse.jetty.client.transport.internal.HttpReceiverOverHTTP", Level.DEBUG,
					"what the server answers, which may quote the token"),
			new Revealing("org.eclipse.jetty.http.HttpGenerator", Level.DEBUG, "the token of the API server"),
			new Revealing("org.eclipse.jetty.http.HttpParser", Level.DEBUG,
					"what the server answers, which may quote the token"),
			new Revealing("org.eclipse.jetty.io.ssl.SslConnection", Level.DEBUG,
					"what the server answers, which may quote the token"),
			new Revealing("org.apache.hc.client5.http.headers", Level.DEBUG, "the token of the API server"),
			new Revealing("org.apache.hc.client5.http.wire", Level.DEBUG, "the token of the API server, and objects"),
			new Revealing("org.postgresql.core.v3.QueryExecutorImpl", Level.TRACE, "objects of durable mirrors"),
			new Revealing("org.postgresql.Driver", Level.DEBUG,
					"the URL of the database, with the password if that is in it"),
			new Revealing("com.zaxxer.hikari.HikariConfig", Level.DEBUG,
					"the URL of the database, with most forms of a password if one is in it"),
			new Revealing("com.zaxxer.hikari.util.DriverDataSource", Level.DEBUG,
					"the URL of the database, with most forms of a password if one is in it"),
			new Revealing("org.springframework.jdbc.datasource.DriverManagerDataSource", Level.DEBUG,
					"the URL of the database, with the password if that is in it"));

	private RevealingLoggers() {
	}

	static void warn() {
		for (Revealing revealing : ALL) {
			if (LoggerFactory.getLogger(revealing.name()).isEnabledForLevel(revealing.level())) {
				logger.warn("The logger '{}' prints {} at {}. Set 'logging.level.{}=info'", revealing.name(),
						revealing.what(), revealing.level(), revealing.name());
			}
		}
	}

	/**
	 * A logger that prints credentials or objects.
	 *
	 * @param name name of the logger
	 * @param level the least detailed level at which the logger prints them
	 * @param what what the logger prints, for the warning
	 */
	private record Revealing(String name, Level level, String what) {

	}

}
