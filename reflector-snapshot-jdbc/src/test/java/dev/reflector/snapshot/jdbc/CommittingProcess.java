package dev.reflector.snapshot.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.fixture.ClassArchive;
import dev.reflector.fixture.LongForm;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.FileSystemUtils;

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

	static CommittingProcess start(String place) throws Exception {
		return start(options(), List.of(place));
	}

	/** An archive of its classes takes longer to make than it saves for a few starts. */
	private static List<String> options() throws Exception {
		boolean often = LongForm.times(1, 0) == 1 || Integer.getInteger("tests.kills", 1) > 1;
		return often ? ClassArchive.of(CommittingProcess::train).options()
				: List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+UnlockDiagnosticVMOptions",
						"-XX:-BytecodeVerificationRemote", "-cp", System.getProperty("java.class.path"));
	}

	private static CommittingProcess start(List<String> options, List<String> places) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(
				List.of(java.toString(), "-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
		command.addAll(options);
		command.add(CommittingProcess.class.getName());
		command.addAll(places);
		return new CommittingProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
	}

	/** Loads its classes: it commits to each kind of store that tests will use. */
	private static void train(List<String> options) throws Exception {
		Path folder = Files.createTempDirectory("reflector-training");
		List<String> places = new ArrayList<>(List.of(folder.resolve("snapshots.db").toString(),
				"jdbc:h2:file:" + folder.resolve("snapshots") + ";DB_CLOSE_ON_EXIT=FALSE"));
		if (LongForm.times(1, 0) == 1 && PostgresServer.isInstalled()) {
			places.add(PostgresServer.get().newDatabase());
		}
		try (CommittingProcess process = start(options, places)) {
			process.awaitEnd();
		}
		finally {
			FileSystemUtils.deleteRecursively(folder);
		}
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

	/** Ends the process as {@code kill -9} does. */
	void kill() throws IOException, InterruptedException {
		// the process itself would close its output
		this.process.toHandle().destroyForcibly();
		awaitEnd();
	}

	private void awaitEnd() throws IOException, InterruptedException {
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			read(line);
		}
		this.process.waitFor();
	}

	/** The last commit that has returned, or 0. */
	int returned(String reflector) {
		return this.returned.getOrDefault(reflector, 0);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/** Commits without end to one place, or once to each of several. */
	public static void main(String[] arguments) throws InterruptedException {
		if (arguments.length > 1) {
			for (String place : arguments) {
				commitOnce(place);
			}
			return;
		}
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

	private static void commitOnce(String place) {
		try (JdbcSnapshotStore store = store(place); Snapshot snapshot = store.open(REFLECTORS.get(0))) {
			commitNext(snapshot, REFLECTORS.get(0), nextOf(snapshot, REFLECTORS.get(0)));
		}
	}

	private static void commit(Snapshot snapshot, String reflector) {
		for (int number = nextOf(snapshot, reflector);; number++) {
			commitNext(snapshot, reflector, number);
		}
	}

	private static int nextOf(Snapshot snapshot, String reflector) {
		if (!snapshot.claim()) {
			throw new IllegalStateException("Another process writes " + reflector);
		}
		return NumberedCommits.lastOf(snapshot) + 1;
	}

	private static void commitNext(Snapshot snapshot, String reflector, int number) {
		snapshot.commit(NumberedCommits.of(number));
		System.out.println(reflector + " " + number);
	}

}
