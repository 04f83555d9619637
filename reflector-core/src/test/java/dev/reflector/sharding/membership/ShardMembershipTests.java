package dev.reflector.sharding.membership;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.reflector.LeasePurpose;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.fixture.ManualTime;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.StaticAssignment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests single rules of the membership. All replicas share one clock, which stands still
 * until a test advances it, and one server, which answers at once unless the test delays
 * it.
 */
class ShardMembershipTests {

	private static final Slots SLOTS = new Slots(8);

	private final ManualTime time = new ManualTime();

	private final List<String> told = new ArrayList<>();

	private final Map<String, Stored> leases = new TreeMap<>();

	private final List<Sinks.Empty<Void>> held = new ArrayList<>();

	private @Nullable CompletableFuture<Void> draining;

	private String versionPrefix = "";

	private long version;

	private long jump;

	private final Random random = new Random(7);

	private boolean silent;

	private boolean holding;

	private final Map<String, MemberSettings> settings = new TreeMap<>();

	/** Replicas whose lists fail. */
	private final Set<String> blind = new HashSet<>();

	/** Replicas that have no memory for a list. */
	private final Set<String> exhausted = new HashSet<>();

	/** Replicas whose writes fail. */
	private final Set<String> cut = new HashSet<>();

	/** Replicas whose Lease is there, and no list shows it. */
	private final Set<String> hidden = new HashSet<>();

	/** By replica, the slots that it reports as not delivered. */
	private final Map<String, Map<Integer, Duration>> undelivered = new TreeMap<>();

	@Test
	void ownsWhatItHasClaimedWhenAListShowsNobodyElse() {
		ShardMembership alone = member("a");
		alone.start();
		assertThat(alone.isMember()).isFalse();
		tick();
		assertThat(this.leases.get("a").record().held()).isEmpty();
		assertThat(alone.isMember()).isTrue();
		assertThat(owned(alone)).isEmpty();
		assertThat(alone.desired().toSet()).hasSize(8);
		tick();
		assertThat(owned(alone)).hasSize(8);
		assertThat(alone.epoch(3)).isEqualTo(2);
		assertThat(this.leases.get("a").record().held()).containsEntry(3, 0L);
		assertThat(this.told).startsWith("a desires [0, 1, 2, 3, 4, 5, 6, 7]", "a acquired 0 @2").hasSize(9);
		advance(3);
		assertThat(this.leases.get("a").record().held()).containsEntry(3, 2L);
		assertThat(alone.epoch(3)).isEqualTo(2);
	}

	@Test
	void handsOverOnlyWhenDeliveriesHaveEnded() {
		ShardMembership first = joined("a");
		this.draining = new CompletableFuture<>();
		ShardMembership second = member("b");
		second.start();
		advance(12);
		List<Integer> moving = new ArrayList<>(second.desired().toSet());
		assertThat(moving).isNotEmpty();
		assertThat(owned(first)).doesNotContainAnyElementsOf(moving).hasSize(8 - moving.size());
		assertThat(owned(second)).isEmpty();
		assertThat(this.leases.get("a").record().held()).hasSize(8);
		this.draining.complete(null);
		advance(3);
		assertThat(owned(second)).isEqualTo(moving);
		assertThat(this.leases.get("a").record().held()).doesNotContainKeys(moving.toArray(Integer[]::new));
		assertThat(second.epoch(moving.get(0))).isGreaterThan(2);
		int slot = moving.get(0);
		assertThat(this.told).containsSubsequence("a acquired " + slot + " @2", "a releases " + slot + " @2",
				"a released " + slot + " @2 RELEASED", "b acquired " + slot + " @" + second.epoch(slot));
	}

	@Test
	void aFailedReleaseIsTheEndOfDeliveriesToo() {
		joined("a");
		this.draining = CompletableFuture.failedFuture(new IllegalStateException("broken"));
		ShardMembership second = joined("b");
		assertThat(owned(second)).isNotEmpty().isEqualTo(List.copyOf(second.desired().toSet()));
	}

	@Test
	void waitsForTheLeaseDurationOfTheOther() {
		joined("a").abort();
		Stored last = this.leases.get("a");
		MemberRecord record = last.record();
		write("a", new MemberRecord(record.incarnation(), record.sequence() + 1, false, 30, null, SLOTS, record.held(),
				Map.of(), 0, 0, MemberSettings.UNKNOWN));
		ShardMembership second = member("b");
		second.start();
		advance(29);
		assertThat(owned(second)).isEmpty();
		advance(5);
		assertThat(owned(second)).hasSize(8);
	}

	/** A renewal may have come after a list that was sent before. */
	@Test
	void aListThatWasSentBeforeALeaseExpiredDoesNotShowItAsExpired() {
		ShardMembership waiting = member("b");
		waiting.start();
		tick();
		this.holding = true;
		tick();
		answerAll();
		Map<Integer, Long> all = new TreeMap<>();
		IntStream.range(0, 8).forEach((slot) -> all.put(slot, 1L));
		write("a", new MemberRecord("run", 1, false, 15, null, SLOTS, all, Map.of(), 0, 0, MemberSettings.UNKNOWN));
		long seen = this.time.nanoTime();
		this.holding = false;
		answerAll();
		List<Integer> claimed = List.copyOf(waiting.desired().toSet());
		advance(12);
		assertThat(this.leases.get("b").record().held()).containsOnlyKeys(claimed.toArray(Integer[]::new));
		this.holding = true;
		while (this.held.isEmpty()) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		answerAll();
		assertThat(this.time.nanoTime() - seen).isLessThan(Duration.ofSeconds(15).toNanos());
		while (this.time.nanoTime() - seen < Duration.ofMillis(15_100).toNanos()) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		this.holding = false;
		answerAll();
		assertThat(owned(waiting)).isEmpty();
		advance(3);
		assertThat(owned(waiting)).hasSize(8);
		assertThat(claimed).isNotEmpty().hasSizeLessThan(8);
	}

