package dev.reflector.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.reflector.fixture.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Single rules of the election. All replicas share one clock here, which stands still
 * until a test moves it.
 */
class LeaderElectorTests {

	private static final LeaderElectionConfig RELEASING = new LeaderElectionConfig(Duration.ofSeconds(15),
			Duration.ofSeconds(10), Duration.ofSeconds(2), true);

	private final ManualTime time = new ManualTime();

	private final List<String> told = new ArrayList<>();

	private @Nullable LeaderElectionRecord stored;

	private int version;

	private boolean silent;

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

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0     | 10000 | 2000 | leaseDuration must be one or more whole seconds
			15500 | 10000 | 2000 | leaseDuration must be one or more whole seconds
			15000 | 15000 | 2000 | leaseDuration must be greater than renewDeadline
			15000 | 2400  | 2000 | renewDeadline must be greater than 1.2 * retryPeriod
			15000 | 10000 | 0    | retryPeriod must be greater than zero
			""")
	void timesMustGoTogether(long lease, long renew, long retry, String message) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LeaderElectionConfig(Duration.ofMillis(lease), Duration.ofMillis(renew),
					Duration.ofMillis(retry), false))
			.withMessage(message);
	}

	private LeaderElector elector(String identity, LeaderElectionConfig config) {
		return new LeaderElector(new Lock(identity), config, new LeaderCallbacks() {

			@Override
			public void onStartedLeading(long epoch) {
				LeaderElectorTests.this.told.add(identity + " leads " + epoch);
			}

			@Override
			public void onStoppedLeading(long epoch) {
				String holder = config.releaseOnCancel() ? " while held by " + stored().holderIdentity() : "";
				LeaderElectorTests.this.told.add(identity + " stopped " + epoch + holder);
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
		return this.silent ? Mono.never() : answer;
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
