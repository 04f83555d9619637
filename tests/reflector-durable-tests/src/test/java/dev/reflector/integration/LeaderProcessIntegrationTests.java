package dev.reflector.integration;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.Rounds;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests replicas in separate processes, of which the leader delivers. While the server
 * changes, replicas are killed, stopped for longer than their lease, ended as operators
 * do, and refused their lease, and the lease is edited. The delivered changes of all
 * replicas together add up to the state of the server, and no call begins in an earlier
 * term than a call that began before it. {@code -Dtests.full=true -Dtests.kills=50}
 * disturbs each group of replicas 50 times.
 */
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderProcessIntegrationTests extends WidgetServer {

	private static final Duration PATIENCE = Duration.ofSeconds(180);

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final int NAMES = 20;

	private final long seed = System.nanoTime();

	private final Random random = new Random(this.seed);

	private final List<DurableProcess> all = new ArrayList<>();

	private final ReentrantLock writing = new ReentrantLock(true);

	private int asked;

	@TempDir
	Path directory;

	@Override
	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.historyWindow(1_000_000)
			.start();
		this.widgets = this.server.resources("widgets");
	}

	@Test
	void twoReplicasWithAFile() throws Exception {
		disturb(this.directory.resolve("mirror.db").toString(), 2,
				Rounds.of(Integer.getInteger("tests.kills", LongForm.times(2, 1))));
	}

	@Test
	@LongFormOnly
	void threeReplicasWithPostgres() throws Exception {
		disturb(PostgresServer.get().newDatabase(), 3, Rounds.of(Integer.getInteger("tests.kills", 2)));
	}

	private void disturb(String place, int replicas, Rounds disturbances) throws Exception {
		AtomicBoolean goOn = new AtomicBoolean(true);
		Thread writer = new Thread(() -> write(goOn), "writer");
		List<DurableProcess> living = new ArrayList<>();
		try {
			for (int i = 0; i < replicas; i++) {
				living.add(start(place));
			}
			writer.start();
			awaitInStep();
			for (int i = 0; disturbances.goOn(i); i++) {
				// a moment, not a time to wait for something
				TimeUnit.MILLISECONDS.sleep(this.random.nextInt(500));
				// the first two times the leader, later mostly
				DurableProcess victim = (i < 2 || this.random.nextInt(4) > 0) ? lastToTell(living)
						: living.get(this.random.nextInt(replicas));
				int index = living.indexOf(victim);
				switch (i % 5) {
					case 0 -> {
						victim.kill();
						living.set(index, start(place));
					}
					case 1 -> {
						victim.signal("STOP");
						pause();
						victim.signal("CONT");
					}
					case 2 -> {
						victim.end();
						living.set(index, start(place));
					}
					case 3 -> {
						this.server.fail((request) -> request.path().contains("/leases"), Integer.MAX_VALUE,
								Fault.status(503));
						pause();
						this.server.clearFaults();
					}
					default -> this.server.resources("leases")
						.mergePatch("default", "widgets", Map.of("spec", Map.of("holderIdentity", "")));
				}
				awaitInStep();
			}
		}
		finally {
			goOn.set(false);
			if (writer.isAlive()) {
				writer.join();
			}
			this.all.forEach(DurableProcess::close);
		}
		assertThat(turns()).extracting(Turn::epoch)
			.filteredOn((epoch) -> epoch >= 0)
			.as("seed %d", this.seed)
			.isSorted();
		assertThat(turns().stream().mapToLong(Turn::epoch).filter((epoch) -> epoch >= 0).distinct().count())
			.as("terms, of which one ended with a kill")
			.isGreaterThan(1);
		System.out.printf("%d replicas, %d processes: %d calls in %d terms, %d of them had lost the lead meanwhile%n",
				replicas, this.all.size(), turns().size(), turns().stream().mapToLong(Turn::epoch).distinct().count(),
				turns().stream().filter((turn) -> turn.epoch < 0).count());
	}

	/** Sometimes longer than a lease. */
	private void pause() throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() / 2 + this.random.nextInt((int) LEASE.toMillis()));
	}

	private static DurableProcess lastToTell(List<DurableProcess> processes) {
		return processes.stream()
			.max(Comparator.comparingLong(
					(process) -> process.events.stream().mapToLong((event) -> Turn.of(event).beganAt).max().orElse(0)))
			.orElseThrow();
	}

	private DurableProcess start(String place) throws Exception {
		DurableProcess process = DurableProcess.start(this.server.url(), place,
				List.of("--reflector.leader-election.enabled=true", "--reflector.leader-election.events=leader",
						"--reflector.leader-election.name=widgets", "--reflector.leader-election.namespace=default",
						"--reflector.leader-election.lease-duration=" + LEASE.toMillis() + "ms",
						"--reflector.leader-election.renew-deadline=2s",
						"--reflector.leader-election.retry-period=300ms",
						// an object that is delivered before it is stored may lose its
						// deletion in a crash, and here the store only seems away on a
						// busy machine
						"--reflector.snapshot.announce-timeout=60s"));
		this.all.add(process);
		return process;
	}

	private void write(AtomicBoolean goOn) {
		Random random = new Random(this.seed);
		while (goOn.get()) {
			this.writing.lock();
			try {
				writeAtRandom(random, NAMES);
			}
			finally {
				this.writing.unlock();
			}
			try {
				TimeUnit.MILLISECONDS.sleep(random.nextInt(60));
			}
			catch (InterruptedException ex) {
				return;
			}
		}
	}

	/**
	 * Stops the writer, makes one more change, which a leader must deliver, and waits
	 * until all delivered changes of the leaders add up to the state of the server.
	 */
	private void awaitInStep() {
		this.writing.lock();
		try {
			this.asked++;
			this.widgets.apply(Map.of("metadata", Map.of("namespace", "default", "name", "asked"), "spec",
					Map.of("size", this.asked)));
			Map<String, String> content = MirrorApplication.contentOf(this.widgets);
			await().atMost(PATIENCE)
				.pollInterval(Duration.ofMillis(100))
				.untilAsserted(
						() -> assertThat(told()).as(() -> "seed " + this.seed + ": " + outputs()).isEqualTo(content));
		}
		finally {
			this.writing.unlock();
		}
	}

	private String outputs() {
		StringBuilder outputs = new StringBuilder();
		this.all.forEach((process) -> outputs.append("\n---\n").append(process.output()));
		return outputs.toString();
	}

	private Map<String, String> told() {
		Map<String, String> state = new TreeMap<>();
		for (Turn turn : turns()) {
			if (turn.type.equals("DELETED")) {
				state.remove(turn.key);
			}
			else {
				state.put(turn.key, turn.version);
			}
		}
		return state;
	}

	/** All calls of all processes, in the order in which they have begun. */
	private List<Turn> turns() {
		return this.all.stream()
			.flatMap((process) -> process.events.stream())
			.map(Turn::of)
			.sorted(Comparator.comparingLong(Turn::beganAt))
			.toList();
	}

	/**
	 * A call of a listener.
	 *
	 * @param beganAt when the call began, by the clock that all processes share
	 * @param epoch the term in which the call began, negative if the lead was lost during
	 * the call
	 */
	private record Turn(String type, String key, String version, long beganAt, long epoch) {

		static Turn of(String line) {
			String[] parts = line.split(" ");
			return new Turn(parts[0], parts[1], parts[2], Long.parseLong(parts[3]), Long.parseLong(parts[4]));
		}

	}

}
