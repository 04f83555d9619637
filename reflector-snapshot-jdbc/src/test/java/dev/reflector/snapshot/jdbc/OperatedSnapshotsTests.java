package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotCommit;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.SourceTree;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the instructions for operators in {@code docs/snapshots.md}, with the statements
 * of that page.
 */
class OperatedSnapshotsTests {

	private static final Pattern STATEMENTS = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

	private static List<String> printed;

	@TempDir
	Path directory;

	@BeforeAll
	static void readThePage() throws IOException {
		printed = STATEMENTS.matcher(Files.readString(SourceTree.ROOT.resolve("docs/snapshots.md")))
			.results()
			.map((block) -> block.group(1))
			.toList();
		assertThat(printed).hasSize(4);
	}

	@Test
	void theGrantsAreEnoughForAnApplication() throws Exception {
		String url = PostgresServer.get().newDatabase();
		try (HikariDataSource owner = PostgresServer.pool(url)) {
			JdbcSnapshotStore.of(owner, JdbcSnapshotStore.DEFAULT_TABLE_PREFIX, DatabaseInitializationMode.ALWAYS)
				.open("pods")
				.close();
			execute(url, "DROP ROLE IF EXISTS shop");
			execute(url, "CREATE ROLE shop LOGIN");
			execute(url, printed.get(0));
		}
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url.replaceAll("user=[^&]*", "user=shop"));
		config.setMaximumPoolSize(2);
		try (HikariDataSource pool = new HikariDataSource(config)) {
			assertThat(userOf(pool)).isEqualTo("shop");
			Snapshot snapshot = JdbcSnapshotStore
				.of(pool, JdbcSnapshotStore.DEFAULT_TABLE_PREFIX, DatabaseInitializationMode.NEVER)
				.open("pods");
			assertThat(snapshot.claim()).isTrue();
			for (int number = 1; number <= 30; number++) {
				snapshot.commit(NumberedCommits.of(number));
			}
			assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(30);
			assertThat(snapshot.facts()).isNotNull();
			assertThat(snapshot.setAside("a test")).contains("set aside");
			snapshot.close();
		}
		assertThat(positions(url)).anyMatch((row) -> row.contains("30") && row.endsWith("a test"));
		execute(url, "DROP OWNED BY shop; DROP ROLE shop");
	}

	@Test
	void aMissingRightIsNamed() throws Exception {
		String url = PostgresServer.get().newDatabase();
		try (HikariDataSource owner = PostgresServer.pool(url)) {
			store(owner, DatabaseInitializationMode.ALWAYS).open("pods").close();
		}
		execute(url, "DROP ROLE IF EXISTS guest");
		execute(url, "CREATE ROLE guest LOGIN");
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url.replaceAll("user=[^&]*", "user=guest"));
		config.setMaximumPoolSize(2);
		try (HikariDataSource pool = new HikariDataSource(config)) {
			assertThatExceptionOfType(SnapshotException.class)
				.isThrownBy(() -> store(pool, DatabaseInitializationMode.NEVER).open("pods"))
				.withMessageContaining("cannot be opened: ERROR: permission denied for table reflector_snapshot");
		}
		execute(url, "DROP ROLE guest");
	}

	@Test
	void aTableHasOneWriterAlsoIfSessionsNameItInDifferentWays() throws Exception {
		String url = PostgresServer.get().newDatabase();
		try (HikariDataSource owner = PostgresServer.pool(url);
				HikariDataSource hardened = withoutAutoCommit(url + "&options=-c%20search_path=")) {
			Snapshot first = store(hardened, "public.reflector_snapshot").open("pods");
			assertThat(first.claim()).as("with a path without schemas").isTrue();
			Snapshot second = store(owner, "REFLECTOR_SNAPSHOT").open("pods");
			assertThat(second.claim()).isFalse();
			first.close();
			assertThat(second.claim()).isTrue();
			second.commit(NumberedCommits.of(1));
			second.close();
		}
		assertThat(positions(url)).hasSize(1);
	}

	/** Returns a pool as Hibernate recommends it. */
	private static HikariDataSource withoutAutoCommit(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(2);
		config.setAutoCommit(false);
		return new HikariDataSource(config);
	}

	private static SnapshotStore store(DataSource pool, String prefix) {
		return JdbcSnapshotStore.of(pool, prefix, DatabaseInitializationMode.ALWAYS);
	}

	@Test
	void aSqliteFileCanBeCopiedWhileItIsWritten() throws Exception {
		Path file = this.directory.resolve("mirror.db");
		Snapshot snapshot = store(file).open("pods");
		assertThat(snapshot.claim()).isTrue();
		AtomicInteger last = new AtomicInteger();
		AtomicBoolean stopping = new AtomicBoolean();
		CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
			while (!stopping.get()) {
				snapshot.commit(NumberedCommits.of(last.get() + 1));
				last.incrementAndGet();
			}
		});
		await().until(() -> last.get() > 20);
		Path copy = this.directory.resolve("copy.db");
		int before = last.get();
		execute("jdbc:sqlite:" + file, printed.get(1).replace("copy.db", copy.toString()));
		int after = last.get();
		await().until(() -> last.get() > after + 10);
		stopping.set(true);
		writer.join();
		snapshot.close();
		assertThat(positions("jdbc:sqlite:" + file)).hasSize(1).first().asString().contains("" + last.get());
		Snapshot restored = store(copy).open("pods");
		assertThat(NumberedCommits.lastOf(restored)).isBetween(before, after + 1);
		restored.close();
	}

	/** Under keys and in sizes as a cluster has them. */
	@Test
	void aRowTakesWhatThePageSaysAndTheRowOfTheHeadDoesNotGrow() throws Exception {
		int rows = 2000;
		int json = 600;
		String url = PostgresServer.get().newDatabase();
		try (HikariDataSource pool = PostgresServer.pool(url)) {
			Snapshot snapshot = store(pool, DatabaseInitializationMode.ALWAYS).open("pods");
			assertThat(snapshot.claim()).isTrue();
			List<StoredObject> objects = IntStream.range(0, rows)
				.mapToObj((number) -> new StoredObject(
						ResourceKey.of("namespace-" + number % 20, "deployment-7d9f8b6c5d-" + number),
						UUID.randomUUID().toString(), "" + (1_000_000 + number), new byte[json]))
				.sorted(Comparator.comparing(StoredObject::key))
				.toList();
			snapshot.commit(new SnapshotCommit("0", "", NumberedCommits.HEADER, objects, List.of(), Map.of("", "0")));
			for (int number = 1; number <= 300; number++) {
				snapshot.commit(new SnapshotCommit("" + number, "" + (number - 1), NumberedCommits.HEADER, List.of(),
						List.of(), Map.of("", "" + number)));
			}
			snapshot.close();
		}
		long more = number(url, "SELECT pg_total_relation_size('REFLECTOR_SNAPSHOT_OBJECT')") / rows - json;
		assertThat(more).as("bytes of a row beside its JSON").isBetween(250L, 350L);
		assertThat(number(url, "SELECT pg_relation_size('REFLECTOR_SNAPSHOT')")).as("bytes of the heads")
			.isLessThanOrEqualTo(48 * 1024);
	}

	private static long number(String url, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getLong(1);
		}
	}

	/** The thread that takes slots over reads while another commits. */
	@Test
	void slotsNeedThreeConnectionsAndTheirSnapshotsCanBeDeleted() throws Exception {
		String url = PostgresServer.get().newDatabase();
		try (HikariDataSource pool = PostgresServer.pool(url)) {
			pool.setMaximumPoolSize(3);
			SnapshotStore store = store(pool, DatabaseInitializationMode.ALWAYS);
			Snapshot one = store.open("pods slot 1");
			Snapshot two = store.open("pods slot 2");
			assertThat(one.claim()).isTrue();
			assertThat(two.claim()).isTrue();
			one.commit(NumberedCommits.of(1));
			List<Integer> inUse = new ArrayList<>();
			one.load(new SnapshotReader() {

				@Override
				public boolean head(SnapshotHead head) {
					CompletableFuture.runAsync(() -> two.commit(NumberedCommits.of(1))).join();
					inUse.add(pool.getHikariPoolMXBean().getActiveConnections());
					return false;
				}

				@Override
				public void object(StoredObject object) {
					// not wanted
				}

			});
			assertThat(inUse).as("connections for the claim and the takeover").containsExactly(2);
			assertThat(NumberedCommits.lastOf(two)).isEqualTo(1);
			one.close();
			two.close();
		}
		execute(url, printed.get(3).replace("widgets", "pods"));
		assertThat(positions(url)).isEmpty();
		assertThat(number(url, "SELECT count(*) FROM REFLECTOR_SNAPSHOT_OBJECT")).isZero();
	}

	@Test
	@LongFormOnly
	void whereSessionsAreSharedTheLastClaimCounts() throws Exception {
		SingleConnectionDataSource session = new SingleConnectionDataSource(PostgresServer.get().newDatabase(), true);
		try {
			Snapshot first = store(session, DatabaseInitializationMode.ALWAYS).open("pods");
			assertThat(first.claim()).isTrue();
			first.commit(NumberedCommits.of(1));
			Snapshot second = store(session, DatabaseInitializationMode.NEVER).open("pods");
			assertThat(second.claim()).as("the lock is of the session").isTrue();
			second.commit(NumberedCommits.of(2));
			assertThatExceptionOfType(SnapshotFencedException.class)
				.isThrownBy(() -> first.commit(NumberedCommits.of(3)));
			assertThat(NumberedCommits.lastOf(second)).isEqualTo(2);
		}
		finally {
			session.destroy();
		}
	}

	@Test
	void inH2TheUserHasToBeAnAdministrator() throws Exception {
		String url = "jdbc:h2:mem:rights;DB_CLOSE_DELAY=-1";
		Snapshot tables = store(new DriverManagerDataSource(url), DatabaseInitializationMode.ALWAYS).open("pods");
		execute(url, "CREATE USER SHOP PASSWORD 'secret'; GRANT ALL ON SCHEMA PUBLIC TO SHOP");
		SnapshotStore store = store(new DriverManagerDataSource(url, "SHOP", "secret"),
				DatabaseInitializationMode.NEVER);
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> store.open("pods"))
			.withMessageContaining("Admin rights are required");
		assertThat(tables.claim()).isTrue();
		execute(url, "SHUTDOWN");
	}

	@Test
	void theDriverOfSqliteUnpacksItsLibrary() throws Exception {
		assertThat(store(this.directory.resolve("mirror.db")).open("pods").claim()).isTrue();
		try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
			assertThat(files).anyMatch((file) -> file.getFileName().toString().matches("sqlite-.*sqlitejdbc.*"));
		}
	}

	private static SnapshotStore store(DataSource dataSource, DatabaseInitializationMode initializeSchema) {
		return JdbcSnapshotStore.of(dataSource, JdbcSnapshotStore.DEFAULT_TABLE_PREFIX, initializeSchema);
	}

	private static SnapshotStore store(Path file) {
		return JdbcSnapshotStore.of(file);
	}

	private static List<String> positions(String url) throws SQLException {
		List<String> positions = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(printed.get(2))) {
			while (rows.next()) {
				positions.add(rows.getString("REFLECTOR") + " " + rows.getString("CURSORS") + " "
						+ rows.getString("SET_ASIDE_BECAUSE"));
			}
		}
		return positions;
	}

	private static String userOf(HikariDataSource pool) throws SQLException {
		try (Connection connection = pool.getConnection();
				Statement statement = connection.createStatement();
				ResultSet user = statement.executeQuery("SELECT current_user")) {
			user.next();
			return user.getString(1);
		}
	}

	private static void execute(String url, String statements) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			statement.execute(statements);
		}
	}

}
