package dev.reflector.integration;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.snapshot.jdbc.JdbcSnapshotStore;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Kills an application at random moments while the server changes. All changes that its
 * listeners have ever got add up to the objects of the server, deletions included.
 * {@code -Dtests.kills=200} kills 200 times instead of 20.
 */
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableCrashIntegrationTests extends WidgetServer {

	private static final int KILLS = Integer.getInteger("tests.kills", 20);

	private static final int NAMES = 30;

	private final long seed = System.nanoTime();

	private final Random random = new Random(this.seed);

	/** The sum of the changes of all processes so far. */
	private final Map<String, String> heard = new HashMap<>();

	@TempDir
	Path directory;

	/** Remembers the whole history, so that each start can resume. */
	@Override
	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.historyWindow(1_000_000)
			.start();
		this.widgets = this.server.resources("widgets");
	}

	@Test
	void killedAgainAndAgainItMissesNothing() throws Exception {
		Path file = this.directory.resolve("mirror.db");
		AtomicBoolean writing = new AtomicBoolean(true);
		Thread writer = new Thread(() -> write(writing), "writer");
		writer.start();
		try {
			for (int kill = 1; kill <= KILLS; kill++) {
				try (DurableProcess process = DurableProcess.start(this.server.url(), file)) {
					await().atMost(Duration.ofSeconds(60))
						.untilAsserted(() -> assertThat(process.events).as(process::output).isNotEmpty());
					awaitFirstCommit(file);
					TimeUnit.MILLISECONDS.sleep(this.random.nextInt(400));
					process.kill();
					addUp(process, kill);
				}
			}
		}
		finally {
			writing.set(false);
			writer.join();
		}
		try (DurableProcess process = DurableProcess.start(this.server.url(), file)) {
			Map<String, String> before = new HashMap<>(this.heard);
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				this.heard.clear();
				this.heard.putAll(before);
				addUp(process, KILLS + 1);
				assertThat(this.heard).as(process::output).isEqualTo(MirrorApplication.contentOf(this.widgets));
			});
		}
		// the server has the whole history: only the first start has asked for everything
		assertThat(this.server.requests(WidgetScenario::isListOfObjects)).isEmpty();
		assertThat(this.server.requests((request) -> "true".equals(request.parameter("sendInitialEvents")))).hasSize(1);
	}

	/** Needed for the first process only; later ones find the file. */
	private static void awaitFirstCommit(Path file) {
		await().atMost(Duration.ofSeconds(60)).until(() -> {
			try (JdbcSnapshotStore store = JdbcSnapshotStore.of(file); Snapshot snapshot = store.open("widgets")) {
				return !snapshot.facts().cursors().isEmpty();
			}
		});
	}

	/** Adds up the changes. One process must not get a change twice. */
	private void addUp(DurableProcess process, int life) {
		Set<String> once = new HashSet<>();
		for (String event : new ArrayList<>(process.events)) {
			assertThat(once.add(event)).as("seed %d, process %d: %s delivered twice", this.seed, life, event).isTrue();
			String[] words = event.split(" ");
			if (words[0].equals("DELETED")) {
				this.heard.remove(words[1]);
			}
			else {
				this.heard.put(words[1], words[2]);
			}
		}
	}

	private void write(AtomicBoolean writing) {
		Random random = new Random(this.seed);
		while (writing.get()) {
			String name = "w" + random.nextInt(NAMES);
			boolean there = this.widgets.get("default", name).isPresent();
			if (there && random.nextInt(3) == 0) {
				this.widgets.delete("default", name);
			}
			else {
				this.widgets.apply(Map.of("metadata", Map.of("namespace", "default", "name", name), "spec",
						Map.of("size", random.nextInt(1000))));
			}
			try {
				TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
			}
			catch (InterruptedException ex) {
				return;
			}
		}
	}

}