	@Test
	void ownsNothingFromTheRenewDeadlineOnByItsOwnClock() {
		ShardMembership alone = joined("a");
		this.silent = true;
		advance(7);
		assertThat(owned(alone)).hasSize(8);
		advance(4);
		assertThat(owned(alone)).isEmpty();
		assertThat(alone.isMember()).isFalse();
		assertThat(this.told).endsWith("a released 7 @2 LAPSED");
		assertThat(alone.desired().toSet()).as("it goes on to mirror").hasSize(8);
		this.silent = false;
		long before = this.version;
		// requests of the current round may still wait for their answers
		advance(10);
		assertThat(this.version).isGreaterThan(before);
		assertThat(owned(alone)).hasSize(8);
		assertThat(alone.epoch(0)).isGreaterThan(before + 1);
	}

	/** The others may have seen the renewal long before its answer came. */
	@Test
	void callsOfTheNextOwnerBeginFiveSecondsAfterTheLastOneOfAnOwnerWhoseLeaseHasLapsed() {
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		int slot = owned(first).get(0);
		this.cut.add("a");
		long last = 0;
		while (first.isOwner(slot)) {
			last = this.time.nanoTime();
			advanceBy(Duration.ofMillis(100), 1);
		}
		this.cut.clear();
		while (!first.isOwner(slot) && !second.isOwner(slot)) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		assertThat(Duration.ofNanos(this.time.nanoTime() - last)).isGreaterThan(Duration.ofSeconds(5));
	}

	@Test
	void theRenewDeadlineCountsFromTheTimeWhenTheRenewalWasSent() {
		ShardMembership alone = joined("a");
		this.holding = true;
		while (this.held.isEmpty()) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		long sent = this.time.nanoTime();
		advance(3);
		answerAll();
		answerAll();
		this.silent = true;
		while (this.time.nanoTime() - sent < Duration.ofMillis(9900).toNanos()) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		assertThat(owned(alone)).hasSize(8);
		this.jump = Duration.ofMillis(200).toNanos();
		assertThat(owned(alone)).isEmpty();
	}

	/** After a pause, an answer can come before any timer. */
	@Test
	void anAnswerThatComesAfterTheLapseIsTheEndAndTheNextWriteHasNoSlots() {
		ShardMembership alone = joined("a");
		this.holding = true;
		while (this.held.isEmpty()) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		this.jump = Duration.ofSeconds(11).toNanos();
		assertThat(owned(alone)).isEmpty();
		answerAll();
		assertThat(this.leases.get("a").record().held()).hasSize(8);
		assertThat(this.told).endsWith("a released 7 @2 LAPSED");
		answerAll();
		while (this.held.isEmpty()) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		answerAll();
		assertThat(owned(alone)).isEmpty();
		assertThat(this.leases.get("a").record().held()).isEmpty();
		this.holding = false;
		answerAll();
		advance(3);
		assertThat(owned(alone)).hasSize(8);
	}

	@Test
	void aDeletedLeaseIsTheEndForItsOwnerAndTheOthersWait() {
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		List<Integer> ofFirst = owned(first);
		assertThat(ofFirst).isNotEmpty();
		this.leases.remove("a");
		first.abort();
		advance(14);
		assertThat(owned(second)).doesNotContainAnyElementsOf(ofFirst);
		advance(6);
		assertThat(owned(second)).hasSize(8);
		long epoch = second.epoch(0);
		this.leases.remove("b");
		advance(12);
		assertThat(this.told).contains("b released 0 @" + epoch + " LAPSED");
		assertThat(second.epoch(0)).isGreaterThan(epoch);
	}

	@Test
	void aLeaseThatGoesBackIsTheEndForItsOwner() {
		ShardMembership first = joined("a");
		Stored before = this.leases.get("a");
		advance(6);
		assertThat(this.leases.get("a").record().sequence()).isGreaterThan(before.record().sequence());
		write("a", before.record());
		advanceUntilLapsed(first);
		assertThat(this.told).endsWith("a released 7 @2 LAPSED");
		advance(4);
		assertThat(owned(first)).as("calls may be in progress").isEmpty();
		advance(6);
		assertThat(owned(first)).hasSize(8);
	}

	/** The versions of some stores are no numbers, and so cannot be compared. */
	@Test
	void withoutVersionsThatAreNumbersNothingIsTaken() {
		this.versionPrefix = "v";
		ShardMembership alone = member("a");
		alone.start();
		advance(10);
		assertThat(alone.isMember()).isFalse();
		assertThat(this.told).isEmpty();
	}

	@Test
	void epochsGrowAlsoWhenTheVersionsOfTheServerGoBack() {
		ShardMembership first = joined("a");
		first.abort();
		this.version = 100;
		write("c", new MemberRecord("run", 1, false, 15, null, SLOTS, Map.of(0, 100L), Map.of(), 0, 0,
				MemberSettings.UNKNOWN));
		first.start();
		advance(3);
		this.leases.clear();
		this.version = 20;
		advance(20);
		assertThat(owned(first)).hasSize(8);
		long epoch = first.epoch(0);
		assertThat(epoch).isGreaterThan(100);
		ShardMembership second = joined("b");
		first.stop();
		advance(6);
		assertThat(second.epoch(0)).as("grows").isGreaterThan(epoch);
	}

