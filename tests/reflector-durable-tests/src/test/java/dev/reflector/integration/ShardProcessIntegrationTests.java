package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.Rounds;
import dev.reflector.integration.ShardAccount.Call;
import dev.reflector.integration.ShardAccount.Right;
import dev.reflector.test.EmbeddedApiServer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests replicas in separate processes that divide a collection among them by Leases.
 * Replicas are killed, ended, stopped for longer than their Lease, and started again,
 * while the server changes. At each quiet point, their mirrors and their delivered
 * changes add up to the state of the server. Each change is delivered by one owner: only
 * a call during which a Lease lapses may be overtaken by a call of the next owner, which
 * has a larger epoch. {@code -Dtests.full=true -Dtests.kills=50} disturbs each group of
 * replicas 50 times.
 */
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardProcessIntegrationTests extends WidgetServer {

	private static final Duration PATIENCE = Duration.ofSeconds(180);

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final int NAMES = 60;

	private static final int SLOTS = 16;

	/** Kinds of disturbances. */
	private static final int KINDS = 4;

	private final long seed = Long.getLong("tests.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final List<ShardProcess> all = new ArrayList<>();

	private final ReentrantLock writing = new ReentrantLock(true);

	private int names;

	@Override
	EmbeddedApiServer newServer() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.historyWindow(1_000_000)
			.sharding(this.random.nextBoolean())
			.start();
	}

	@Test
	void twoReplicas() throws Exception {
		disturb(2, Rounds.of(Integer.getInteger("tests.kills", 1)));
	}

	@Test
	@LongFormOnly
	void threeReplicas() throws Exception {
		disturb(3, Rounds.of(Integer.getInteger("tests.kills", 2)));
	}

	private void disturb(int replicas, Rounds disturbances) throws Exception {
		AtomicBoolean goOn = new AtomicBoolean(true);
		Thread writer = new Thread(() -> write(goOn), "writer");
		List<ShardProcess> living = new ArrayList<>();
		try {
			for (int i = 0; i < replicas; i++) {
				living.add(start("replica-" + this.names++));
			}
			writer.start();
			awaitInStep(living);
			for (int i = 1; disturbances.goOn(i - 1); i++) {
				// a moment, not a time to wait for something
				TimeUnit.MILLISECONDS.sleep(this.random.nextInt(500));
				// two replicas begin with 0, three with 1 and 2, and both are paused
				// below
				int kind = (i <= KINDS) ? (replicas + i - 3) % KINDS : this.random.nextInt(KINDS);
				disturb(living, this.random.nextInt(replicas), kind);
				// slots that are taken over may change before they have a new owner
				TimeUnit.MILLISECONDS.sleep(this.random.nextInt((int) LEASE.toMillis()));
				if (this.random.nextInt(3) > 0) {
					awaitInStep(living);
				}
			}
			pauseWithinACall(living);
			awaitInStep(living);
		}
		finally {
			goOn.set(false);
			if (writer.isAlive()) {
				writer.join();
			}
			this.all.forEach(ShardProcess::close);
		}
		checkOrder();
	}

	/**
	 * Stops a replica within a call, until another one has delivered a change of the same
	 * slot.
	 */
	private void pauseWithinACall(List<ShardProcess> living) throws Exception {
		ShardProcess victim;
		Right right;
		this.writing.lock();
		try {
			// each slot has objects then, or nearly each
			IntStream.range(0, NAMES)
				.mapToObj((i) -> "w" + i)
				.filter((name) -> this.widgets.get("default", name).isEmpty())
				.forEach(this::create);
			awaitInStep(living);
			int tries = 0;
			do {
				assertThat(++tries).as(() -> "slots move on and on, seed " + this.seed + ": " + outputs())
					.isLessThanOrEqualTo(SLOTS);
				awaitThat("an object of anybody",
						() -> living.stream().anyMatch(ShardProcessIntegrationTests::isOwner));
				victim = living.stream().filter(ShardProcessIntegrationTests::isOwner).findFirst().orElse(null);
				right = (victim != null) ? beginLongCall(victim, -tries) : null;
			}
			while (right == null);
			victim.signal("STOP");
		}
		finally {
			this.writing.unlock();
		}
		List<ShardProcess> others = new ArrayList<>(living);
		others.remove(victim);
		Right paused = right;
		awaitThat("another owner of " + paused,
				() -> others.stream()
					.flatMap((other) -> other.account.calls().stream())
					.anyMatch((call) -> call.right().slot() == paused.slot() && call.right().epoch() > paused.epoch()));
		victim.signal("CONT");
	}

	private static boolean isOwner(ShardProcess process) {
		return process.account.anyObject() != null;
	}

	/**
	 * Makes a listener work for a long time.
	 * @return the right under which the listener is called, or {@code null} if the
	 * replica has lost the slot before it has seen the change, which its next owner sees
	 * as a new object
	 */
	private Right beginLongCall(ShardProcess victim, int size) {
		Map.Entry<String, Right> object = victim.account.anyObject();
		if (object == null) {
			return null;
		}
		String key = object.getKey();
		Right right = object.getValue();
		this.widgets.mergePatch("default", key.substring(key.indexOf('/') + 1), Map.of("spec", Map.of("size", size)));
		String call = key + " " + size;
		awaitThat("the long call " + call + " of " + victim.account,
				() -> victim.calling.contains(call) || !victim.account.owns(right));
		return (victim.calling.contains(call) && victim.account.owns(right)) ? right : null;
	}

	private void awaitThat(String what, Callable<Boolean> condition) {
		try {
			await().atMost(PATIENCE).until(condition);
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError(what + ", seed " + this.seed + ": " + outputs(), ex);
		}
	}

	private void disturb(List<ShardProcess> living, int index, int kind) throws Exception {
		ShardProcess victim = living.get(index);
		switch (kind) {
			case 0 -> {
				victim.kill();
				living.set(index, start(victim.identity));
			}
			case 1 -> {
				victim.kill();
				living.set(index, start("replica-" + this.names++));
			}
			case 2 -> {
				victim.end();
				assertThat(victim.account.slots()).as(() -> "not released by " + describe(victim)).isEmpty();
				living.set(index, start("replica-" + this.names++));
			}
			default -> {
				victim.signal("STOP");
				TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() / 2 + this.random.nextInt(2 * (int) LEASE.toMillis()));
				victim.signal("CONT");
			}
		}
	}

	private ShardProcess start(String identity) throws Exception {
		ShardProcess process = ShardProcess.start(this.server.url(), identity,
				List.of("--reflector.sharding.slots=" + SLOTS,
						"--reflector.sharding.leases.lease-duration=" + LEASE.toMillis() + "ms",
						"--reflector.sharding.leases.renew-deadline=2s",
						"--reflector.sharding.leases.retry-period=300ms"));
		this.all.add(process);
		return process;
	}

	private void write(AtomicBoolean goOn) {
		Random random = new Random(this.seed);
		while (goOn.get()) {
			this.writing.lock();
			try {
				writeAtRandom(random, NAMES);
				if (random.nextInt(200) == 0) {
					this.server.closeWatches();
				}
				if (random.nextInt(400) == 0) {
					this.server.compact();
				}
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

	/** While nothing is written, mirrors and calls add up to what is there. */
	private void awaitInStep(List<ShardProcess> living) {
		this.writing.lock();
		try {
			Map<String, String> content = MirrorApplication.contentOf(this.widgets);
			await().atMost(PATIENCE)
				// each look asks all replicas for their mirrors
				.pollInterval(Duration.ofMillis(250))
				.untilAsserted(() -> assertThat(State.of(living)).as(() -> "seed " + this.seed + ": " + outputs())
					.isEqualTo(new State(IntStream.range(0, SLOTS).boxed().toList(), content, content)));
		}
		finally {
			this.writing.unlock();
		}
		assertThat(this.all).allSatisfy((process) -> assertThat(process.account.mistakes())
			.as(() -> "seed " + this.seed + ": " + describe(process))
			.isEmpty());
	}

	/**
	 * Checks that all calls of an owner have ended before the next owner's calls begin.
	 * Each time that a replica has lost its Lease, one call may be an exception.
	 */
	private void checkOrder() {
		Map<Right, ShardProcess> owners = new HashMap<>();
		Map<Integer, TreeMap<Long, Long>> begins = new TreeMap<>();
		List<String> mistakes = new ArrayList<>();
		for (ShardProcess process : this.all) {
			for (Call call : process.account.calls()) {
				ShardProcess other = owners.putIfAbsent(call.right(), process);
				if (other != null && other != process) {
					mistakes.add(call.right() + " is that of " + other.account + " and of " + process.account);
				}
				begins.computeIfAbsent(call.right().slot(), (slot) -> new TreeMap<>())
					.merge(call.right().epoch(), call.beganAt(), Math::min);
			}
		}
		int overtaken = 0;
		for (ShardProcess process : this.all) {
			Map<Integer, Call> exceptions = new HashMap<>();
			for (Call call : process.account.calls()) {
				long next = begins.get(call.right().slot())
					.tailMap(call.right().epoch(), false)
					.values()
					.stream()
					.mapToLong(Long::longValue)
					.min()
					.orElse(Long.MAX_VALUE);
				if (next < call.endedAt()) {
					overtaken++;
					Integer lapse = process.account.lapseOf(call.right());
					Call before = (lapse != null) ? exceptions.put(lapse, call) : call;
					if (before != null) {
						mistakes.add(process.account + ": " + call + " was overtaken, as was " + before);
					}
				}
			}
		}
		assertThat(mistakes).as(() -> "seed " + this.seed + ": " + outputs()).isEmpty();
		assertThat(overtaken).as("calls that were overtaken, of which at least one was made to be").isPositive();
		System.out.printf(
				"seed %d: %d processes, %d calls in %d epochs of slots; %d calls ended after a lapse was known, "
						+ "%d were overtaken, %d told an older version than another owner before%n",
				this.seed, this.all.size(),
				this.all.stream().mapToInt((process) -> process.account.calls().size()).sum(), owners.size(),
				this.all.stream().mapToInt((process) -> process.account.late()).sum(), overtaken, wentBack());
	}

	/**
	 * Counts how often a later call has an older version: a mirror may be behind the
	 * server for a moment, including that of a new owner.
	 */
	private long wentBack() {
		Map<String, Long> newest = new HashMap<>();
		return this.all.stream()
			.flatMap((process) -> process.account.calls().stream())
			.filter((call) -> !call.type().equals("DELETED"))
			.sorted(Comparator.comparingLong(Call::beganAt))
			.filter((call) -> {
				long version = Long.parseLong(call.version());
				return newest.merge(call.key(), version, Math::max) > version;
			})
			.count();
	}

	private String outputs() {
		StringBuilder outputs = new StringBuilder();
		this.all.forEach((process) -> outputs.append("\n--- ").append(describe(process)));
		return outputs.toString();
	}

	private static String describe(ShardProcess process) {
		return process.account + ":\n" + process.output();
	}

	/**
	 * The state of all living replicas together.
	 *
	 * @param slots the owned slots, in order
	 * @param mirrored the objects in the mirrors: versions by key
	 * @param told the objects that follow from the delivered changes: versions by key
	 */
	private record State(List<Integer> slots, Map<String, String> mirrored, Map<String, String> told) {

		static State of(List<ShardProcess> living) throws Exception {
			List<Integer> slots = new ArrayList<>();
			Map<String, String> mirrored = new TreeMap<>();
			Map<String, String> told = new TreeMap<>();
			List<CompletableFuture<Map<String, String>>> mirrors = living.stream().map(ShardProcess::mirror).toList();
			for (ShardProcess process : living) {
				slots.addAll(process.account.slots());
				told.putAll(process.account.told());
			}
			for (CompletableFuture<Map<String, String>> mirror : mirrors) {
				mirror.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
					.forEach((key, version) -> mirrored.merge(key, version,
							(first, second) -> first + " and elsewhere " + second));
			}
			slots.sort(null);
			return new State(slots, mirrored, told);
		}

	}

}
