package dev.reflector.snapshot.jdbc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests of {@link JdbcSnapshotAutoConfiguration} and its properties.
 */
@ExtendWith(OutputCaptureExtension.class)
class JdbcSnapshotAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JdbcSnapshotAutoConfiguration.class))
		.withPropertyValues("reflector.snapshot.enabled=true");

	private final ApplicationContextRunner withDataSource = this.runner
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	@TempDir
	Path directory;

	@Test
	void aFileIsUsedEvenIfThereIsADataSource() {
		Path file = this.directory.resolve("new/snapshots.db");
		this.withDataSource.withPropertyValues("reflector.snapshot.jdbc.file=" + file).run((context) -> {
			assertThat(context).hasSingleBean(SnapshotStore.class);
			try (Snapshot snapshot = context.getBean(SnapshotStore.class).open("pods")) {
				assertThat(snapshot.claim()).isTrue();
			}
			assertThat(context.getBean(SnapshotStore.class).location()).isEqualTo(file.toString());
			assertThat(context.getBean(SnapshotStore.class).isLocal()).isTrue();
			assertThat(file).exists();
		});
		assertThat(file.resolveSibling("snapshots.db-wal")).as("after the context was closed").doesNotExist();
	}

	@Test
	void withoutAFileTheOnlyDataSourceIsUsed() {
		this.withDataSource.run((context) -> {
			context.getBean(SnapshotStore.class).open("pods").close();
			assertThat(context.getBean(SnapshotStore.class).location()).startsWith("jdbc:h2:mem:");
			assertThat(context.getBean(SnapshotStore.class).isLocal()).isFalse();
			assertThat(tables(context.getBean(DataSource.class))).isEqualTo(4);
		});
	}

	@Test
	void theDatabaseIsInitializedFirst() {
		this.withDataSource.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.run((context) -> {
				String store = context.getBeanNamesForType(SnapshotStore.class)[0];
				String[] initializers = context.getBeanNamesForType(DataSourceScriptDatabaseInitializer.class);
				assertThat(initializers).hasSize(1);
				assertThat(context.getBeanFactory().getBeanDefinition(store).getDependsOn()).contains(initializers);
			});
	}

	@Test
	void nothingIsOpenedBeforeItIsUsed() {
		Path file = this.directory.resolve("snapshots.db");
		this.runner.withPropertyValues("reflector.snapshot.jdbc.file=" + file)
			.run((context) -> assertThat(file).doesNotExist());
	}

	@Test
	void theTablesMayHaveAnotherPrefix() {
		this.withDataSource.withPropertyValues("reflector.snapshot.jdbc.table-prefix=MIRRORS").run((context) -> {
			context.getBean(SnapshotStore.class).open("pods").close();
			assertThat(new JdbcTemplate(context.getBean(DataSource.class))
				.queryForObject("SELECT COUNT(*) FROM MIRRORS_OBJECT", Long.class)).isZero();
		});
	}

	@Test
	void aPrefixThatIsNoNameIsRefused() {
		this.withDataSource.withPropertyValues("reflector.snapshot.jdbc.table-prefix=A; DROP TABLE B")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessage("'A; DROP TABLE B' cannot be the name of a table"));
	}

	@Test
	void theTablesAreMissedWhereTheyAreNotToBeMade() {
		this.withDataSource.withPropertyValues("reflector.snapshot.jdbc.initialize-schema=never").run((context) -> {
			SnapshotStore store = context.getBean(SnapshotStore.class);
			assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> store.open("pods"))
				.withMessageContaining("there are no tables REFLECTOR_SNAPSHOT, REFLECTOR_SNAPSHOT_OBJECT and "
						+ "REFLECTOR_SNAPSHOT_VERSION. Set 'reflector.snapshot.jdbc.initialize-schema' to "
						+ "'always', or create them with the statements in "
						+ "classpath:dev/reflector/snapshot/jdbc/schema-h2.sql");
			DatabaseSchema.create(context.getBean(DataSource.class).getConnection(), Dialect.H2, DatabaseSchema.PREFIX);
			store.open("pods").close();
		});
	}

	@Test
	void embeddedMeansADatabaseInMemory() {
		this.withDataSource
			.withPropertyValues("spring.datasource.url=jdbc:h2:file:"
					+ this.directory.resolve("app;USER=sa;DB_CLOSE_ON_EXIT=FALSE"))
			.run((context) -> assertThatExceptionOfType(SnapshotException.class)
				.isThrownBy(() -> context.getBean(SnapshotStore.class).open("pods"))
				.withMessageContaining("in jdbc:h2:file:" + this.directory.resolve("app") + ": there are no tables"));
	}

	@Test
	void aStoreOfTheApplicationTakesItsPlace() {
		this.runner.withBean(SnapshotStore.class, () -> mock(SnapshotStore.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcSnapshotStore.class));
	}

	@Test
	void nothingIsThereUnlessSnapshotsAreSwitchedOn() {
		this.runner.withPropertyValues("reflector.snapshot.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SnapshotStore.class));
	}

	@Test
	void withoutAnyDatabaseTheStartFailsAndSaysWhatToSet() {
		this.runner.run((context) -> assertThat(analysis(context.getStartupFailure())).satisfies((analysis) -> {
			assertThat(analysis.getDescription()).isEqualTo("Snapshots of reflectors are switched on "
					+ "('reflector.snapshot.enabled'), but there is no database for them.");
			assertThat(analysis.getAction()).contains("Set 'reflector.snapshot.jdbc.file' to a file on a local disk",
					"define one DataSource bean for PostgreSQL or H2");
		}));
	}

	@Test
	void betweenSeveralDataSourcesNothingIsChosen() {
		this.runner.withBean("one", DataSource.class, DriverManagerDataSource::new)
			.withBean("two", DataSource.class, DriverManagerDataSource::new)
			.run((context) -> assertThat(analysis(context.getStartupFailure()).getDescription())
				.endsWith("there is more than one DataSource for them."));
	}

	@Test
	void withoutItsDriverAFileIsRefused() {
		this.runner.withPropertyValues("reflector.snapshot.jdbc.file=" + this.directory.resolve("snapshots.db"))
			.withClassLoader(new FilteredClassLoader("org.sqlite"))
			.run((context) -> {
				FailureAnalysis analysis = analysis(context.getStartupFailure());
				assertThat(analysis.getDescription()).endsWith("because the SQLite driver is missing.");
				assertThat(analysis.getAction())
					.isEqualTo("Add 'org.xerial:sqlite-jdbc' to the dependencies of the application.");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "file:%s/app", "%s/app;USER=sa", "file:%s/app;DB_CLOSE_ON_EXIT=TRUE", "nio:%s/app",
			"file:%s/app;DB_CLOSE_DELAY=-1", "~/../../../../../../%s/app", "./../../../../../../%s/app" })
	void aFileThatH2ClosesByItselfIsRefused(String url) {
		this.withDataSource
			.withPropertyValues("spring.datasource.url=jdbc:h2:" + url.formatted(this.directory).replace("//", "/"))
			.run((context) -> {
				FailureAnalysis analysis = analysis(context.getStartupFailure());
				assertThat(analysis.getDescription()).startsWith("Snapshots of reflectors cannot be kept in jdbc:h2:");
				assertThat(analysis.getAction()).startsWith("Add ;DB_CLOSE_ON_EXIT=FALSE to the URL of the DataSource");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ";DB_CLOSE_ON_EXIT=FALSE" })
	void aFileOfH2ThatSeveralProcessesOpenIsRefused(String more) {
		this.withDataSource
			.withPropertyValues("spring.datasource.url=jdbc:h2:file:" + this.directory + "/app;AUTO_SERVER=TRUE" + more)
			.run((context) -> assertThat(analysis(context.getStartupFailure()).getAction()).startsWith(
					"H2 does not combine AUTO_SERVER=TRUE with DB_CLOSE_ON_EXIT=FALSE, which would be needed: keep the "
							+ "snapshots in PostgreSQL, or set 'reflector.snapshot.jdbc.file' to a SQLite file"));
	}

	@Test
	void aFileThatH2LeavesOpenIsUsed() {
		String url = "jdbc:h2:file:" + this.directory + "/app";
		Properties settings = new Properties();
		settings.put("DB_CLOSE_ON_EXIT", "FALSE");
		for (DataSource dataSource : List.of(new DriverManagerDataSource(url + ";db_close_on_exit=false"),
				new DriverManagerDataSource(url, settings),
				new LazyConnectionDataSourceProxy(new DriverManagerDataSource(url + ";DB_CLOSE_ON_EXIT=FALSE")))) {
			try (JdbcSnapshotStore store = JdbcSnapshotStore.of(dataSource, "SNAPSHOTS",
					DatabaseInitializationMode.ALWAYS)) {
				store.open("pods").close();
			}
		}
	}

	@Test
	void aFileOfWhichTheUrlCannotBeReadIsWarnedOf(CapturedOutput output) {
		DataSource plain = new DriverManagerDataSource("jdbc:h2:file:" + this.directory + "/app");
		DataSource hidden = new AbstractDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				return plain.getConnection();
			}

			@Override
			public Connection getConnection(String user, String password) throws SQLException {
				return plain.getConnection(user, password);
			}

		};
		try (JdbcSnapshotStore store = JdbcSnapshotStore.of(hidden, "SNAPSHOTS", DatabaseInitializationMode.ALWAYS)) {
			store.open("pods").close();
		}
		assertThat(output).contains("If the URL lacks DB_CLOSE_ON_EXIT=FALSE, deletions can be lost");
	}

	@Test
	void anotherDatabaseIsRefused() {
		JdbcSnapshotStore store = JdbcSnapshotStore.of(
				new DriverManagerDataSource("jdbc:sqlite:" + this.directory.resolve("application.db")), "SNAPSHOTS",
				DatabaseInitializationMode.ALWAYS);
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> store.open("pods"))
			.withMessage(
					"Snapshots cannot be kept in the DataSource of the application, which is of SQLite: of databases "
							+ "with a DataSource PostgreSQL and H2 are supported. Set "
							+ "'reflector.snapshot.jdbc.file' to keep " + "them in a SQLite file instead");
	}

	@Test
	void theScriptsAreInANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new JdbcSnapshotAutoConfiguration.Scripts().registerHints(hints, null);
		for (Dialect dialect : Dialect.values()) {
			assertThat(RuntimeHintsPredicates.resource().forResource(dialect.schema())).accepts(hints);
			assertThat(getClass().getClassLoader().getResource(dialect.schema())).isNotNull();
		}
	}

	@Test
	void propertiesHaveDescriptionsAndAreInTheReferenceAsTheyAre() throws Exception {
		String reference = Files.readString(Path.of("../docs/reference.md"));
		String metadata = new String(
				Objects.requireNonNull(getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json"))
					.readAllBytes());
		Map<String, String> defaults = Map.of("file", "", "initialize-schema", "`embedded`", "table-prefix",
				"`REFLECTOR_SNAPSHOT`");
		defaults.forEach((name, value) -> {
			String row = "reflector.snapshot.jdbc." + name;
			var property = Pattern.compile("\"name\": \"" + row + "\",[^}]*\"description\": \"([^\"]+)\"")
				.matcher(metadata);
			assertThat(property.find()).as(row).isTrue();
			assertThat(reference).containsPattern(Pattern.quote("| `" + row + "` | ") + "[^|]+"
					+ Pattern.quote(" | " + value + " | " + property.group(1) + " |"));
		});
	}

	private static long tables(DataSource dataSource) {
		return Objects.requireNonNull(new JdbcTemplate(dataSource).queryForObject(
				"SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME LIKE 'REFLECTOR_SNAPSHOT%'",
				Long.class));
	}

	private static FailureAnalysis analysis(Throwable failure) {
		return new NoSnapshotDatabaseFailureAnalyzer().analyze(failure);
	}

}