	/** The Lease has an epoch only from the write after the acquisition on. */
	@Test
	void afterARestoreNoEpochIsGivenOutAgainThoughItWasInNoLease() {
		this.version = 400;
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		int slot = owned(first).get(0);
		long before = first.epoch(slot);
		Map<String, Stored> backup = new TreeMap<>(this.leases);
		advance(6);
		this.version = 20;
		backup.forEach((identity, lease) -> write(identity, lease.record()));
		advanceUntilLapsed(first);
		while (!first.isOwner(slot)) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		long epoch = first.epoch(slot);
		assertThat(epoch).isGreaterThan(before);
		first.abort();
		advance(25);
		assertThat(second.epoch(slot)).isGreaterThan(epoch);
	}

	/** The next owner has not seen the restore. */
	@Test
	void raisedEpochsAreInTheLeaseBeforeTheyAreUsed() {
		ShardMembership first = joinedAfterARestore();
		long epoch = first.epoch(0);
		first.abort();
		ShardMembership second = joined("b");
		advance(25);
		assertThat(second.epoch(0)).as("after a crash").isGreaterThan(epoch);
	}

	@Test
	void raisedEpochsOutliveTheLastReplica() {
		ShardMembership first = joinedAfterARestore();
		long epoch = first.epoch(0);
		CompletionStage<Void> left = first.stop();
		advance(3);
		assertThat(left).isCompleted();
		ShardMembership second = joined("b");
		assertThat(second.epoch(0)).as("after all have left").isGreaterThan(epoch);
		long next = second.epoch(0);
		advance(40);
		assertThat(this.leases).as("only that of the present replica").containsOnlyKeys("b");
		second.abort();
		advance(40);
		ShardMembership third = joined("c");
		advance(25);
		assertThat(third.epoch(0)).as("after a crash of the only one").isGreaterThan(next);
	}

	/** The epoch of slot 0 was raised just now. */
	private ShardMembership joinedAfterARestore() {
		this.version = 400;
		ShardMembership membership = joined("a");
		Map<String, Stored> backup = new TreeMap<>(this.leases);
		advance(6);
		this.version = 20;
		backup.forEach((identity, lease) -> write(identity, lease.record()));
		advanceUntilLapsed(membership);
		while (!membership.isOwner(0)) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		return membership;
	}

	/** The replica that owned the slot is in no Lease of the backup. */
	@Test
	void afterARestoreEpochsAreLargerThanThoseThatThisReplicaHasNotSeen() {
		this.version = 400;
		ShardMembership first = joined("a");
		Map<String, Stored> backup = new TreeMap<>(this.leases);
		this.version = 500;
		advance(3);
		long unseen = this.version + 20;
		this.version = 450;
		backup.forEach((identity, lease) -> write(identity, lease.record()));
		advanceUntilLapsed(first);
		while (!first.isOwner(0)) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		assertThat(this.version).isLessThan(unseen);
		assertThat(first.epoch(0)).isGreaterThan(unseen);
	}

	@Test
	void aNewcomerThatDividesObjectsInAnotherWayTakesNothingAndMembersContinue() {
		Function<ShardField, MemberSettings> by = (field) -> MemberSettings.of(field, "shop", List.of("Widget"));
		List.of("a", "c", "e").forEach((identity) -> this.settings.put(identity, by.apply(ShardField.UID)));
		List.of("b", "d").forEach((identity) -> this.settings.put(identity, by.apply(ShardField.NAMESPACE)));
		ShardMembership first = joined("a");
		ShardMembership newcomer = joined("b");
		advance(30);
		assertThat(owned(first)).hasSize(8);
		assertThat(owned(newcomer)).isEmpty();
		assertThat(first.conflict()).isEmpty();
		assertThat(newcomer.conflict())
			.isEqualTo("a divides objects by object.metadata.uid, this replica by object.metadata.namespace");
		ShardMembership third = joined("c");
		assertThat(owned(first).size() + owned(third).size()).isEqualTo(8);
		assertThat(owned(third)).isNotEmpty();
		first.stop();
		third.stop();
		advance(6);
		assertThat(newcomer.conflict()).isEmpty();
		assertThat(owned(newcomer)).hasSize(8);
	}

	/** The others may have gone while it was stopped. */
	@Test
	void whatIsStartedAgainHasNoConflictThatItHadBefore() {
		this.settings.put("a", MemberSettings.of(ShardField.UID, "shop", List.of()));
		this.settings.put("b", MemberSettings.of(ShardField.NAMESPACE, "shop", List.of()));
		joined("a");
		ShardMembership newcomer = joined("b");
		assertThat(newcomer.conflict()).isNotEmpty();
		newcomer.abort();
		assertThat(newcomer.conflict()).as("stopped").isEmpty();
		this.silent = true;
		newcomer.start();
		tick();
		assertThat(newcomer.conflict()).as("has read nothing yet").isEmpty();
		List<String> lines = warnings(() -> {
			this.silent = false;
			advance(20);
		});
		assertThat(newcomer.conflict()).isNotEmpty();
		assertThat(lines).filteredOn((line) -> line.startsWith("b takes no slots of apps/shop")).hasSize(1);
	}

