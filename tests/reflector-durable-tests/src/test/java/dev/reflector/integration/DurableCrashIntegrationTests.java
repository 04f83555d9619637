package dev.reflector.integration;

import java.nio.file.Path;
import java.util.List;

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
 * By default, one disturbance is chosen in one of the stores. With
 * {@code -Dtests.full=true}, there is one of each kind: {@link CrashStore#ofFullForm()}.
 * With {@code -Dtests.full=true -Dtests.kills=13}, none is chosen again before all have
 * been, so each store has each of them. {@code -Dtests.seed} repeats what was chosen.
 */
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableCrashIntegrationTests extends WidgetServer {

	private static final int DISTURBED = 1;

	/** The same seed for both tests, so that one of them runs. */
	private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

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
		return SEED % 2 != 0 && PostgresServer.isInstalled();
	}

	private void live(CrashStore store) throws Exception {
		boolean free = System.getProperty("tests.kills", System.getProperty("tests.disturbances")) != null;
		List<String> first = (LongForm.times(1, 0) == 0 || free) ? List.of() : store.ofFullForm();
		new CrashRun(this.server, store, SEED, first)
			.live(Rounds.of(Integer.getInteger("tests.kills", first.isEmpty() ? DISTURBED : first.size())));
	}

}
