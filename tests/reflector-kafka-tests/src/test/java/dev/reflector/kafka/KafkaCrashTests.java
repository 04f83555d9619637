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
import dev.reflector.fixture.Rounds;
import dev.reflector.snapshot.jdbc.JdbcSnapshotStore;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A publisher with a durable mirror is killed at random moments under load. Each change
 * reaches the topic, and the order of each key is kept. With {@code -Dtests.kills=50} it
 * is killed so often. Its last life is in this process.
 */
@ExtendWith(Patience.class)
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaCrashTests {

	private final long seed = System.nanoTime();

	private final Random random = new Random(this.seed);

	@TempDir
	Path folder;

	private int life;

	@Test
	void eachChangeReachesTheTopicInTheOrderOfItsKey() throws Exception {
		String topic = Broker.topic(3, "compact");
		String[] properties = { "reflector.publish.kafka.topics.widgets=" + topic, "reflector.snapshot.enabled=true",
				"reflector.snapshot.jdbc.file=" + this.folder.resolve("reflectors.db"),
				"reflector.events.on-error=stop", "reflector.events.overflow=block",
				"reflector.startup.wait-for-sync=false" };
		try (EmbeddedApiServer server = PublishingApplication.server();
				PlainConsumer consumer = new PlainConsumer(Broker.servers(), topic)) {
			server.resources("widgets").create(Map.of("metadata", Map.of("namespace", "other", "name", "first")));
			Process process = launch(server, properties);
			await().until(this::isCommitted);
			Writes writes = Writes.begin(server.resources("widgets"), 30, 20_000, this.seed);
			try {
				Rounds kills = Rounds.of(Integer.getInteger("tests.kills", 1));
				boolean more;
				do {
					if (this.random.nextInt(4) > 0) {
						int known = consumer.read().size();
						await().until(() -> consumer.read().size() > known + 20);
					}
					TimeUnit.MILLISECONDS.sleep(this.random.nextInt(500));
					process.destroyForcibly().onExit().join();
					more = kills.goOn(this.life);
					if (more) {
						process = launch(server, properties);
					}
				}
				while (more);
				// saves a process
				try (ConfigurableApplicationContext last = PublishingApplication.run(server, Broker.servers(),
						properties)) {
					int known = writes.count();
					await().until(() -> writes.count() > known + 100);
					writes.end();
					await().untilAsserted(() -> assertThat(writes.behind(consumer)).as(this::log).isEmpty());
					assertThat(last.isActive()).isTrue();
				}
			}
			finally {
				writes.end();
				process.destroyForcibly();
			}
			int repeats = writes.check(consumer);
			System.out.printf("seed %d: %d kills, %d changes, %d records, %d went back%n", this.seed, this.life,
					writes.count(), consumer.read().size(), repeats);
		}
	}

	/** Returns the log of the last killed process. */
	private String log() {
		try {
			return "seed " + this.seed + ": " + Files.readString(this.folder.resolve("life-" + this.life + ".log"));
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

	private Process launch(EmbeddedApiServer server, String[] properties) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx256m",
				"--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote", "-cp",
				System.getProperty("java.class.path"), PublishingApplication.class.getName(),
				"--reflector.api-server.url=" + server.url(), "--spring.kafka.bootstrap-servers=" + Broker.servers()));
		for (String property : properties) {
			command.add("--" + property);
		}
		Path log = Files.createDirectories(this.folder).resolve("life-" + (++this.life) + ".log");
		return new ProcessBuilder(command).directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
	}

}
