package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL server of the tests, on a port of its own in a directory of its own. It
 * runs once for all tests of a JVM. It takes the programs of Debian's package
 * {@code postgresql}; without them, tests are skipped.
 */
public final class PostgresServer {

	private static final AtomicInteger DATABASES = new AtomicInteger();

	private static PostgresServer running;

	private final Path programs;

	private final Path directory;

	private final int port;

	/** Bound to the port and not listening: it keeps others from getting the port. */
	private final Socket held = new Socket();

	private PostgresServer(Path programs) throws IOException, InterruptedException {
		this.programs = programs;
		this.directory = Files.createTempDirectory("reflector-postgres");
		// so that the server can be bound to the same port
		this.held.setReuseAddress(true);
		this.held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
		this.port = this.held.getLocalPort();
		if (isRoot()) {
			run("chown", "postgres", this.directory.toString());
		}
		runAsUser("initdb", "-D", data(), "-U", "tests", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C");
		start();
		Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndRemove));
	}

	/** The server, or a skipped test with the reason. */
	public static synchronized PostgresServer get() throws IOException, InterruptedException {
		Path programs = programs();
		Assumptions.assumeTrue(programs != null, "PostgreSQL is not installed (Debian's package postgresql)");
		if (running == null) {
			running = new PostgresServer(programs);
		}
		return running;
	}

	/** Whether the programs of a server are there. */
	static boolean isInstalled() throws IOException {
		return programs() != null;
	}

	private static Path programs() throws IOException {
		Path root = Path.of("/usr/lib/postgresql");
		if (!Files.isDirectory(root)) {
			return null;
		}
		try (Stream<Path> versions = Files.list(root)) {
			return versions.map((version) -> version.resolve("bin"))
				.filter((bin) -> Files.isExecutable(bin.resolve("postgres"))
						&& Files.isExecutable(bin.resolve("initdb")))
				.max(Comparator.naturalOrder())
				.orElse(null);
		}
	}

	/** Starts it again, where it was. */
	public void start() throws IOException, InterruptedException {
		runAsUser("pg_ctl", "-D", data(), "-w", "-t", "60", "-l", this.directory.resolve("log").toString(), "-o",
				"-p " + this.port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off",
				"start");
	}

	/** Stops it as a failure does. Nothing else gets its port meanwhile. */
	public void stop() throws IOException, InterruptedException {
		runAsUser("pg_ctl", "-D", data(), "-w", "-m", "immediate", "stop");
	}

	int port() {
		return this.port;
	}

	/** Makes an empty database and returns its URL. */
	public String newDatabase() throws SQLException {
		String name = "db" + DATABASES.incrementAndGet();
		execute("CREATE DATABASE " + name);
		return url(this.port, name);
	}

	static String url(int port, String database) {
		return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=tests&password=unused";
	}

	/** Ends the sessions of a database, as a broken connection does. */
	void endSessions(String database) throws SQLException {
		execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database + "'");
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url(this.port, "postgres"));
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	public static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(5);
		pool.setMinimumIdle(0);
		pool.setConnectionTimeout(5000);
		pool.setInitializationFailTimeout(-1);
		return pool;
	}

	private String data() {
		return this.directory.resolve("data").toString();
	}

	private static boolean isRoot() {
		return "root".equals(System.getProperty("user.name"));
	}

	private void runAsUser(String program, String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				isRoot() ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups") : List.of());
		command.add(this.programs.resolve(program).toString());
		command.addAll(List.of(arguments));
		run(command.toArray(String[]::new));
	}

	private void run(String... command) throws IOException, InterruptedException {
		Path output = Files.createTempFile("reflector-postgres", ".txt");
		try {
			Process process = new ProcessBuilder(command).directory(this.directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
				process.destroyForcibly();
				throw new IllegalStateException(List.of(command) + ": " + Files.readString(output));
			}
		}
		finally {
			Files.delete(output);
		}
	}

	private void stopAndRemove() {
		try {
			stop();
			Files.walkFileTree(this.directory, new SimpleFileVisitor<>() {

				@Override
				public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
					Files.delete(file);
					return FileVisitResult.CONTINUE;
				}

				@Override
				public FileVisitResult postVisitDirectory(Path folder, IOException ex) throws IOException {
					Files.delete(folder);
					return FileVisitResult.CONTINUE;
				}

			});
		}
		catch (IOException | InterruptedException ex) {
			System.err.println("The PostgreSQL server of the tests could not be removed: " + ex);
		}
	}

}
