package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.snapshot.jdbc.fixture.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests a store while PostgreSQL is away, and when another process takes its claim.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class PostgresFaultTests {

	/** A table that each database has, since a lock belongs to a table. */
	private static final String TABLE = "pg_class";

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	private PostgresServer server;

	private String database;

	/** The last one. */
	private HikariDataSource pool;

	@BeforeEach
	void newDatabase() throws Exception {
		this.server = PostgresServer.get();
		this.database = this.server.newDatabase().replaceAll(".*/|\\?.*", "");
	}

	@AfterEach
	void closeWhatWasOpened() throws Exception {
		while (!this.opened.isEmpty()) {
			this.opened.pop().close();
		}
	}

	@Test
	void aDatabaseThatWasAwayIsUsedAgain() throws Exception {
		TcpProxy proxy = new TcpProxy(this.server.port());
		this.opened.push(proxy);
		JdbcSnapshotStore store = store(proxy.port(), 5);
		// two attempts wait until this timeout
		this.pool.setConnectionTimeout(2000);
		Snapshot snapshot = store.open("pods");
		assertThat(snapshot.claim()).isTrue();
		snapshot.commit(NumberedCommits.of(1));
		proxy.goAway();
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> snapshot.commit(NumberedCommits.of(2)))
			.withMessageStartingWith("Snapshots in jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + this.database
					+ " cannot be written: ")
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining("unused"));
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(snapshot::claim);
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(snapshot::facts);
		proxy.resume();
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(snapshot::claim);
		snapshot.commit(NumberedCommits.of(2));
		assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(2);
	}

	@Test
	void aDatabaseThatIsAwayAtTheStartIsReachedLater() throws Exception {
		TcpProxy proxy = new TcpProxy(this.server.port());
		this.opened.push(proxy);
		proxy.goAway();
		JdbcSnapshotStore store = store(proxy.port(), 5);
		this.pool.setConnectionTimeout(2000);
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> store.open("pods"))
			.withMessageStartingWith("Snapshots in the DataSource of the application cannot be opened: ");
		proxy.resume();
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> store.open("pods").claim());
	}

	@Test
	void aWriterThatLostItsLockGoesOnWhenTheLockIsStillFree() throws Exception {
		Snapshot snapshot = store(5).open("pods");
		assertThat(snapshot.claim()).isTrue();
		snapshot.commit(NumberedCommits.of(1));
		this.server.endSessions(this.database);
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(snapshot::claim);
		snapshot.commit(NumberedCommits.of(2));
		assertThat(store(5).open("pods").claim()).isFalse();
	}

	@Test
	void aReplacedWriterWritesNothingAndGetsAnException() throws Exception {
		Snapshot first = store(5).open("pods");
		assertThat(first.claim()).isTrue();
		first.commit(NumberedCommits.of(1));
		this.server.endSessions(this.database);
		Snapshot second = store(5).open("pods");
		await().atMost(Duration.ofSeconds(30)).until(second::claim);
		second.commit(NumberedCommits.of(2));
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThatExceptionOfType(SnapshotFencedException.class)
				.isThrownBy(() -> first.commit(NumberedCommits.of(3))));
		assertThatExceptionOfType(SnapshotFencedException.class).isThrownBy(() -> first.setAside("a test"));
		assertThat(first.claim()).isFalse();
		assertThat(NumberedCommits.lastOf(first)).isEqualTo(2);
		second.close();
		assertThat(first.claim()).isTrue();
		first.commit(NumberedCommits.of(3));
		assertThat(NumberedCommits.lastOf(first)).isEqualTo(3);
	}

	@Test
	void aWriterDetectsThatAnotherOneHasWrittenMeanwhile() throws Exception {
		Snapshot first = store(5).open("pods");
		assertThat(first.claim()).isTrue();
		this.server.endSessions(this.database);
		Snapshot second = store(5).open("pods");
		await().atMost(Duration.ofSeconds(30)).until(second::claim);
		second.commit(NumberedCommits.of(1));
		second.close();
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> !first.claim());
		assertThatExceptionOfType(SnapshotFencedException.class).isThrownBy(() -> first.commit(NumberedCommits.of(2)));
		assertThat(first.claim()).isTrue();
		assertThat(NumberedCommits.lastOf(first)).isEqualTo(1);
	}

	/** A session of the test shows that the server ends idle ones. */
	@Test
	@LongFormOnly
	void anIdleSessionKeepsItsClaim() throws Exception {
		String url = PostgresServer.url(this.server.port(), this.database) + "&options=-c%20idle_session_timeout=2s";
		try (JdbcSnapshotStore store = JdbcSnapshotStore.of(new DriverManagerDataSource(url), "SNAPSHOTS",
				DatabaseInitializationMode.ALWAYS)) {
			Snapshot snapshot = store.open("pods");
			assertThat(snapshot.claim()).isTrue();
			try (Connection idleForShorter = DriverManager.getConnection(url)) {
				awaitEnd(idleForShorter);
			}
			assertThat(store(5).open("pods").claim()).isFalse();
			assertThat(snapshot.claim()).isTrue();
			snapshot.commit(NumberedCommits.of(1));
		}
	}

	@Test
	@LongFormOnly
	void aPoolGetsTheSessionBackAsItWas() throws Exception {
		String url = PostgresServer.url(this.server.port(), this.database) + "&options=-c%20idle_session_timeout=1h";
		AdvisoryLock lock = new AdvisoryLock(new TimedDataSource(new DriverManagerDataSource(url)), TABLE);
		try (Connection connection = lock.connect()) {
			assertThat(idleSessionTimeout(connection)).isEqualTo("0");
			lock.restore(connection);
			assertThat(idleSessionTimeout(connection)).isEqualTo("1h");
		}
	}

	private static String idleSessionTimeout(Connection connection) throws SQLException {
		try (ResultSet setting = connection.createStatement().executeQuery("SHOW idle_session_timeout")) {
			assertThat(setting.next()).isTrue();
			return setting.getString(1);
		}
	}

	@Test
	@LongFormOnly
	void aSessionThatWasEndedBecauseItWasIdleIsNamed(CapturedOutput output) throws Exception {
		AtomicReference<Connection> session = new AtomicReference<>();
		AdvisoryLock lock = new AdvisoryLock(
				new TimedDataSource(new DriverManagerDataSource(PostgresServer.url(this.server.port(), this.database))),
				TABLE) {

			@Override
			Connection connect() throws SQLException {
				session.set(super.connect());
				return session.get();
			}

		};
		this.opened.push(lock::close);
		assertThat(lock.hold("pods", this)).isTrue();
		execute(session.get(), "SET idle_session_timeout = '50ms'");
		AdvisoryLock other = new AdvisoryLock(
				new TimedDataSource(new DriverManagerDataSource(PostgresServer.url(this.server.port(), this.database))),
				TABLE);
		this.opened.push(other::close);
		await().until(() -> other.hold("pods", this));
		assertThat(lock.hold("pods", this)).isFalse();
		assertThat(output).contains("so another process may write them now");
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** Asks another session, as asking this one would keep it busy. */
	private void awaitEnd(Connection idle) throws SQLException {
		int process = idle.unwrap(PGConnection.class).getBackendPID();
		try (Connection connection = DriverManager.getConnection(PostgresServer.url(this.server.port(), "postgres"))) {
			await().until(() -> {
				try (ResultSet row = connection.createStatement()
					.executeQuery("SELECT COUNT(*) FROM pg_stat_activity WHERE pid = " + process)) {
					return row.next() && row.getInt(1) == 0;
				}
			});
		}
	}

	@Test
	void allClaimsOfAStoreShareOneConnection() throws Exception {
		JdbcSnapshotStore store = store(2);
		for (int number = 1; number <= 10; number++) {
			Snapshot snapshot = store.open("reflector-" + number);
			assertThat(snapshot.claim()).isTrue();
			snapshot.commit(NumberedCommits.of(1));
		}
		Snapshot one = store(2).open("reflector-1");
		assertThat(one.claim()).isFalse();
	}

	@Test
	void replicasDoNotShareTheWorkOfAReflectorButThatOfSeveral() {
		Snapshot pods = store(5).open("pods");
		JdbcSnapshotStore other = store(5);
		assertThat(pods.claim()).isTrue();
		assertThat(other.open("pods").claim()).isFalse();
		assertThat(other.open("nodes").claim()).isTrue();
	}

	private JdbcSnapshotStore store(int connections) {
		return store(this.server.port(), connections);
	}

	private JdbcSnapshotStore store(int port, int connections) {
		HikariDataSource pool = PostgresServer.pool(PostgresServer.url(port, this.database));
		pool.setMaximumPoolSize(connections);
		this.pool = pool;
		this.opened.push(pool);
		JdbcSnapshotStore store = JdbcSnapshotStore.of(pool, "SNAPSHOTS", DatabaseInitializationMode.ALWAYS);
		this.opened.push(store);
		return store;
	}

}
