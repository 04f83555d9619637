package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.Rounds;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A process that is killed in the middle of commits leaves every commit that has
 * returned, and nothing that is half there. {@code -Dtests.kills=200} kills 200 times
 * instead of a few.
 */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SnapshotCrashTests {

	private static final int KILLS = Integer.getInteger("tests.kills", LongForm.times(3, 1));

	private final long seed = System.nanoTime();

	private final Random random = new Random(this.seed);

	@TempDir
	Path directory;

	@Test
	void sqlite() throws Exception {
		killAgainAndAgain(this.directory.resolve("snapshots.db").toString(), Rounds.of(KILLS));
		assertThat(this.directory.toFile().list()).as("nothing was damaged")
			.containsExactlyInAnyOrder("snapshots.db", "snapshots.db.lock");
	}

	@Test
	@LongFormOnly
	void postgres() throws Exception {
		killAgainAndAgain(PostgresServer.get().newDatabase(), Rounds.of(KILLS));
	}

	@Test
	@LongFormOnly
	void h2() throws Exception {
		killAgainAndAgain("jdbc:h2:file:" + this.directory.resolve("snapshots") + ";DB_CLOSE_ON_EXIT=FALSE",
				Rounds.of(Math.max(1, KILLS / 4)));
	}

	private void killAgainAndAgain(String place, Rounds kills) throws Exception {
		for (int time = 1; kills.goOn(time - 1); time++) {
			try (CommittingProcess process = CommittingProcess.start(place)) {
				process.await(1 + this.random.nextInt(40));
				TimeUnit.MICROSECONDS.sleep(this.random.nextInt(3000));
				process.kill();
				checkAndClaim(place, process, "seed " + this.seed + ", kill " + time);
			}
		}
	}

	private static void checkAndClaim(String place, CommittingProcess process, String when) {
		try (JdbcSnapshotStore store = CommittingProcess.store(place)) {
			for (String reflector : CommittingProcess.REFLECTORS) {
				try (Snapshot snapshot = store.open(reflector)) {
					// a server notices a moment later, and may still be committing
					await().atMost(Duration.ofSeconds(30)).until(snapshot::claim);
					int last = NumberedCommits.lastOf(snapshot);
					int returned = process.returned(reflector);
					if (returned > 0) {
						// one more may have been committed whose line was not printed
						assertThat(last).as(when).isBetween(returned, returned + 1);
					}
				}
			}
		}
	}

}