	@Test
	void ofReplicasThatStartTogetherTheFirstOneDecidesHowObjectsAreDivided() {
		this.settings.put("a", new MemberSettings(2, "", LeasePurpose.UNKNOWN));
		this.settings.put("b", new MemberSettings(1, "", LeasePurpose.UNKNOWN));
		ShardMembership first = member("a");
		ShardMembership second = member("b");
		this.holding = true;
		second.start();
		first.start();
		for (int i = 0; i < 8; i++) {
			answerAll();
		}
		this.holding = false;
		answerAll();
		advance(10);
		assertThat(owned(second)).hasSize(8);
		assertThat(owned(first)).isEmpty();
		assertThat(first.conflict()).isEqualTo("b has protocol 1, this replica 2");
	}

	/** Earlier versions do not say how they are configured. */
	@Test
	void aReplicaThatDoesNotSayHowItIsConfiguredCountsAsEqual() {
		this.settings.put("a", MemberSettings.of(ShardField.UID, "shop", List.of()));
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		assertThat(owned(first).size() + owned(second).size()).isEqualTo(8);
		assertThat(owned(second)).isNotEmpty();
	}

	/** A Lease is read with at most 1000 characters of them. */
	@Test
	void replicasThatMirrorTheSameManyTypesAreNotForeign() {
		List<String> types = IntStream.range(0, 60)
			.mapToObj((number) -> "widgets" + number + ".example.com/v1")
			.toList();
		LeasePurpose own = MemberSettings.of(ShardField.UID, "shop", types).purpose();
		assertThat(
				own.difference(new LeasePurpose(LeasePurpose.SHARDS, "shop", String.join(", ", new TreeSet<>(types)))))
			.isEmpty();
	}

	@Test
	void nothingIsTakenWhileReplicasWithAnotherNumberOfSlotsHaveSome() {
		ShardMembership old = joined("a");
		ShardMembership other = member("b", new RendezvousAssignment(new Slots(16)));
		other.start();
		advance(60);
		assertThat(owned(old)).hasSize(8);
		assertThat(owned(other)).isEmpty();
		ShardMembership third = joined("c");
		assertThat(owned(old).size() + owned(third).size()).isEqualTo(8);
		old.stop();
		third.stop();
		advance(6);
		assertThat(owned(other)).hasSize(16);
	}

	@Test
	void ofClaimsInDifferentNumbersOfSlotsTheLargerNumberWins() {
		ShardMembership small = member("a");
		ShardMembership large = member("b", new RendezvousAssignment(new Slots(16)));
		this.holding = true;
		small.start();
		large.start();
		for (int i = 0; i < 8; i++) {
			answerAll();
		}
		this.holding = false;
		answerAll();
		advance(10);
		assertThat(owned(large)).hasSize(16);
		assertThat(owned(small)).isEmpty();
	}

	@Test
	void anotherProcessWithTheSameIdentityWaits() {
		ShardMembership first = joined("a");
		ShardMembership second = member("a");
		second.start();
		advance(60);
		assertThat(owned(first)).hasSize(8);
		assertThat(second.isMember()).isFalse();
		first.abort();
		advance(14);
		assertThat(second.isMember()).isFalse();
		advance(6);
		assertThat(owned(second)).hasSize(8);
	}

	/** The Lease of the earlier run is back, and no replica renews it. */
	@Test
	void aRestoredLeaseIsNotTakenForOneOfAnotherProcess() {
		ShardMembership earlier = joined("a");
		MemberRecord before = this.leases.get("a").record();
		earlier.stop();
		advance(6);
		this.leases.clear();
		ShardMembership present = joined("a");
		List<String> lines = warnings(() -> {
			write("a", before);
			advance(60);
		});
		assertThat(lines).noneMatch((line) -> line.contains("Another process"))
			.anyMatch((line) -> line.contains("or the server was restored"));
		assertThat(owned(present)).hasSize(8);
		List<String> ofTwo = warnings(() -> joined("a"));
		assertThat(ofTwo).filteredOn((line) -> line.startsWith("Another process renews the Lease of 'a'")).hasSize(1);
	}

	@Test
	void aReplicaThatObservesKnowsItsSlotsAndTakesNone() {
		ShardMembership first = joined("a");
		ShardMembership second = member("b");
		second.observe();
		advance(12);
		assertThat(second.desired().size()).isBetween(1, 7);
		assertThat(owned(first)).hasSize(8);
		assertThat(this.leases).containsOnlyKeys("a");
		second.start();
		advance(12);
		assertThat(owned(second)).isNotEmpty().isEqualTo(List.copyOf(second.desired().toSet()));
		ShardMembership third = member("c");
		third.observe();
		tick();
		assertThat(third.stop()).isCompleted();
		assertThat(third.isStopped()).isTrue();
		assertThat(this.leases).doesNotContainKey("c");
	}

	@Test
	void takesAtOnceWhatWasLeft() {
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		CompletionStage<Void> left = first.stop();
		tick();
		assertThat(left).isCompleted();
		assertThat(this.leases.get("a").record().held()).isEmpty();
		assertThat(this.leases.get("a").record().leaving()).isTrue();
		advance(3);
		assertThat(owned(second)).hasSize(8);
		first.start();
		advance(6);
		assertThat(owned(first)).isNotEmpty().isEqualTo(List.copyOf(first.desired().toSet()));
	}

