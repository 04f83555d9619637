package dev.reflector.integration;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.reflector.fixture.Rounds;
import dev.reflector.test.Backup;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replicas in separate processes, each behind a proxy, with random faults, several at a
 * time. At quiet points there is no fault and no write: then each slot has one owner, and
 * the {@link ChaosTable} equals the state of the server. The {@link ChaosLedger} checks
 * the rules that hold at every time.
 */
final class ChaosRun implements AutoCloseable {

	static final Duration LEASE = Duration.ofSeconds(3);

	static final Duration RENEW_DEADLINE = Duration.ofSeconds(2);

	static final Duration RETRY_PERIOD = Duration.ofMillis(300);

	private static final Duration PATIENCE = Duration.ofSeconds(300);

	/** The time between two reports of what is not quiet yet. */
	private static final Duration LOOK = Duration.ofSeconds(10);

	private static final int BACKUPS = 4;

	/** How many lines of the history are part of a violation. */
	private static final int LINES = 60;

	private final EmbeddedApiServer server;

	private final ResourceCollection widgets;

	private final int slots;

	private final Class<?> example;

	private final List<String> arguments;

	private final UnaryOperator<Map<String, Integer>> written;

	private final long seed;

	private final Random random;

	private final ChaosLedger ledger = new ChaosLedger(LEASE.minus(RENEW_DEADLINE).toNanos());

	private final ChaosTable table;

	private final List<ChaosReplica> replicas = new ArrayList<>();

	private final Map<ChaosFault, Integer> faults = new EnumMap<>(ChaosFault.class);

	private final Deque<Backup> backups = new ArrayDeque<>();

	private final Deque<String> history = new ArrayDeque<>();

	private final ReentrantLock writing = new ReentrantLock(true);

	private final Thread writer = new Thread(this::write, "writer");

	private volatile boolean ends;

	private int processes;

	private int quiet;

	/** Whether each replica runs and has seen the server since the last quiet point. */
	private boolean settled;

	private long restoredAt = System.nanoTime() - LEASE.toNanos();

	/**
	 * Creates a run.
	 * @param server a server of widgets and Leases
	 * @param slots the number of slots
	 * @param example additional classes of each process
	 * @param arguments for each process
	 * @param written returns the sizes that the listeners of the example have written;
	 * for an example that writes none, returns its argument, the sizes on the server
	 * @param seed the seed of the random faults
	 */
	ChaosRun(EmbeddedApiServer server, int slots, Class<?> example, List<String> arguments,
			UnaryOperator<Map<String, Integer>> written, long seed) throws Exception {
		this.server = server;
		this.widgets = server.resources("widgets");
		this.slots = slots;
		this.example = example;
		this.arguments = arguments;
		this.written = written;
		this.seed = seed;
		this.random = new Random(seed);
		this.table = new ChaosTable(this.ledger);
	}

	void disturb(int replicas, Duration duration) throws Exception {
		for (int i = 0; i < replicas; i++) {
			ChaosReplica replica = new ChaosReplica(this.server.port(), this.ledger);
			this.replicas.add(replica);
			start(replica);
		}
		this.writer.start();
		awaitQuiet();
		Rounds rounds = Rounds.of(duration);
		for (int i = 0; rounds.goOn(i); i++) {
			this.backups.addFirst(this.server.backup());
			if (this.backups.size() > BACKUPS) {
				this.backups.removeLast();
			}
			round();
		}
		awaitQuiet();
		System.out.printf("seed %d: %d replicas, %d processes, %d quiet points, faults %d %s, %d writes refused, %s%n",
				this.seed, replicas, this.processes, this.quiet,
				this.faults.values().stream().mapToInt(Integer::intValue).sum(), this.faults, this.table.refused(),
				this.ledger);
	}

	private void start(ChaosReplica replica) throws Exception {
		this.processes++;
		List<String> arguments = new ArrayList<>(this.arguments);
		String name = "p" + this.processes;
		// half of the processes take the place of the previous one
		String identity = this.random.nextBoolean() ? name : "place-" + this.replicas.indexOf(replica);
		arguments.replaceAll((argument) -> argument.replace("IDENTITY", identity));
		replica.start(name, this.table.port(), this.example, arguments);
		happened("starts as " + identity, replica);
	}

	private void round() throws Exception {
		int count = 1 + this.random.nextInt(3);
		boolean restored = false;
		for (int i = 0; i < count; i++) {
			pause(800);
			ChaosFault fault = ChaosFault.any(this.random);
			if (fault.isOfReplica()) {
				ChaosReplica victim = this.replicas.get(this.random.nextInt(this.replicas.size()));
				if (!victim.isDisturbed()) {
					count(fault, victim);
					victim.begin(fault, this.random);
					this.settled &= fault != ChaosFault.KILL && fault != ChaosFault.TERMINATE;
				}
			}
			else if (!fault.isRestore() || this.settled) {
				count(fault, null);
				disturbServer(fault);
				restored |= fault.isRestore();
			}
		}
		pause(this.random.nextInt(3) == 0 ? 8000 : 3000);
		end();
		if (restored) {
			relist();
		}
		if (restored || this.random.nextInt(3) == 0) {
			awaitQuiet();
		}
		else {
			pause(2000);
		}
	}

	private void disturbServer(ChaosFault fault) throws Exception {
		this.writing.lock();
		try {
			switch (fault) {
				case COMPACT -> this.server.compact();
				case CLOSE_WATCHES -> this.server.closeWatches();
				case RESTORE -> {
					this.server.stop();
					restore();
					pause(1500);
					this.server.start();
				}
				default -> restore();
			}
		}
		finally {
			this.writing.unlock();
		}
	}

