package dev.reflector.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.fixture.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Single rules of the election. All replicas share one clock here, which stands still
 * until a test moves it.
 */
class LeaderElectorTests {

	private static final LeaderElectionConfig RELEASING = LeaderElectionConfig.builder().releaseOnCancel(true).build();

	/** The first epoch after the lock was in doubt for the first time. */
	private static final int AFTER_DOUBT = 1 << 16;

	private final ManualTime time = new ManualTime();

	private final List<String> told = new ArrayList<>();

	private @Nullable LeaderElectionRecord stored;

	private int version;

	private boolean silent;

	/** Whether the lock is created only after the request for it has timed out. */
	private boolean late;

	private final List<LeaderElectionRecord> arriving = new ArrayList<>();

	private @Nullable RuntimeException failure;

	/** While it is set, requests throw it. */
	private @Nullable Error error;

	private final List<MonoSink<?>> unanswered = new ArrayList<>();

	/** The work in progress when a term ends. */
	private CompletableFuture<Void> working = CompletableFuture.completedFuture(null);

	@Test
	void leadsAtOnceWhereThereIsNoLock() {
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		assertThat(elector.isLeader()).isTrue();
		assertThat(elector.epoch()).hasValue(0);
		assertThat(this.told).containsExactly("a sees a", "a leads 0");
		assertThat(this.stored).isEqualTo(new LeaderElectionRecord("a", 15, this.time.now(), this.time.now(), 0));
	}