	@Test
	void whileOneLeavesItsSlotsAreTakenAsTheyAreReleased() {
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		this.draining = new CompletableFuture<>();
		int slow = owned(first).get(0);
		int before = owned(second).size();
		CompletionStage<Void> left = first.stop();
		assertThat(owned(first)).isEmpty();
		advance(30);
		assertThat(owned(second)).as("nothing is drained").hasSize(before);
		assertThatIllegalStateException().isThrownBy(first::start);
		assertThat(this.leases.get("a").record().held()).containsKey(slow);
		assertThat(left).isNotDone();
		this.draining.complete(null);
		advance(3);
		assertThat(left).isCompleted();
		assertThat(owned(second)).hasSize(8);
	}

	@Test
	void anAbortDoesNotWait() {
		ShardMembership first = joined("a");
		this.draining = new CompletableFuture<>();
		CompletionStage<Void> left = first.stop();
		advance(30);
		first.abort();
		assertThat(left).isCompleted();
		assertThat(this.told).endsWith("a desires []", "a released 0 @2 LAPSED", "a released 1 @2 LAPSED",
				"a released 2 @2 LAPSED", "a released 3 @2 LAPSED", "a released 4 @2 LAPSED", "a released 5 @2 LAPSED",
				"a released 6 @2 LAPSED", "a released 7 @2 LAPSED");
		this.draining.complete(null);
		long before = this.version;
		advance(30);
		assertThat(this.version).isEqualTo(before);
	}

	@Test
	void aStopThatCannotBeToldEnds() {
		ShardMembership first = joined("a");
		this.silent = true;
		CompletionStage<Void> left = first.stop();
		advance(60);
		assertThat(left).isCompleted();
		assertThat(this.leases).containsKey("a");
	}

	@Test
	void theFirstOfTheLiveReplicasDeletesTheLeasesOfTheOthers() {
		joined("b");
		joined("d").stop();
		ShardMembership killed = joined("c");
		joined("a");
		assertThat(this.leases).containsOnlyKeys("a", "b", "c", "d");
		advance(9);
		assertThat(this.leases).containsOnlyKeys("a", "b", "c");
		killed.abort();
		advance(14);
		assertThat(this.leases).containsKey("c");
		advance(5);
		assertThat(this.leases).containsOnlyKeys("a", "b");
	}

	/** A replica that joins cannot know that a Lease has expired. */
	@Test
	void aReplicaThatJoinsDoesNotWaitForOneThatDiedBefore() {
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		List<Integer> moved = owned(second);
		second.abort();
		advance(20);
		assertThat(owned(first)).hasSize(8);
		ShardMembership third = member("c");
		third.start();
		advance(6);
		assertThat(owned(third)).isNotEmpty().containsAnyElementsOf(moved);
		assertThat(owned(first).size() + owned(third).size()).isEqualTo(8);
	}

	/**
	 * The Lease of the second replica looks live, so others would leave slots to it
	 * forever.
	 */
	@Test
	void aReplicaThatCanWriteButNotListHandsItsSlotsOver() {
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		assertThat(owned(second)).isNotEmpty();
		this.blind.add("b");
		advance(9);
		assertThat(owned(second)).isNotEmpty();
		advance(7);
		assertThat(owned(second)).isEmpty();
		assertThat(owned(first)).hasSize(8);
		assertThat(this.told).noneMatch((call) -> call.contains("LAPSED"));
		this.blind.clear();
		advance(12);
		assertThat(owned(second)).isNotEmpty().isEqualTo(List.copyOf(second.desired().toSet()));
	}

	@Test
	void anErrorOfTheJvmDoesNotEndTheRounds() {
		this.exhausted.add("a");
		ShardMembership membership = member("a");
		membership.start();
		advance(5);
		assertThat(owned(membership)).isEmpty();
		this.exhausted.clear();
		advance(10);
		assertThat(owned(membership)).hasSize(8);
		this.exhausted.add("a");
		advance(5);
		this.exhausted.clear();
		advance(20);
		assertThat(owned(membership)).hasSize(8);
	}

	@Test
	void aSlotWhoseFormerOwnerDoesNotLetGoIsReportedByAll() {
		ShardMembership first = joined("a");
		this.draining = new CompletableFuture<>();
		ShardMembership second = joined("b");
		List<Integer> moving = List.copyOf(second.desired().toSet());
		advance(30);
		assertThat(first.unowned()).isEmpty();
		assertThat(first.undelivered()).containsExactlyElementsOf(moving);
		advance(6);
		assertThat(this.told).contains("a unowned " + moving, "b unowned " + moving);
		assertThat(second.unowned()).containsExactlyElementsOf(moving);
		this.draining.complete(null);
		advance(6);
		assertThat(this.told).contains("a unowned []", "b unowned []");
		assertThat(second.undelivered()).isEmpty();
	}

	/** The mark in the Lease has the age, and travels with the next renewal. */
	@Test
	void aSlotThatItsOwnerDoesNotDeliverIsReportedByAllAtTheSameTime() {
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		int slot = owned(first).get(0);
		this.undelivered.put("a", Map.of(slot, Duration.ofSeconds(40)));
		advance(3);
		assertThat(second.undelivered()).contains(slot);
		assertThat(second.unowned()).isEmpty();
		this.undelivered.put("a", Map.of(slot, Duration.ofSeconds(46)));
		advance(4);
		assertThat(this.told).contains("a unowned [" + slot + "]", "b unowned [" + slot + "]");
		this.undelivered.clear();
		advance(6);
		assertThat(this.told).contains("a unowned []", "b unowned []");
	}

