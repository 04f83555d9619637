package dev.reflector.snapshot.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.snapshot.jdbc.fixture.TcpProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that no statement waits forever, and that connections return to their pool
 * unchanged.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StatementTimeoutTests {

	private static final List<Class<?>> STATEMENTS = List.of(PreparedStatement.class, Statement.class);

	/** Statements that were executed without a time-out. */
	private final List<String> endless = new CopyOnWriteArrayList<>();

	/** Whether each connection that was closed had its time-out back. */
	private final List<Integer> networkTimeouts = new CopyOnWriteArrayList<>();

	private int executed;

	/** The longest time-out of the network while a statement was executed. */
	private int longest;

	@Test
	@LongFormOnly
	void eachStatementHasATimeoutAndSoHasTheNetwork() throws Exception {
		use(PostgresServer.get().newDatabase());
		assertThat(this.networkTimeouts).hasSizeGreaterThan(5).containsOnly(0);
		assertThat(this.longest).isEqualTo(35_000);
	}

	@Test
	void aShorterTimeoutOfTheUrlIsKept() throws Exception {
		use(PostgresServer.get().newDatabase() + "&socketTimeout=32");
		assertThat(this.networkTimeouts).hasSizeGreaterThan(5).containsOnly(32_000);
		assertThat(this.longest).isEqualTo(32_000);
	}

	private void use(String url) throws Exception {
		try (JdbcSnapshotStore tables = JdbcSnapshotStore.of(new DriverManagerDataSource(url), "SNAPSHOTS",
				DatabaseInitializationMode.ALWAYS)) {
			tables.open("pods").close();
		}
		DelegatingDataSource watched = new DelegatingDataSource(new DriverManagerDataSource(url)) {

			@Override
			public Connection getConnection() throws SQLException {
				return watched(super.getConnection());
			}

		};
		try (JdbcSnapshotStore store = JdbcSnapshotStore.of(watched, "SNAPSHOTS", DatabaseInitializationMode.NEVER)) {
			Snapshot snapshot = store.open("pods");
			assertThat(snapshot.claim()).isTrue();
			snapshot.commit(NumberedCommits.of(1));
			assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(1);
			assertThat(snapshot.claim()).isTrue();
			snapshot.facts();
			snapshot.setAside("a test");
			snapshot.close();
		}
		assertThat(this.executed).isGreaterThan(10);
		assertThat(this.endless).isEmpty();
	}

	private Connection watched(Connection connection) {
		return proxy(Connection.class, connection, (proxy, method, arguments) -> {
			if (method.getName().equals("close") && !connection.isClosed()) {
				this.networkTimeouts.add(connection.getNetworkTimeout());
			}
			Object result = invoke(connection, method, arguments);
			return STATEMENTS.stream()
				.filter((type) -> type.isInstance(result))
				.findFirst()
				.<Object>map((type) -> watched(type, (Statement) result, connection))
				.orElse(result);
		});
	}

	private Object watched(Class<?> type, Statement statement, Connection connection) {
		return proxy(type, statement, (proxy, method, arguments) -> {
			if (method.getName().startsWith("execute")) {
				this.executed++;
				int network = connection.getNetworkTimeout();
				this.longest = Math.max(this.longest, network);
				if (statement.getQueryTimeout() == 0 || statement.getQueryTimeout() > 30 || network == 0
						|| network < TimeUnit.SECONDS.toMillis(statement.getQueryTimeout())) {
					this.endless.add(statement.toString());
				}
			}
			return invoke(statement, method, arguments);
		});
	}

	private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> T proxy(Class<?> type, Object target, InvocationHandler handler) {
		return (T) Proxy.newProxyInstance(StatementTimeoutTests.class.getClassLoader(), new Class<?>[] { type },
				handler);
	}

	@Test
	void aConnectionThatBreaksBeforeItHoldsTheLockIsClosed() {
		AtomicBoolean broken = new AtomicBoolean();
		AtomicInteger open = new AtomicInteger();
		DelegatingDataSource breaking = new DelegatingDataSource(
				new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				open.incrementAndGet();
				return proxy(Connection.class, connection, (proxy, method, arguments) -> {
					if (method.getName().equals("close") && !connection.isClosed()) {
						open.decrementAndGet();
					}
					if (method.getName().equals("setAutoCommit") && broken.get()) {
						throw new SQLException("the connection is broken");
					}
					return invoke(connection, method, arguments);
				});
			}

		};
		try (JdbcSnapshotStore store = JdbcSnapshotStore.of(breaking, "SNAPSHOTS", DatabaseInitializationMode.ALWAYS)) {
			Snapshot snapshot = store.open("pods");
			broken.set(true);
			assertThatExceptionOfType(SnapshotException.class).isThrownBy(snapshot::claim)
				.withMessageContaining("the connection is broken");
			assertThat(open).hasValue(0);
		}
	}

	/** Like an application that ends while its database does not answer. */
	@Test
	void theEndOfAStoreDoesNotWaitForACallThatHangs() throws Exception {
		PostgresServer server = PostgresServer.get();
		String url = server.newDatabase();
		try (TcpProxy proxy = new TcpProxy(server.port());
				HikariDataSource pool = PostgresServer
					.pool(url.replaceAll("127.0.0.1:\\d+", "127.0.0.1:" + proxy.port()))) {
			pool.setConnectionTimeout(5000);
			JdbcSnapshotStore store = JdbcSnapshotStore.of(pool, "SNAPSHOTS", DatabaseInitializationMode.ALWAYS);
			Snapshot snapshot = store.open("pods");
			assertThat(snapshot.claim()).isTrue();
			proxy.fallSilent();
			CompletableFuture<Boolean> claim = CompletableFuture.supplyAsync(snapshot::claim);
			store.close();
			assertThat(claim).as("the call that hangs").isNotDone();
			proxy.goAway();
			assertThat(claim.handle((claimed, failure) -> failure != null).get(60, TimeUnit.SECONDS)).isTrue();
		}
	}

}
