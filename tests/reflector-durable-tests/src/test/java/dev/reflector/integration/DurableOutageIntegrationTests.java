package dev.reflector.integration;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.snapshot.jdbc.fixture.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Additions are delivered while the store does not answer, for each reason that it can
 * have, and an application ends in spite of it.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableOutageIntegrationTests extends DurableScenario {

	private static final String[] SOON = { "reflector.snapshot.announce-timeout=200ms" };

	private final List<AutoCloseable> opened = new ArrayList<>();

	private HikariDataSource pool;

	@AfterEach
	void closeWhatWasOpened() throws Exception {
		for (AutoCloseable closeable : this.opened) {
			closeable.close();
		}
	}

	/** An application whose pool waits for a connection as long as it does by default. */
	private MirrorApplication applicationWith(String url) {
		return applicationWith(url, 30_000);
	}

	private MirrorApplication applicationWith(String url, long connectionTimeout) {
		this.pool = PostgresServer.pool(url);
		this.pool.setConnectionTimeout(connectionTimeout);
		return MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean(DataSource.class, () -> this.pool),
				"reflector.api-server.url=" + this.server.url(), "reflector.snapshot.enabled=true",
				"reflector.snapshot.jdbc.initialize-schema=always", "reflector.events.on-error=stop", SOON[0]);
	}

	private String throughProxy(TcpProxy proxy, String url) {
		this.opened.add(proxy);
		return url.replaceAll("127.0.0.1:\\d+", "127.0.0.1:" + proxy.port());
	}

	/** The store stays away until its application has ended. */
	private void deliversAndEnds(MirrorApplication running, Outage outage) throws Exception {
		try (MirrorApplication application = running) {
			application.awaitEqualTo(this.widgets);
			awaitStored(application);
			outage.begin();
			create("d");
			create("e");
			change("a", 7);
			this.widgets.delete("default", "b");
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(() -> assertThat(kinds(application)).contains("+d", "+e", "-b", "~a>a"));
			await().until(() -> application.reflector.durability().lastError() != null);
			Durability away = application.reflector.durability();
			assertThat(away.behindSince()).isNotNull();
			assertThat(application.reflector.state()).isEqualTo(ReflectorState.WATCHING);
		}
	}

	private void startsAgain(MirrorApplication started) {
		try (MirrorApplication application = started) {
			await().until(application.reflector::hasSynced);
			await().until(() -> application.reflector.status().size() == this.widgets.size());
			// changes that were not stored are repeated, and none is missing
			await().untilAsserted(() -> assertThat(kinds(application)).contains("+d", "+e", "-b", "~a>a"));
			awaitStored(application);
		}
	}

	@Test
	@LongFormOnly
	void aDatabaseThatRefusesConnections() throws Exception {
		PostgresServer postgres = PostgresServer.get();
		String url = postgres.newDatabase();
		TcpProxy proxy = new TcpProxy(postgres.port());
		deliversAndEnds(applicationWith(throughProxy(proxy, url)), proxy::goAway);
		startsAgain(applicationWith(url));
	}

	@Test
	@LongFormOnly
	void aDatabaseThatDoesNotAnswer() throws Exception {
		PostgresServer postgres = PostgresServer.get();
		String url = postgres.newDatabase();
		TcpProxy proxy = new TcpProxy(postgres.port());
		// the end of the pool waits as long for a connection that it opens
		deliversAndEnds(applicationWith(throughProxy(proxy, url), 1000), proxy::fallSilent);
		postgres.endSessions(url.replaceAll(".*/|\\?.*", ""));
		startsAgain(applicationWith(url));
	}

	@Test
	@LongFormOnly
	void tablesThatAnotherSessionHasLocked() throws Exception {
		String url = PostgresServer.get().newDatabase();
		Connection other = DriverManager.getConnection(url);
		this.opened.add(other);
		deliversAndEnds(applicationWith(url), () -> {
			other.setAutoCommit(false);
			execute(other, "LOCK TABLE REFLECTOR_SNAPSHOT, REFLECTOR_SNAPSHOT_OBJECT IN ACCESS EXCLUSIVE MODE");
		});
		other.rollback();
		startsAgain(applicationWith(url));
	}

	@Test
	@LongFormOnly
	void aPoolThatTheApplicationHasExhausted() throws Exception {
		String url = PostgresServer.get().newDatabase();
		List<Connection> taken = new ArrayList<>();
		deliversAndEnds(applicationWith(url), () -> {
			// the claim keeps one
			while (taken.size() < this.pool.getMaximumPoolSize() - 1) {
				taken.add(this.pool.getConnection());
			}
		});
		startsAgain(applicationWith(url));
	}

	@Test
	@LongFormOnly
	void aFileThatAnotherProcessHasLocked() throws Exception {
		Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
		this.opened.add(other);
		deliversAndEnds(application(SOON), () -> execute(other, "BEGIN IMMEDIATE"));
		execute(other, "ROLLBACK");
		startsAgain(application(SOON));
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** Something that keeps the store from answering. */
	private interface Outage {

		void begin() throws SQLException, IOException;

	}

}
