package dev.reflector.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.snapshot.jdbc.JdbcSnapshotStore;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A publisher with a durable mirror is killed at random moments under load. Each change
 * reaches the topic, and the order of each key is kept. With {@code -Dtests.kills=50} it
 * is killed so often.
 */
@ExtendWith(Patience.class)
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaCrashTests {

	private static final int KILLS = Integer.getInteger("tests.kills", Boolean.getBoolean("tests.full") ? 6 : 1);

	private final long seed = System.nanoTime();

	private final Random random = new Random(this.seed);

	@TempDir
	Path folder;

	@Test
	void eachChangeReachesTheTopicInTheOrderOfItsKey() throws Exception {
		String topic = Broker.topic(3, "compact");
		try (EmbeddedApiServer server = PublishingApplication.server();
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			server.resources("widgets").create(Map.of("metadata", Map.of("namespace", "other", "name", "first")));
			Process process = launch(server, topic, 0);
			await().until(this::isCommitted);
			Writes writes = Writes.begin(server.resources("widgets"), 30, 20_000, this.seed);
			try {
				for (int life = 1; life <= KILLS; life++) {
					if (this.random.nextInt(4) > 0) {
						int known = consumer.read().size();
						await().until(() -> consumer.read().size() > known + 20);
					}
					TimeUnit.MILLISECONDS.sleep(this.random.nextInt(500));
					process.destroyForcibly().onExit().join();
					process = launch(server, topic, life);
				}
				int known = writes.count();
				await().until(() -> writes.count() > known + 100);
			}
			finally {
				writes.end();
			}
			await().untilAsserted(() -> assertThat(writes.behind(consumer)).as(this::log).isEmpty());
			process.destroyForcibly().onExit().join();
			int repeats = writes.check(consumer);
			System.out.printf("seed %d: %d kills, %d changes, %d records, %d went back%n", this.seed, KILLS,
					writes.count(), consumer.read().size(), repeats);
		}
	}

	/** What the last process has said. */
	private String log() {
		try {
			return "seed " + this.seed + ": " + Files.readString(this.folder.resolve("life-" + KILLS + ".log"));
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	private boolean isCommitted() {
		try (JdbcSnapshotStore store = JdbcSnapshotStore.of(this.folder.resolve("reflectors.db"));
				Snapshot snapshot = store.open("widgets")) {
			return !snapshot.facts().cursors().isEmpty();
		}
	}

	private Process launch(EmbeddedApiServer server, String topic, int life) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx256m",
				"--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
				System.getProperty("java.class.path"), PublishingApplication.class.getName(),
				"--reflector.api-server.url=" + server.url(), "--spring.kafka.bootstrap-servers=" + Broker.servers(),
				"--reflector.snapshot.enabled=true", "--reflector.snapshot.jdbc.file=reflectors.db",
				"--reflector.events.on-error=stop", "--reflector.events.overflow=block",
				"--reflector.startup.wait-for-sync=false", "--reflector.publish.kafka.topics.widgets=" + topic));
		Path log = Files.createDirectories(this.folder).resolve("life-" + life + ".log");
		return new ProcessBuilder(command).directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
	}

}
