package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;
import java.util.UUID;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that all snapshots that are set aside one after the other are kept, each under
 * its own name.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SetAsideTests {

	@TempDir
	Path directory;

	@Test
	void sqlite() {
		setAside(this.directory.resolve("snapshots.db").toString());
	}

	@Test
	void h2() {
		setAside("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
	}

	@Test
	void postgres() throws Exception {
		setAside(PostgresServer.get().newDatabase());
	}

	private static void setAside(String place) {
		try (JdbcSnapshotStore store = CommittingProcess.store(place); Snapshot snapshot = store.open("pods")) {
			assertThat(snapshot.claim()).isTrue();
			for (int commits = 1; commits <= 3; commits++) {
				for (int number = 1; number <= commits; number++) {
					snapshot.commit(NumberedCommits.of(number));
				}
				String name = "pods (set aside)" + ((commits > 1) ? " " + commits : "");
				assertThat(snapshot.setAside("a test")).isEqualTo("'" + name + "' in " + store.location());
			}
			// there is nothing to set aside any more
			snapshot.setAside("a test");
			assertThat(last(store, "pods (set aside)")).isEqualTo(1);
			assertThat(last(store, "pods (set aside) 2")).isEqualTo(2);
			assertThat(last(store, "pods (set aside) 3")).isEqualTo(3);
			assertThat(last(store, "pods (set aside) 4")).isZero();
		}
	}

	private static int last(JdbcSnapshotStore store, String name) {
		try (Snapshot snapshot = store.open(name)) {
			return NumberedCommits.lastOf(snapshot);
		}
	}

}
