package dev.reflector.integration;

import java.nio.file.Path;

import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.Rounds;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that is killed at random moments while the server changes, and whose
 * store, listener or release is disturbed: {@link CrashStore#disturbances()}. In each
 * life, all that its listeners have ever got adds up to what the server holds, deletions
 * included, and so does the mirror.
 * <p>
 * Two disturbances are chosen, by default in one of the stores, with
 * {@code -Dtests.full=true} in each. None is chosen again before all have been, so
 * {@code -Dtests.full=true -Dtests.kills=13} has each of them in each store.
 * {@code -Dtests.seed} repeats what was chosen.
 */
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableCrashIntegrationTests extends WidgetServer {

	private static final int DISTURBED = 2;

	private final long seed = Long.getLong("tests.seed", System.nanoTime());

	@TempDir
	Path directory;

	/** Remembers the whole history, so that each start can resume. */
	@Override
	EmbeddedApiServer newServer() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.historyWindow(1_000_000)
			.build()
			.start();
	}

	@Test
	void sqlite() throws Exception {
		Assumptions.assumeTrue(LongForm.times(1, 0) == 1 || !isForPostgres(), "this seed is for PostgreSQL");
		try (SqliteCrashStore store = new SqliteCrashStore(this.directory)) {
			live(store);
		}
	}

	@Test
	void postgres() throws Exception {
		Assumptions.assumeTrue(LongForm.times(1, 0) == 1 || isForPostgres(), "this seed is for SQLite");
		try (PostgresCrashStore store = new PostgresCrashStore()) {
			live(store);
		}
	}

	/** One build in two has its crashes with the one, the other with the other. */
	private boolean isForPostgres() throws Exception {
		return this.seed % 2 != 0 && PostgresServer.isInstalled();
	}

	private void live(CrashStore store) throws Exception {
		new CrashRun(this.server, store, this.seed).live(Rounds.of(Integer.getInteger("tests.kills", DISTURBED)));
	}

}
