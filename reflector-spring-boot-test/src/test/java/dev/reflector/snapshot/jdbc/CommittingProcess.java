package dev.reflector.snapshot.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.snapshot.Snapshot;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A process that commits to two snapshots of a store until it is killed, and prints which
 * commits have returned.
 */
final class CommittingProcess implements AutoCloseable {

	static final List<String> REFLECTORS = List.of("pods", "nodes");

	private final Map<String, Integer> returned = new HashMap<>();

	private final Process process;

	private final BufferedReader output;

	private CommittingProcess(Process process) {
		this.process = process;
		this.output = process.inputReader();
	}

	static CommittingProcess start(String place) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		return new CommittingProcess(new ProcessBuilder(java.toString(), "-Xmx128m",
				"--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto",
				"-cp", System.getProperty("java.class.path"), CommittingProcess.class.getName(), place)
			.redirectErrorStream(true)
			.start());
	}

	/** A store at a place: the URL of a database, or a file. */
	static JdbcSnapshotStore store(String place) {
		return place.startsWith("jdbc:") ? JdbcSnapshotStore.of(new DriverManagerDataSource(place),
				JdbcSnapshotStore.DEFAULT_TABLE_PREFIX, DatabaseInitializationMode.ALWAYS)
				: JdbcSnapshotStore.of(Path.of(place));
	}

	/** Waits until so many commits have returned. */
	CommittingProcess await(int commits) throws IOException {
		for (int count = 0; count < commits; count++) {
			String line = this.output.readLine();
			if (line == null) {
				throw new IllegalStateException("The process has ended");
			}
			read(line);
		}
		return this;
	}

	private void read(String line) {
		String[] words = line.split(" ");
		if (words.length != 2 || !REFLECTORS.contains(words[0])) {
			throw new IllegalStateException("The process says: " + line);
		}
		this.returned.put(words[0], Integer.valueOf(words[1]));
	}

	/** As {@code kill -9} does it. */
	void kill() throws IOException, InterruptedException {
		// the process itself would close its output
		this.process.toHandle().destroyForcibly();
		this.process.waitFor();
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			read(line);
		}
	}

	/** The last commit that has returned, or 0. */
	int returned(String reflector) {
		return this.returned.getOrDefault(reflector, 0);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	public static void main(String[] arguments) throws InterruptedException {
		JdbcSnapshotStore store = store(arguments[0]);
		for (String reflector : REFLECTORS) {
			Thread thread = new Thread(() -> commit(store.open(reflector), reflector));
			thread.setUncaughtExceptionHandler((failed, ex) -> {
				ex.printStackTrace();
				Runtime.getRuntime().halt(1);
			});
			thread.start();
		}
	}

	private static void commit(Snapshot snapshot, String reflector) {
		if (!snapshot.claim()) {
			throw new IllegalStateException("Another process writes " + reflector);
		}
		for (int number = NumberedCommits.lastOf(snapshot) + 1;; number++) {
			snapshot.commit(NumberedCommits.of(number));
			System.out.println(reflector + " " + number);
		}
	}

}