	@Test
	void aCallbackThatDoesNotReturnKeepsItsSlotUndeliveredAndNoOther() throws Exception {
		CountDownLatch others = new CountDownLatch(7);
		CountDownLatch goOn = new CountDownLatch(1);
		CompletableFuture<Set<Integer>> reported = new CompletableFuture<>();
		ShardCallbacks hanging = new ShardCallbacks() {

			@Override
			public void onAcquired(int slot, long epoch) {
				if (slot == 0) {
					ShardMembershipTests.await(goOn);
				}
				others.countDown();
			}

			@Override
			public void onUnowned(Set<Integer> slots) {
				reported.complete(slots);
			}

		};
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			ShardMembership hung = new ShardMembership(new Store("a"), new RendezvousAssignment(SLOTS),
					ShardMembershipConfig.defaults(), () -> MemberSettings.UNKNOWN,
					new MembershipCallbacks(hanging, threads), new JumpingTime(), this.random);
			hung.start();
			advance(3);
			await(others);
			while (hung.undelivered().size() > 1) {
				// the last callback returns in time that does not count here
				Thread.sleep(100);
				advance(1);
			}
			assertThat(hung.undelivered()).containsExactly(0);
			advance(48);
			assertThat(reported.get(60, TimeUnit.SECONDS)).containsExactly(0);
			assertThat(hung.unowned()).containsExactly(0);
			assertThat(this.leases.get("a").record().undelivered()).containsOnlyKeys(0);
		}
		finally {
			goOn.countDown();
			threads.shutdown();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void slotsThatNobodyCanListAreReported() {
		ShardMembership first = joined("a");
		ShardMembership second = joined("b");
		this.blind.addAll(List.of("a", "b"));
		advance(30);
		assertThat(first.unowned()).isEmpty();
		advance(30);
		assertThat(first.unowned()).hasSize(8);
		assertThat(second.unowned()).hasSize(8);
		assertThat(this.told).contains("a unowned [0, 1, 2, 3, 4, 5, 6, 7]", "b unowned [0, 1, 2, 3, 4, 5, 6, 7]");
	}

	@Test
	void aReplicaThatNeverGetsAnAnswerReportsAllSlots() {
		this.silent = true;
		ShardMembership alone = member("a");
		alone.start();
		advance(45);
		assertThat(alone.unowned()).isEmpty();
		advance(2);
		assertThat(alone.unowned()).hasSize(8);
	}

	/** Others see that from the time of its last sign of life. */
	@Test
	void slotsOfADeadReplicaThatNobodyTakesAreReportedInTime() {
		member("x", new StaticAssignment(0, 2, SLOTS)).start();
		ShardMembership dead = member("y", new StaticAssignment(1, 2, SLOTS));
		dead.start();
		advance(10);
		dead.abort();
		this.told.clear();
		advance(40);
		assertThat(this.told).isEmpty();
		advance(7);
		assertThat(this.told).containsExactly("x unowned [4, 5, 6, 7]");
	}

	@Test
	void warnsOnceAMinute() {
		List<String> lines = warnings(() -> {
			member("x", new StaticAssignment(0, 2, SLOTS)).start();
			advance(46 + 130);
		});
		assertThat(lines).hasSize(3)
			.allSatisfy((line) -> assertThat(line)
				.startsWith("No replica of apps/shop has delivered the changes of these slots for more than "
						+ "45000 ms: [4, 5, 6, 7]."));
	}

	/** A role may allow writes and no lists. */
	@Test
	void warnsOnceAMinuteOfListsThatAreRefused() {
		List<String> lines = warnings(() -> {
			joined("a");
			this.blind.add("a");
			advance(130);
		});
		assertThat(lines).filteredOn((line) -> line.contains("could not be read")).hasSizeBetween(1, 3);
	}

	@Test
	void aConflictIsNoWarningUnlessThereAreManyInARow() {
		List<String> lines = warnings(() -> {
			ShardMembership member = joined("a");
			for (int i = 0; i < 10; i++) {
				// another has added a label
				write("a", this.leases.get("a").record());
				advance(4);
			}
			assertThat(owned(member)).hasSize(8);
		});
		assertThat(lines).isEmpty();
		this.hidden.add("b");
		lines = warnings(() -> {
			member("b").start();
			advance(30);
		});
		assertThat(lines).containsExactly(
				"The lease of b in apps/shop could not be written: dev.reflector.cache.source.ApiException: "
						+ "conflict");
	}

	private static ApiException conflict() {
		return new ApiException("conflict", Status.ofHttp(409, ""), Duration.ZERO);
	}

	private static List<String> warnings(Runnable history) {
		Logger logger = (Logger) LoggerFactory.getLogger(ShardMembership.class);
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		try {
			history.run();
		}
		finally {
			logger.detachAppender(lines);
		}
		return lines.list.stream()
			.filter((line) -> line.getLevel() == Level.WARN)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	@Test
	void whatReplicasWithAnotherNumberOfSlotsDeliverIsNotReported() {
		joined("a");
		ShardMembership other = member("b", new RendezvousAssignment(new Slots(16)));
		other.start();
		ShardMembership odd = member("c", new RendezvousAssignment(new Slots(3)));
		odd.start();
		advance(120);
		assertThat(this.told).noneMatch((call) -> call.contains("unowned"));
		assertThat(other.undelivered()).isEmpty();
		assertThat(odd.undelivered()).isEmpty();
	}

	/** Eight slots, and four replicas that believe to be eight. */
	@Test
	void staticReplicasNoticeThatOthersAreMissing() {
		for (int index = 0; index < 4; index++) {
			member("shop-" + index, new StaticAssignment(index, 8, SLOTS)).start();
		}
		advance(44);
		assertThat(this.told).noneMatch((call) -> call.contains("unowned"));
		advance(10);
		assertThat(this.told).contains("shop-0 unowned [4, 5, 6, 7]", "shop-1 unowned [4, 5, 6, 7]",
				"shop-2 unowned [4, 5, 6, 7]", "shop-3 unowned [4, 5, 6, 7]");
		this.told.clear();
		for (int index = 4; index < 8; index++) {
			member("shop-" + index, new StaticAssignment(index, 8, SLOTS)).start();
		}
		advance(10);
		assertThat(this.told).contains("shop-0 unowned []", "shop-3 unowned []").doesNotContain("shop-4 unowned []");
	}

	@Test
	void ofStaticReplicasWithTheSameIndexOneOwnsTheSlots() {
		ShardMembership first = member("x", new StaticAssignment(1, 2, SLOTS));
		ShardMembership second = member("y", new StaticAssignment(1, 2, SLOTS));
		first.start();
		second.start();
		advance(60);
		assertThat(owned(first).size() + owned(second).size()).isEqualTo(4);
		ShardMembership owner = owned(first).isEmpty() ? second : first;
		assertThat(owned(owner)).containsExactly(4, 5, 6, 7);
		owner.stop();
		advance(6);
		assertThat(owned((owner == first) ? second : first)).containsExactly(4, 5, 6, 7);
	}

	/** The request was reported when it timed out. */
	@Test
	void aRequestThatFailsAfterItWasGivenUpIsNoUnhandledError() {
		CompletableFuture<List<MemberLease>> late = new CompletableFuture<>();
		MemberStore slow = new Store("a") {

			@Override
			public Mono<List<MemberLease>> list() {
				return Mono.fromFuture(late, true);
			}

		};
		List<Throwable> dropped = new ArrayList<>();
		Hooks.onErrorDropped(dropped::add);
		try {
			new ShardMembership(slow, new RendezvousAssignment(SLOTS), ShardMembershipConfig.defaults(),
					() -> MemberSettings.UNKNOWN, new MembershipCallbacks(new Recorder("a"), Runnable::run), this.time,
					this.random)
				.start();
			advance(4);
			late.completeExceptionally(new IllegalStateException("connection lost"));
		}
		finally {
			Hooks.resetOnErrorDropped();
		}
		assertThat(dropped).isEmpty();
	}

	@Test
	void timesThatAreNotSetAreThoseOfLeaderElection() {
		ShardMembershipConfig config = ShardMembershipConfig.builder().build();
		assertThat(config.leaseDuration()).hasSeconds(15);
		assertThat(config.renewDeadline()).hasSeconds(10);
		assertThat(config.retryPeriod()).hasSeconds(2);
		assertThat(config.unownedAfter()).hasSeconds(45);
		assertThat(ShardMembershipConfig.defaults()).isEqualTo(config);
	}

	@Test
	void eachTimeIsSetByItsName() {
		ShardMembershipConfig config = ShardMembershipConfig.builder()
			.unownedAfter(Duration.ofSeconds(46))
			.retryPeriod(Duration.ofSeconds(3))
			.renewDeadline(Duration.ofSeconds(11))
			.leaseDuration(Duration.ofSeconds(16))
			.build();
		assertThat(config.leaseDuration()).hasSeconds(16);
		assertThat(config.renewDeadline()).hasSeconds(11);
		assertThat(config.retryPeriod()).hasSeconds(3);
		assertThat(config.unownedAfter()).hasSeconds(46);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			0  | 10 | 2 | 45       | 'leaseDuration' must be one or more whole seconds
			15 | 15 | 2 | 45       | 'renewDeadline' must be less than 'leaseDuration'
			15 | 10 | 0 | 45       | 'retryPeriod' must be positive
			15 | 10 | 9 | 45       | 'renewDeadline' must be greater than 1.2 times 'retryPeriod'
			15 | 10 | 2 | 15       | 'unownedAfter' must be greater than 'leaseDuration'
			15 | 10 | 2 | 31536001 | 'unownedAfter' must be 365d at most
			""")
	void refusesTimesThatDoNotGoTogether(int lease, int renew, int retry, int unowned, String message) {
		ShardMembershipConfig.Builder config = ShardMembershipConfig.builder()
			.leaseDuration(Duration.ofSeconds(lease))
			.renewDeadline(Duration.ofSeconds(renew))
			.retryPeriod(Duration.ofSeconds(retry))
			.unownedAfter(Duration.ofSeconds(unowned));
		assertThatIllegalArgumentException().isThrownBy(config::build).withMessage(message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void refusesAnEmptyIdentity(String identity) {
		assertThatIllegalArgumentException().isThrownBy(() -> member(identity));
	}

	private ShardMembership joined(String identity) {
		ShardMembership membership = member(identity);
		membership.start();
		tick();
		tick();
		advance(12);
		return membership;
	}

	private ShardMembership member(String identity) {
		return member(identity, new RendezvousAssignment(SLOTS));
	}

	private ShardMembership member(String identity, ShardAssignment assignment) {
		return new ShardMembership(new Store(identity), assignment, ShardMembershipConfig.defaults(),
				() -> settings(identity), new MembershipCallbacks(new Recorder(identity), Runnable::run),
				new JumpingTime(), this.random);
	}

	private MemberSettings settings(String identity) {
		return this.settings.getOrDefault(identity, MemberSettings.UNKNOWN);
	}

	private static List<Integer> owned(ShardMembership membership) {
		return IntStream.range(0, membership.slots().count()).filter(membership::isOwner).boxed().toList();
	}

	private void tick() {
		this.time.advance(Duration.ZERO);
	}

	private void advance(int seconds) {
		advanceBy(Duration.ofMillis(100), 10 * seconds);
	}

	private void advanceBy(Duration step, int times) {
		for (int i = 0; i < times; i++) {
			this.time.advance(step);
			tick();
		}
	}

	private void advanceUntilLapsed(ShardMembership membership) {
		for (int i = 0; i < 50 && membership.isMember(); i++) {
			advanceBy(Duration.ofMillis(100), 1);
		}
		assertThat(membership.isMember()).isFalse();
	}

	private MemberLease write(String identity, MemberRecord record) {
		Stored lease = new Stored(identity, record, this.versionPrefix + ++this.version);
		this.leases.put(identity, lease);
		return lease;
	}

	private <T> Mono<T> answer(Mono<T> effect) {
		if (this.silent) {
			return Mono.never();
		}
		if (!this.holding) {
			return effect;
		}
		Sinks.Empty<Void> sink = Sinks.empty();
		this.held.add(sink);
		return sink.asMono().then(effect);
	}

	private void answerAll() {
		List<Sinks.Empty<Void>> now = new ArrayList<>(this.held);
		this.held.clear();
		now.forEach(Sinks.Empty::tryEmitEmpty);
		tick();
	}

	private final class Stored implements MemberLease {

		private final String identity;

		private final MemberRecord record;

		private final String version;

		Stored(String identity, MemberRecord record, String version) {
			this.identity = identity;
			this.record = record;
			this.version = version;
		}

		@Override
		public String identity() {
			return this.identity;
		}

		@Override
		public String resourceVersion() {
			return this.version;
		}

		@Override
		public MemberRecord record() {
			return this.record;
		}

		@Override
		public Mono<MemberLease> update(MemberRecord next) {
			return answer(Mono.fromCallable(() -> {
				if (ShardMembershipTests.this.cut.contains(this.identity)) {
					throw new IllegalStateException("503");
				}
				requireCurrent();
				return write(this.identity, next);
			}));
		}

		@Override
		public Mono<Void> delete() {
			return answer(Mono.fromRunnable(() -> {
				requireCurrent();
				ShardMembershipTests.this.leases.remove(this.identity);
			}));
		}

		private void requireCurrent() {
			if (ShardMembershipTests.this.leases.get(this.identity) != this) {
				throw conflict();
			}
		}

	}

	private class Store implements MemberStore {

		private final String identity;

		Store(String identity) {
			this.identity = identity;
		}

		@Override
		public String identity() {
			return this.identity;
		}

		@Override
		public String describe() {
			return "apps/shop";
		}

		@Override
		public Mono<List<MemberLease>> list() {
			return answer(Mono.fromCallable(() -> {
				if (ShardMembershipTests.this.blind.contains(this.identity)) {
					throw new IllegalStateException("403");
				}
				if (ShardMembershipTests.this.exhausted.contains(this.identity)) {
					throw new OutOfMemoryError("no memory for a list");
				}
				return List.copyOf(ShardMembershipTests.this.leases.values());
			}));
		}

		@Override
		public Mono<MemberLease> create(MemberRecord record) {
			return answer(Mono.fromCallable(() -> {
				if (ShardMembershipTests.this.leases.containsKey(this.identity)
						|| ShardMembershipTests.this.hidden.contains(this.identity)) {
					throw conflict();
				}
				return write(this.identity, record);
			}));
		}

	}

	/** A clock that can jump ahead without running its timers. */
	private final class JumpingTime implements TimeSource {

		@Override
		public Instant now() {
			return ShardMembershipTests.this.time.now();
		}

		@Override
		public long nanoTime() {
			return ShardMembershipTests.this.time.nanoTime() + ShardMembershipTests.this.jump;
		}

		@Override
		public Runnable schedule(Duration delay, Runnable task) {
			return ShardMembershipTests.this.time.schedule(delay, task);
		}

	}

	/** Writes down the calls. */
	private final class Recorder implements ShardCallbacks {

		private final String identity;

		Recorder(String identity) {
			this.identity = identity;
		}

		private void add(String call) {
			ShardMembershipTests.this.told.add(this.identity + " " + call);
		}

		@Override
		public void onDesired(DesiredSlots slots) {
			add("desires " + slots.toSet());
		}

		@Override
		public void onAcquired(int slot, long epoch) {
			add("acquired " + slot + " @" + epoch);
		}

		@Override
		public CompletionStage<?> onRelease(int slot, long epoch) {
			add("releases " + slot + " @" + epoch);
			CompletableFuture<Void> draining = ShardMembershipTests.this.draining;
			return (draining != null) ? draining : CompletableFuture.completedFuture(null);
		}

		@Override
		public void onReleased(int slot, long epoch, ReleaseReason reason) {
			add("released " + slot + " @" + epoch + " " + reason);
		}

		@Override
		public void onUnowned(Set<Integer> slots) {
			add("unowned " + slots);
		}

		@Override
		public Map<Integer, Duration> undelivered() {
			return ShardMembershipTests.this.undelivered.getOrDefault(this.identity, Map.of());
		}

	}

}