	@Test
	void waitsForTheLeaseDurationWhateverTheTimesOfTheHolderSay() {
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 7));
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		assertThat(elector.leader()).isEqualTo("b");
		advance(14);
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH.minusSeconds(60), 7));
		advance(16);
		assertThat(elector.isLeader()).isFalse();
		advance(2);
		assertThat(elector.epoch()).hasValue(8);
	}

	@Test
	void takesAReleasedLockAtOnce() {
		write(new LeaderElectionRecord("", 1, null, null, 7));
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		assertThat(elector.epoch()).hasValue(8);
	}

	@Test
	void doesNotLeadWhenNoLargerEpochIsLeft() {
		Logger logger = (Logger) LoggerFactory.getLogger(LeaderElector.class);
		ListAppender<ILoggingEvent> appender = new ListAppender<>();
		appender.start();
		logger.addAppender(appender);
		try {
			write(new LeaderElectionRecord("", 1, null, null, Integer.MAX_VALUE));
			LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
			elector.start();
			advance(20);
			assertThat(elector.isLeader()).isFalse();
			assertThat(warnings(appender)).singleElement().asString().contains("'leaseTransitions' was 2147483647");
			write(new LeaderElectionRecord("", 1, null, null, 7));
			advance(20);
			assertThat(elector.isLeader()).as("it has seen the largest epoch").isFalse();
			LeaderElector restarted = elector("b", LeaderElectionConfig.defaults());
			restarted.start();
			assertThat(restarted.epoch()).hasValue(8);
		}
		finally {
			logger.detachAppender(appender);
		}
	}

	/** A restored server shows what was there before. */
	@Test
	void aTermThatWasSeenCountsUntilItExpiresWhateverAnEarlierRecordSays() {
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 5));
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		write(new LeaderElectionRecord("", 1, Instant.EPOCH, Instant.EPOCH, 4));
		advance(14);
		assertThat(elector.isLeader()).as("15 s after the term was seen").isFalse();
		advance(4);
		assertThat(elector.epoch()).as("larger than that of the lost term").hasValue(AFTER_DOUBT);
	}

	/** No running replica has seen the last term before the server was restored. */
	@Test
	void afterARestoreAnEpochIsNotGivenOutAgainThoughItsTermWasNotSeen() {
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 4));
		LeaderElectionRecord earlier = this.stored;
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH.plusSeconds(60), Instant.EPOCH.plusSeconds(60), 5));
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		this.silent = true;
		advance(60);
		long missed = 6 + 500;
		this.silent = false;
		write(earlier);
		advance(40);
		assertThat(elector.epoch().orElseThrow()).isGreaterThan(missed);
		long epoch = elector.epoch().orElseThrow();
		elector.stop();
		elector.start();
		advance(20);
		assertThat(elector.epoch()).as("the next one").hasValue(epoch + 1);
	}

	@Test
	void aReplicaIsNotLeaderAgainBecauseARestoredServerShowsItsOwnEarlierTerm() {
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		LeaderElectionRecord own = this.stored;
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 1));
		advance(2);
		assertThat(elector.leader()).isEqualTo("b");
		write(own);
		advance(12);
		assertThat(elector.isLeader()).isFalse();
		assertThat(elector.leader()).as("its own name, while it does not lead").isEmpty();
		advance(6);
		assertThat(elector.epoch()).hasValue(AFTER_DOUBT);
	}

	@Test
	void aLeaderStopsWhenTheServerShowsAnEarlierTerm() {
		write(new LeaderElectionRecord("", 1, null, null, 7));
		LeaderElectionRecord earlier = this.stored;
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		write(earlier);
		advance(2);
		assertThat(elector.isLeader()).isFalse();
		advance(2);
		assertThat(elector.epoch()).as("nobody else was seen to lead").hasValue(9);
	}

	@ParameterizedTest
	@CsvSource({ "'', 15", "'', 1", "c, 15" })
	void aHolderThatWasRemovedByHandCountsUntilItExpires(String holder, int seconds) {
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 5));
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		write(new LeaderElectionRecord(holder, seconds, Instant.EPOCH, Instant.EPOCH.plusSeconds(2), 5));
		advance(14);
		assertThat(elector.isLeader()).isFalse();
		advance(20);
		assertThat(elector.epoch()).hasValue(AFTER_DOUBT);
	}

	@Test
	void aLeaseDurationThatWasShortenedByHandDoesNotEndATerm() {
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 5));
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		write(new LeaderElectionRecord("b", 1, Instant.EPOCH, Instant.EPOCH, 5));
		advance(14);
		assertThat(elector.isLeader()).isFalse();
		advance(4);
		assertThat(elector.epoch()).hasValue(AFTER_DOUBT);
	}

	@Test
	void aReleaseOrALaterTermEndsATermAtOnce() {
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 5));
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		write(new LeaderElectionRecord("c", 15, Instant.EPOCH.plusSeconds(1), Instant.EPOCH, 6));
		advance(2);
		assertThat(elector.leader()).isEqualTo("c");
		write(this.stored.released(this.time.now()));
		advance(2);
		assertThat(elector.epoch()).hasValue(7);
	}

	@Test
	void aLeaderThatWasLastSeenLongAgoIsNotNamed() {
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 5));
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		assertThat(elector.isUndecided()).as("it does not compete").isTrue();
		elector.start();
		assertThat(elector.isUndecided()).isFalse();
		this.silent = true;
		advance(15);
		assertThat(elector.leader()).isEqualTo("b");
		advance(1);
		assertThat(elector.leader()).isEmpty();
		assertThat(elector.isUndecided()).isFalse();
	}

	@Test
	void aReplicaThatNeverSeesTheLockKnowsAfterALeaseDurationThatNobodyLeads() {
		this.silent = true;
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		advance(15);
		assertThat(elector.isUndecided()).isTrue();
		advance(1);
		assertThat(elector.isUndecided()).isFalse();
		assertThat(elector.leader()).isEmpty();
	}

	@Test
	void aLeaderRenewsInEachRetryPeriodAndKeepsItsEpoch() {
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		Instant acquired = this.time.now();
		assertThat(this.time.waiting()).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(10));
		advance(60);
		assertThat(this.version).isEqualTo(31);
		assertThat(this.stored).isEqualTo(new LeaderElectionRecord("a", 15, acquired, this.time.now(), 0));
		assertThat(elector.epoch()).hasValue(0);
	}

	@Test
	void theOthersTryAfterARandomPause() {
		write(new LeaderElectionRecord("b", 15, null, null, 0));
		new LeaderElector(new Lock("a"), LeaderElectionConfig.defaults(), new LeaderCallbacks() {
		}, this.time, Runnable::run, () -> 0.5).start();
		assertThat(this.time.waiting()).containsExactly(Duration.ofMillis(3200));
	}

	@Test
	void stopsToLeadWhenTheRenewDeadlineHasPassedSinceTheLastRenewalWasSent() {
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		this.silent = true;
		advance(9);
		assertThat(elector.isLeader()).isTrue();
		advance(1);
		assertThat(elector.isLeader()).isFalse();
		assertThat(this.told).endsWith("a stopped 0");
		this.silent = false;
		advance(10);
		assertThat(elector.epoch()).hasValue(1);
	}

	@Test
	void stopsToLeadAtOnceWhenAnotherHoldsTheLock() {
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		write(new LeaderElectionRecord("b", 15, null, null, 1));
		advance(2);
		assertThat(elector.isLeader()).isFalse();
		assertThat(this.told).endsWith("a sees b", "a stopped 0");
	}

	@Test
	void aStopReleasesTheLockAfterTheCallback() {
		LeaderElector elector = elector("a", RELEASING);
		elector.start();
		LeaderElector next = elector("b", RELEASING);
		next.start();
		assertThat(elector.stop()).isCompleted();
		assertThat(this.told).endsWith("a stopped 0 while held by a");
		assertThat(this.stored).isEqualTo(new LeaderElectionRecord("", 1, this.time.now(), this.time.now(), 0));
		advance(2);
		assertThat(next.epoch()).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLeaderThatStopsKeepsTheLockUntilNothingOfItsTermIsInProgress(boolean release) {
		LeaderElectionConfig config = release ? RELEASING : LeaderElectionConfig.defaults();
		LeaderElector elector = elector("a", config);
		LeaderElector next = elector("b", config);
		elector.start();
		next.start();
		this.working = new CompletableFuture<>();
		CompletionStage<Void> stopped = elector.stop();
		assertThat(elector.isLeader()).isFalse();
		advance(60);
		assertThat(next.isLeader()).as("while work of the first is in progress").isFalse();
		assertThat(stopped.toCompletableFuture()).isNotDone();
		assertThat(this.stored.renewTime()).isEqualTo(this.time.now());
		this.working.complete(null);
		assertThat(stopped.toCompletableFuture()).isCompleted();
		assertThat(this.stored.holderIdentity()).isEqualTo(release ? "" : "a");
		advance(release ? 2 : 18);
		assertThat(next.epoch()).hasValue(1);
	}

	@Test
	void aLeaderThatIsClosedLeavesTheLockToExpireUnderItsWork() {
		LeaderElector elector = elector("a", RELEASING);
		LeaderElector next = elector("b", RELEASING);
		elector.start();
		next.start();
		this.working = new CompletableFuture<>();
		elector.stop();
		elector.close();
		this.working.complete(null);
		advance(14);
		assertThat(next.isLeader()).isFalse();
		advance(4);
		assertThat(next.epoch()).hasValue(1);
	}

	@Test
	void aLeaderThatStopsLosesTheLockWhenAnotherHasIt() {
		LeaderElector elector = elector("a", RELEASING);
		elector.start();
		this.working = new CompletableFuture<>();
		elector.stop();
		write(new LeaderElectionRecord("b", 15, Instant.EPOCH, Instant.EPOCH, 1));
		advance(2);
		this.working.complete(null);
		advance(2);
		assertThat(this.stored.holderIdentity()).isEqualTo("b");
	}

	@Test
	void whatIsStartedAgainMayLeadAgainThoughWorkOfItsLastTermIsInProgress() {
		LeaderElector elector = elector("a", RELEASING);
		elector.start();
		this.working = new CompletableFuture<>();
		elector.stop();
		elector.start();
		assertThat(elector.epoch()).hasValue(1);
		advance(4);
		this.working.complete(null);
		advance(60);
		assertThat(elector.epoch()).hasValue(1);
		assertThat(this.told).endsWith("a leads 1");
	}

	/**
	 * The next attempts are the same acquisition, until the elector has seen another
	 * lock.
	 */
	@Test
	void anAcquisitionThatArrivesAfterTheNextAttemptIsRecognized() {
		this.late = true;
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		advance(8);
		assertThat(this.arriving).hasSize(2);
		this.late = false;
		write(this.arriving.get(0));
		advance(8);
		assertThat(elector.isLeader()).isTrue();
	}

	@Test
	void aConflictIsNoWarningAndAnotherFailureIsOneEachMinute() {
		Logger logger = (Logger) LoggerFactory.getLogger(LeaderElector.class);
		ListAppender<ILoggingEvent> appender = new ListAppender<>();
		appender.start();
		logger.addAppender(appender);
		try {
			elector("a", LeaderElectionConfig.defaults()).start();
			this.failure = new ApiException("409", Status.ofHttp(409, ""), Duration.ZERO);
			advance(8);
			assertThat(warnings(appender)).isEmpty();
			this.failure = new ApiException("403", Status.ofHttp(403, ""), Duration.ZERO);
			advance(60);
			assertThat(warnings(appender)).containsExactly(
					"The lease test could not be acquired: " + "dev.reflector.cache.source.ApiException: 403");
			advance(60);
			assertThat(warnings(appender)).hasSize(2);
		}
		finally {
			logger.detachAppender(appender);
		}
	}

	private static List<String> warnings(ListAppender<ILoggingEvent> appender) {
		return appender.list.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.WARN))
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	@Test
	void aRequestThatFailsAfterItWasGivenUpIsNotReported() {
		List<Throwable> dropped = new ArrayList<>();
		Hooks.onErrorDropped(dropped::add);
		try {
			this.silent = true;
			elector("a", LeaderElectionConfig.defaults()).start();
			advance(5);
			this.unanswered.forEach((sink) -> sink.error(new IllegalStateException("too late")));
			assertThat(this.unanswered).isNotEmpty();
			assertThat(dropped).isEmpty();
		}
		finally {
			Hooks.resetOnErrorDropped();
		}
	}

	@Test
	void aStopDoesNotReleaseWhatAnotherHolds() {
		LeaderElector elector = elector("a", RELEASING);
		elector.start();
		write(new LeaderElectionRecord("b", 15, null, null, 1));
		assertThat(elector.stop()).isCompleted();
		assertThat(this.stored.holderIdentity()).isEqualTo("b");
	}

	@Test
	void aLeaderKeepsALockThatWasDeletedAndTheOthersWait() {
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		LeaderElector other = elector("b", LeaderElectionConfig.defaults());
		elector.start();
		other.start();
		this.stored = null;
		advance(1);
		other.stop();
		other.start();
		assertThat(other.isLeader()).isFalse();
		advance(1);
		assertThat(this.stored.holderIdentity()).isEqualTo("a");
		assertThat(elector.epoch()).hasValue(0);
	}

	@Test
	void optionsThatAreNotSetAreThoseOfClientGo() {
		LeaderElectionConfig config = LeaderElectionConfig.builder().build();
		assertThat(config.leaseDuration()).hasSeconds(15);
		assertThat(config.renewDeadline()).hasSeconds(10);
		assertThat(config.retryPeriod()).hasSeconds(2);
		assertThat(config.releaseOnCancel()).isFalse();
		assertThat(LeaderElectionConfig.defaults()).isEqualTo(config);
	}

	@Test
	void eachOptionIsSetByItsName() {
		LeaderElectionConfig config = LeaderElectionConfig.builder()
			.releaseOnCancel(true)
			.retryPeriod(Duration.ofSeconds(3))
			.renewDeadline(Duration.ofSeconds(11))
			.leaseDuration(Duration.ofSeconds(16))
			.build();
		assertThat(config.leaseDuration()).hasSeconds(16);
		assertThat(config.renewDeadline()).hasSeconds(11);
		assertThat(config.retryPeriod()).hasSeconds(3);
		assertThat(config.releaseOnCancel()).isTrue();
	}

	@Test
	void anErrorOfTheJvmDoesNotEndTheAttempts() {
		this.error = new OutOfMemoryError("no memory for a request");
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		advance(3);
		assertThat(elector.isLeader()).isFalse();
		this.error = null;
		advance(3);
		assertThat(elector.isLeader()).isTrue();
		this.error = new OutOfMemoryError("no memory for a request");
		advance(3);
		this.error = null;
		advance(20);
		assertThat(elector.epoch()).hasValue(0);
	}

	/** With a connection, a response comes later, and on another thread. */
	@Test
	@SuppressWarnings("unchecked")
	void anErrorOfTheJvmAfterAResponseDoesNotEndTheAttempts() {
		Stored released = write(new LeaderElectionRecord("", 1, null, null, 7));
		this.silent = true;
		LeaderElector elector = elector("a", LeaderElectionConfig.defaults());
		elector.start();
		this.silent = false;
		this.error = new OutOfMemoryError("no memory for the next request");
		((MonoSink<ResourceLock.Version>) this.unanswered.get(0)).success(released);
		this.error = null;
		assertThat(elector.isLeader()).isFalse();
		advance(3);
		assertThat(elector.epoch()).hasValue(8);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			0           | 10000 | 2000 | 'leaseDuration' must be one or more whole seconds
			15500       | 10000 | 2000 | 'leaseDuration' must be one or more whole seconds
			31536001000 | 10000 | 2000 | 'leaseDuration' must be 365d at most
			15000       | 15000 | 2000 | 'renewDeadline' must be less than 'leaseDuration'
			15000       | 2400  | 2000 | 'renewDeadline' must be greater than 1.2 times 'retryPeriod'
			15000       | 10000 | 9223372036854775807 | 'renewDeadline' must be greater than 1.2 times 'retryPeriod'
			15000       | 10000 | 0    | 'retryPeriod' must be positive
			""")
	void timesMustGoTogether(long lease, long renew, long retry, String message) {
		LeaderElectionConfig.Builder config = LeaderElectionConfig.builder()
			.leaseDuration(Duration.ofMillis(lease))
			.renewDeadline(Duration.ofMillis(renew))
			.retryPeriod(Duration.ofMillis(retry));
		assertThatIllegalArgumentException().isThrownBy(config::build).withMessage(message);
	}

	private LeaderElector elector(String identity, LeaderElectionConfig config) {
		return new LeaderElector(new Lock(identity), config, new LeaderCallbacks() {

			@Override
			public void onStartedLeading(long epoch) {
				LeaderElectorTests.this.told.add(identity + " leads " + epoch);
			}

			@Override
			public CompletionStage<?> onStoppedLeading(long epoch) {
				String holder = config.releaseOnCancel() ? " while held by " + stored().holderIdentity() : "";
				LeaderElectorTests.this.told.add(identity + " stopped " + epoch + holder);
				return LeaderElectorTests.this.working;
			}

			@Override
			public void onNewLeader(String leader) {
				LeaderElectorTests.this.told.add(identity + " sees " + leader);
			}

		}, this.time, Runnable::run, () -> 0);
	}

	private void advance(int seconds) {
		for (int i = 0; i < seconds; i++) {
			this.time.advance(Duration.ofSeconds(1));
		}
	}

	private LeaderElectionRecord stored() {
		return this.stored;
	}

	private Stored write(LeaderElectionRecord record) {
		this.stored = record;
		this.version++;
		return new Stored(record, this.version);
	}

	private <T> Mono<T> answered(Mono<T> answer) {
		Error error = this.error;
		if (error != null) {
			throw error;
		}
		RuntimeException failure = this.failure;
		return (failure != null) ? Mono.error(failure) : this.silent ? Mono.create(this.unanswered::add) : answer;
	}

	private final class Lock implements ResourceLock {

		private final String identity;

		Lock(String identity) {
			this.identity = identity;
		}

		@Override
		public String identity() {
			return this.identity;
		}

		@Override
		public String describe() {
			return "test";
		}

		@Override
		public Mono<Version> get() {
			return answered(Mono.justOrEmpty(LeaderElectorTests.this.stored)
				.map((record) -> new Stored(record, LeaderElectorTests.this.version)));
		}

		@Override
		public Mono<Version> create(LeaderElectionRecord record) {
			if (LeaderElectorTests.this.late) {
				LeaderElectorTests.this.arriving.add(record);
				return Mono.never();
			}
			return answered((LeaderElectorTests.this.stored != null) ? Mono.error(new IllegalStateException("409"))
					: Mono.fromSupplier(() -> write(record)));
		}

	}

	private final class Stored implements ResourceLock.Version {

		private final LeaderElectionRecord record;

		private final int number;

		Stored(LeaderElectionRecord record, int number) {
			this.record = record;
			this.number = number;
		}

		@Override
		public LeaderElectionRecord record() {
			return this.record;
		}

		@Override
		public String resourceVersion() {
			return Integer.toString(this.number);
		}

		@Override
		public Mono<ResourceLock.Version> update(LeaderElectionRecord next) {
			boolean current = LeaderElectorTests.this.stored != null && this.number == LeaderElectorTests.this.version;
			return answered(
					current ? Mono.fromSupplier(() -> write(next)) : Mono.error(new IllegalStateException("409")));
		}

	}

}
