package dev.reflector.integration;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;

import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.snapshot.jdbc.fixture.TcpProxy;

/**
 * A database of PostgreSQL, to which the application connects through a proxy.
 */
final class PostgresCrashStore implements CrashStore {

	private final PostgresServer first;

	private final TcpProxy proxy;

	/** The server that the application reaches. */
	private PostgresServer primary;

	/** A server that was a copy and is not needed any more, or will be promoted. */
	private PostgresServer standby;

	private String database = "";

	private Path dump;

	private Connection lock;

	PostgresCrashStore() throws IOException, InterruptedException {
		this.first = PostgresServer.get();
		this.primary = this.first;
		this.proxy = new TcpProxy(this.first.port());
	}

	@Override
	public void begin() throws SQLException {
		this.database = this.primary.newDatabase().replaceAll(".*/|[?].*", "");
	}

	@Override
	public String place() {
		return PostgresServer.url(this.proxy.port(), this.database);
	}

	private String direct() {
		return PostgresServer.url(this.primary.port(), this.database);
	}

	@Override
	public StoredMirror read(boolean dead) {
		return StoredMirror.read(direct(), dead);
	}

	@Override
	public void copy() throws Exception {
		this.dump = this.primary.dump(this.database);
	}

	@Override
	public void restore() throws Exception {
		this.primary.restore(this.database, this.dump);
	}

	@Override
	public List<Disturbance> disturbances() {
		return List.of(new StoreOutage("database away", this.proxy::goAway, this.proxy::resume),
				new StoreOutage("database silent", this.proxy::fallSilent, this.proxy::answer),
				new StoreOutage("tables locked", this::lock, this::unlock),
				new StoreOutage("pool exhausted", DurableProcess::takeConnections, DurableProcess::giveConnectionsBack),
				new StoreOutage("database read-only, as one with a full disk", this::readOnly, this::writable),
				new OutageAtStart("database away at the start", this.proxy::goAway, this.proxy::resume),
				new StoreRollback("failover without the last commits", this::startStandby, this::failOver,
						this::removeFormerPrimary),
				new StoreRollback("older dump restored", this::copy, this::restore, () -> {
				}), new StoreRollback("sessions ended", this::copy, this::endSessions, () -> {
				}), new OlderStore("older dump between lives"),
				new NewRelease("component added", WidgetRelease.Name.WIDER),
				new NewRelease("type changed", WidgetRelease.Name.STRICTER), new SlowListener());
	}

	@Override
	public List<String> ofFullForm() {
		return List.of("failover without the last commits", "tables locked", "database silent", "pool exhausted",
				"database read-only, as one with a full disk");
	}

	private void lock() throws SQLException {
		this.lock = DriverManager.getConnection(direct());
		this.lock.setAutoCommit(false);
		try (Statement statement = this.lock.createStatement()) {
			statement.execute("LOCK TABLE REFLECTOR_SNAPSHOT, REFLECTOR_SNAPSHOT_OBJECT IN ACCESS EXCLUSIVE MODE");
		}
	}

	private void unlock() throws SQLException {
		this.lock.close();
	}

	private void readOnly() throws SQLException {
		this.primary.execute("ALTER DATABASE " + this.database + " SET default_transaction_read_only = on");
		endSessions();
	}

	private void writable() throws SQLException {
		this.primary.execute("ALTER DATABASE " + this.database + " RESET default_transaction_read_only");
		endSessions();
	}

	private void endSessions() throws SQLException {
		this.primary.endSessions(this.database);
	}

	/** Starts a standby that gets no later changes. */
	private void startStandby() throws Exception {
		this.standby = this.primary.copy();
	}

	private void failOver() throws Exception {
		PostgresServer former = this.primary;
		this.primary = this.standby;
		this.standby = former;
		this.proxy.leadTo(this.primary.port());
	}

	private void removeFormerPrimary() {
		if (this.standby != null && this.standby != this.first) {
			this.standby.remove();
		}
		this.standby = null;
	}

	@Override
	public void close() throws IOException {
		this.proxy.close();
		removeFormerPrimary();
		if (this.primary != this.first) {
			this.primary.remove();
		}
	}

	@Override
	public String toString() {
		return "PostgreSQL";
	}

}
