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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.fixture.SourceTree;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.sql.init.DatabaseInitializationMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What {@code docs/snapshots.md} says to operators, with the statements that it prints.
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
		assertThat(printed).hasSize(3);
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