	private void restore() {
		List<Backup> backups = new ArrayList<>(this.backups);
		Backup backup = backups.get(this.random.nextInt(backups.size()));
		happened("is restored from " + this.server.resourceVersion() + " to " + backup.resourceVersion(), "the server");
		this.server.restore(backup);
		this.restoredAt = System.nanoTime();
		// versions after the restored one no longer exist
		this.backups
			.removeIf((other) -> Long.parseLong(other.resourceVersion()) > Long.parseLong(backup.resourceVersion()));
	}

	/** As the page requires: the server may have passed the versions of mirrors. */
	private void relist() throws IOException {
		for (ChaosReplica replica : this.replicas) {
			replica.process().relist();
		}
	}

	private void end() throws Exception {
		List<ChaosReplica> order = new ArrayList<>(this.replicas);
		Collections.shuffle(order, this.random);
		List<ChaosReplica> gone = new ArrayList<>();
		for (ChaosReplica replica : order) {
			if (replica.isDisturbed()) {
				if (replica.end()) {
					gone.add(replica);
				}
				happened("is left alone", replica);
				pause(400);
			}
		}
		if (!gone.isEmpty()) {
			// as the page asks for
			long wait = this.restoredAt + LEASE.plus(RETRY_PERIOD).toNanos() - System.nanoTime();
			TimeUnit.NANOSECONDS.sleep(Math.max(0, wait));
		}
		for (ChaosReplica replica : gone) {
			start(replica);
		}
	}

	private void count(ChaosFault fault, ChaosReplica victim) {
		this.faults.merge(fault, 1, Integer::sum);
		happened(fault.toString(), (victim != null) ? victim : "the server");
	}

	private void happened(String what, Object to) {
		String line = String.format("%.3f %s: %s", System.nanoTime() / 1e9, to, what);
		this.history.addLast(line);
		System.out.println(line);
		if (this.history.size() > LINES) {
			this.history.removeFirst();
		}
	}

	/** Waits for a random time, which is part of the disturbance. */
	private void pause(int atMost) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(this.random.nextInt(atMost));
	}

	private void awaitQuiet() throws Exception {
		this.writing.lock();
		try {
			long began = System.nanoTime();
			long told = began;
			String state = state(System.nanoTime());
			while (!state.isEmpty() && System.nanoTime() - began < PATIENCE.toNanos()) {
				TimeUnit.MILLISECONDS.sleep(50);
				state = state(System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
				if (System.nanoTime() - told > LOOK.toNanos()) {
					told = System.nanoTime();
					happened("not quiet: " + state, "all");
				}
			}
			List<String> found = new ArrayList<>(this.ledger.check());
			if (!state.isEmpty()) {
				found.add("it does not become quiet: " + state);
			}
			assertThat(found).as(this::describe).isEmpty();
			happened(String.format("quiet after %.1f s", (System.nanoTime() - began) / 1e9), "all");
			this.quiet++;
			this.settled = true;
		}
		finally {
			this.writing.unlock();
		}
	}

	/** Returns what differs from the state without a fault. */
	private String state(long since) {
		Set<String> living = this.replicas.stream()
			.filter((replica) -> replica.process().isAlive())
			.map((replica) -> replica.process().name)
			.collect(Collectors.toSet());
		if (living.size() < this.replicas.size()) {
			return "only " + living + " are alive";
		}
		for (String process : living) {
			if (!this.ledger.isMember(process, since)) {
				return process + " has not seen the others";
			}
		}
		Map<Integer, Set<String>> owners = this.ledger.owners(living, since);
		for (int slot = 0; slot < this.slots; slot++) {
			Set<String> owner = owners.getOrDefault(slot, Set.of());
			if (owner.size() != 1) {
				return "slot " + slot + " has the owners " + owner;
			}
		}
		Map<String, String> content = new TreeMap<>();
		Map<String, Integer> sizes = new TreeMap<>();
		for (JsonNode widget : this.widgets.list()) {
			JsonNode metadata = widget.at("/metadata");
			content.put(metadata.at("/namespace").asString() + "/" + metadata.at("/name").asString(),
					metadata.at("/resourceVersion").asString());
			sizes.put(metadata.at("/name").asString(), widget.path("size").asInt());
		}
		Map<String, String> rows = this.table.rows();
		Map<String, String> surplus = new TreeMap<>(rows);
		surplus.entrySet().removeAll(content.entrySet());
		content.entrySet().removeAll(rows.entrySet());
		if (!content.isEmpty() || !surplus.isEmpty()) {
			return "only the server has " + content + ", and only the table " + surplus;
		}
		Map<String, Integer> written = this.written.apply(sizes);
		return written.equals(sizes) ? "" : "the server has " + sizes + ", and the example has written " + written;
	}

	private void write() {
		Random random = new Random(this.seed);
		try {
			while (!this.ends) {
				this.writing.lock();
				try {
					WidgetServer.writeAtRandom(this.widgets, random, 60);
				}
				finally {
					this.writing.unlock();
				}
				TimeUnit.MILLISECONDS.sleep(random.nextInt(80));
			}
		}
		catch (InterruptedException ex) {
			// it ends
		}
	}

	private String describe() {
		return "seed " + this.seed + ", " + this.ledger + ":\n" + String.join("\n", this.history)
				+ this.replicas.stream()
					.map((replica) -> "\n--- " + replica + "\n" + replica.process().output())
					.collect(Collectors.joining());
	}

	@Override
	public void close() throws IOException {
		this.ends = true;
		try {
			this.writer.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		for (ChaosReplica replica : this.replicas) {
			replica.close();
		}
		this.table.close();
	}

}
