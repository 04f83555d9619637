package dev.reflector.format;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.ResourceKey;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.snapshot.jdbc.JdbcSnapshotStore;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a snapshot that an earlier build has written, as a SQLite file and as a dump of
 * PostgreSQL. This build mirrors the same objects from the snapshot and resumes.
 * {@code -Dreflector.snapshot.write-format=true} writes the snapshot again, in the
 * current format. After the first release, that is not allowed: snapshots of released
 * versions must remain readable.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class SnapshotFormatTests {

	private static final Path DATA = Path.of("src/test/resources/dev/reflector/format");

	private static final Path FILE = DATA.resolve("snapshot.db");

	private static final Path DUMP = DATA.resolve("snapshot-postgresql.sql");

	/** The objects as they were mirrored when the snapshot was written. */
	private static final Path MIRROR = DATA.resolve("mirror.txt");

	@TempDir
	Path directory;

	@BeforeAll
	static void write(@TempDir Path directory) throws Exception {
		if (Boolean.getBoolean("reflector.snapshot.write-format")) {
			Files.createDirectories(DATA);
			writeFile(directory.resolve("snapshot.db"));
			writeDump();
		}
	}

	private static void writeFile(Path file) throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Sample", "samples", true)
			.type("v1", "Namespace", "namespaces", false)
			.start()) {
			server.resources("namespaces").create(Map.of("metadata", Map.of("name", "kube-system")));
			ResourceCollection samples = server.resources("samples");
			samples.create(Map.of("metadata", Map.of("namespace", "blue", "name", "full", "labels",
					Map.of("app", "web"), "annotations", Map.of("note", "größe \"1\"\n")), "spec", full()));
			samples.create(Map.of("metadata", Map.of("namespace", "red", "name", "empty"), "spec", Map.of("text", "",
					"list", List.of(), "map", Map.of(), "tree", Map.of(), "nested", Map.of("children", List.of()))));
			samples.create(Map.of("metadata", Map.of("namespace", "red", "name", "bare")));
			try (Application application = Application.start(server.url().toString(), properties(file))) {
				await().until(() -> stored(JdbcSnapshotStore.of(file)).isComplete());
				samples.create(Map.of("metadata", Map.of("namespace", "red", "name", "announced")));
				await().until(() -> stored(JdbcSnapshotStore.of(file)).objects.size() == 4);
				copy(file);
				Files.write(MIRROR,
						application.mirror().stream().filter((line) -> !line.contains("name=announced")).toList());
			}
		}
	}

	private static void copy(Path file) throws Exception {
		Files.deleteIfExists(FILE);
		try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
				Statement statement = connection.createStatement()) {
			statement.execute("VACUUM INTO '" + FILE + "'");
		}
	}

	private static Map<String, Object> full() {
		return Map.ofEntries(Map.entry("text", "größe \"1\"\n"), Map.entry("number", -17),
				Map.entry("large", Long.MAX_VALUE), Map.entry("ratio", 0.1), Map.entry("flag", true),
				Map.entry("list", List.of("b", "", "a")), Map.entry("map", Map.of("one", 1)),
				Map.entry("color", "BLUE"), Map.entry("at", "2026-11-28T12:30:00.123456789Z"),
				Map.entry("decimal", "12345678901234567890.10"), Map.entry("optional", "present"),
				Map.entry("tree", Map.of("any", List.of(1, "two", 3.5))),
				Map.entry("nested", Map.of("name", "a", "children", List.of(Map.of("name", "b")))));
	}

	private static void writeDump() throws Exception {
		List<String> dump = new ArrayList<>();
		try (InputStream script = JdbcSnapshotStore.class.getResourceAsStream("schema-postgresql.sql")) {
			dump.add(new String(script.readAllBytes(), StandardCharsets.UTF_8));
		}
		try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + FILE);
				Statement statement = connection.createStatement()) {
			for (String table : List.of("REFLECTOR_SNAPSHOT", "REFLECTOR_SNAPSHOT_OBJECT")) {
				try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table + " ORDER BY 1, 2, 3, 4")) {
					while (rows.next()) {
						dump.add(insert(table, rows));
					}
				}
			}
		}
		dump.add("SELECT setval(pg_get_serial_sequence('reflector_snapshot', 'id'), MAX(ID)) FROM REFLECTOR_SNAPSHOT;");
		Files.write(DUMP, dump);
	}

	private static String insert(String table, ResultSet row) throws SQLException {
		List<String> columns = new ArrayList<>();
		List<String> values = new ArrayList<>();
		for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
			columns.add(row.getMetaData().getColumnName(column));
			Object value = row.getObject(column);
			values.add((value == null) ? "NULL" : (value instanceof byte[] bytes)
					? "'\\x" + HexFormat.of().formatHex(bytes) + "'"
					: (value instanceof Number) ? value.toString() : "'" + value.toString().replace("'", "''") + "'");
		}
		return "INSERT INTO " + table + " (" + String.join(", ", columns) + ") VALUES (" + String.join(", ", values)
				+ ");";
	}

	@Test
	void aSqliteFileIsRead(CapturedOutput output) throws Exception {
		Path file = this.directory.resolve("snapshot.db");
		Files.copy(FILE, file);
		assertStored(stored(JdbcSnapshotStore.of(file)));
		try (Application application = Application.start("http://127.0.0.1:1", properties(file))) {
			assertRestored(application, output);
		}
	}

	@Test
	@LongFormOnly
	void aDumpOfPostgresIsRead(CapturedOutput output) throws Exception {
		String database = PostgresServer.get().newDatabase();
		try (Connection connection = DriverManager.getConnection(database);
				Statement statement = connection.createStatement()) {
			statement.execute(Files.readString(DUMP));
		}
		try (Application application = Application.start("http://127.0.0.1:1", List.of(),
				(context) -> context.registerBean(DataSource.class, () -> PostgresServer.pool(database)))) {
			assertRestored(application, output);
		}
	}

	private static void assertStored(Stored stored) {
		assertThat(stored.head.header().application()).isEqualTo("shop");
		assertThat(stored.head.header().server()).startsWith("uid:").contains(" url:http://127.0.0.1:");
		assertThat(stored.head.commit()).matches("[0-9]+-[0-9a-f]+");
		assertThat(stored.objects).filteredOn(StoredObject::announced)
			.extracting(StoredObject::key)
			.containsExactly(ResourceKey.of("red", "announced"));
	}

	/** The server cannot be reached, so everything is from the snapshot. */
	private static void assertRestored(Application application, CapturedOutput output) throws Exception {
		await().until(() -> application.mirror().size() == 3);
		assertThat(application.mirror()).isEqualTo(Files.readAllLines(MIRROR));
		assertThat(application.durability().restored()).isEqualTo(3);
		assertThat(application.durability().cursors()).containsOnlyKeys("blue", "red");
		assertThat(output).contains("Reflector 'samples': restored 3 objects of ")
			.contains(", and continues from resource version ")
			.doesNotContain("set aside")
			.doesNotContain("is compared with a list");
	}

	private static List<String> properties(Path file) {
		return List.of("reflector.snapshot.jdbc.file=" + file);
	}

	private static Stored stored(JdbcSnapshotStore opened) {
		try (JdbcSnapshotStore store = opened; Snapshot snapshot = store.open("samples")) {
			Stored stored = new Stored();
			snapshot.load(stored);
			return stored;
		}
	}

	/** The content of a store. */
	private static final class Stored implements SnapshotReader {

		private final List<StoredObject> objects = new ArrayList<>();

		private SnapshotHead head;

		private boolean isComplete() {
			return this.objects.size() == 3 && this.objects.stream().noneMatch(StoredObject::announced)
					&& this.head.cursors().size() == 2;
		}

		@Override
		public boolean head(SnapshotHead head) {
			this.head = head;
			return true;
		}

		@Override
		public void object(StoredObject object) {
			this.objects.add(object);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Config {

		private final CountDownLatch end = new CountDownLatch(1);

		/** An addition that is not completed stays announced. */
		@EventListener
		void on(ResourceAddedEvent<Sample> event) throws InterruptedException {
			if (event.key().name().equals("announced")) {
				this.end.await();
			}
		}

	}

	/** An application that mirrors samples of two namespaces. */
	private record Application(ConfigurableApplicationContext context) implements AutoCloseable {

		private static Application start(String server, List<String> properties) {
			return start(server, properties, (context) -> {
			});
		}

		private static Application start(String server, List<String> properties,
				ApplicationContextInitializer<GenericApplicationContext> beans) {
			List<String> all = new ArrayList<>(
					List.of("spring.application.name=shop", "reflector.api-server.url=" + server,
							"reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
							"reflector.startup.wait-for-sync=false", "reflector.resources.samples.namespaces=blue,red",
							"spring.reactor.netty.shutdown-quiet-period=0s"));
			all.addAll(properties);
			ApplicationContextInitializer<GenericApplicationContext> registration = (context) -> context.registerBean(
					"registration", ReflectedResourceRegistration.class,
					() -> ReflectedResourceRegistration.of(Sample.class, "example.com/v1", "Sample")
						.withPlural("samples")
						.withName("samples"));
			return new Application(new SpringApplicationBuilder(Config.class).web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.initializers(registration, beans)
				.properties(UnrelatedAutoConfigurations.EXCLUDED)
				.run(all.stream().map((property) -> "--" + property).toArray(String[]::new)));
		}

		private List<String> mirror() {
			return this.context.getBeanProvider(new ParameterizedTypeReference<Lister<Sample>>() {
			})
				.getObject()
				.list()
				.stream()
				.map(Sample::toString)
				.map((text) -> text.replace("\n", "\\n"))
				.sorted()
				.toList();
		}

		private Durability durability() {
			return this.context.getBean(Reflector.class).durability();
		}

		@Override
		public void close() {
			this.context.getBean(Config.class).end.countDown();
			this.context.close();
		}

	}

}
