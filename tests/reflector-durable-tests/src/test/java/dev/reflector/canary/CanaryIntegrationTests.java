package dev.reflector.canary;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.canary.CanaryApplication.Applied;
import dev.reflector.canary.CanaryApplication.Choices;
import dev.reflector.canary.CanaryApplication.Keys;
import dev.reflector.canary.CanaryApplication.Numbers;
import dev.reflector.canary.CanaryApplication.Open;
import dev.reflector.canary.CanaryApplication.Quoting;
import dev.reflector.canary.CanaryApplication.Refusing;
import dev.reflector.canary.CanaryApplication.Texts;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.fixture.Canary;
import dev.reflector.fixture.CanaryLog;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.PemCertificate;
import dev.reflector.test.RecordedRequest;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.WriteMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * A random text is the value of Secrets, an annotation, the token, the password of the
 * database and a part of a client key. It must be in nothing that the library shows,
 * whatever fails.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CanaryIntegrationTests {

	private static final String CONSOLE = "/reflectors/api/reflectors";

	private final Canary canary = Canary.create();

	private final PemCertificate client = CertificateAuthority.create().forClient("app");

	private final List<String> shown = new ArrayList<>();

	private CanaryLog log;

	private EmbeddedApiServer server;

	/** Whether a whole application has started, which warns of loggers. */
	private boolean started;

	@TempDir
	private Path folder;

	@BeforeEach
	void begin() {
		this.canary.also("the client key", this.client.key().lines().skip(1).findFirst().orElseThrow());
		this.log = new CanaryLog(this.canary);
		this.server = EmbeddedApiServer.builder()
			.type("v1", "Secret", "secrets", true)
			.tls()
			.requireToken(this.canary.text())
			.start();
		create("first");
	}

	@AfterEach
	void nothingShowsIt() throws IOException {
		this.server.close();
		this.log.close();
		assertThat(CanaryApplication.leaks(this.canary, this.shown)).as("in what is shown").isEmpty();
		assertThat(this.log.leaks()).as("in the log").isEmpty();
		assertThat(this.log.seen()).as("a log of everything").containsValue(Level.TRACE);
		assertThatOthersAreWarnedOf();
	}

	private void create(String name) {
		this.server.resources("secrets")
			.create(Map.of("metadata",
					Map.of("name", name, "namespace", "default", "annotations", Map.of("note", this.canary.text())),
					"data", Map.of("password", this.canary.base64(), "plain", this.canary.text())));
	}

	/** The key of an entry is a part of the content as well. */
	private void createWithSecretKey(String name) {
		this.server.resources("secrets")
			.create(Map.of("metadata", Map.of("name", name, "namespace", "default"), "data",
					Map.of(this.canary.text().replaceAll("[^A-Za-z]", ""), "1")));
	}

	private CanaryApplication start(boolean web, Map<String, Class<?>> types, String... more) {
		return start(web, (context) -> {
		}, types, more);
	}

	private CanaryApplication start(boolean web, ApplicationContextInitializer<?> initializer,
			Map<String, Class<?>> types, String... more) {
		List<String> properties = new ArrayList<>(List.of(more));
		properties.add("reflector.api-server.kubeconfig=" + kubeconfig());
		CanaryApplication application = CanaryApplication.start(web, initializer, types, properties);
		this.started = true;
		return application;
	}

	private Path kubeconfig() {
		return kubeconfig("{token: \"%s\", client-certificate-data: %s, client-key-data: %s}"
			.formatted(this.canary.text(), base64(this.client.certificate()), base64(this.client.key())));
	}

	private Path kubeconfig(String user) {
		try {
			return Files.writeString(this.folder.resolve("kubeconfig-" + user.hashCode()), """
					current-context: test
					contexts: [{name: test, context: {cluster: c, user: u}}]
					clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
					users: [{name: u, user: %s}]
					""".formatted(this.server.url(), base64(this.server.caCertificate()), user));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/** Jetty's own loggers show what the server quotes, and are warned of. */
	static Stream<String> connectors() {
		return Stream.of("reactor", "jetty", "jdk").limit(LongForm.atMost(1));
	}

	@ParameterizedTest
	@MethodSource("connectors")
	void whileObjectsAreSkippedAndRequestsRefused(String connector) throws Exception {
		createWithSecretKey("second");
		Map<String, Class<?>> types = new LinkedHashMap<>();
		types.put("texts", Texts.class);
		types.put("numbers", Numbers.class);
		types.put("keys", Keys.class);
		types.put("choices", Choices.class);
		types.put("refusing", Refusing.class);
		types.put("quoting", Quoting.class);
		types.put("open", Open.class);
		try (CanaryApplication application = start(false, types,
				"spring.http.clients.reactive.connector=" + connector)) {
			await().until(() -> application.reflectors().allMatch((reflector) -> reflector.hasSynced()));
			assertThat(application.reflectors()
				.filter((reflector) -> reflector.status().skipped() > 0)
				.map((reflector) -> reflector.name()))
				.containsExactlyInAnyOrder("numbers", "keys", "choices", "refusing", "quoting", "open");
			create("third");
			await().until(() -> application.reflector("numbers").status().skipped() == 2);
			this.shown.addAll(application.shown());
			refuse(application);
			this.shown.addAll(application.shown());
		}
	}

	/** The server rejects the token, and says so in several ways. */
	private void refuse(CanaryApplication application) {
		this.server.fail((request) -> true, 1, Fault.garbage());
		this.server.fail((request) -> true, 1, Fault.disconnect());
		this.server.fail((request) -> true, 1, Fault.status(500));
		this.server.fail((request) -> true, 1, Fault.status(403));
		echoes().forEach((echo) -> this.server.fail((request) -> true, 1, echo));
		this.server.acceptTokens("another");
		this.server.closeWatches();
		application.reflector("texts").relist();
		await().until(() -> application.reflector("texts").status().counts().errors() > 4);
		await().until(() -> application.reflectors()
			.mapToLong((reflector) -> reflector.status().counts().errors())
			.sum() > echoes().size() + 8);
		this.server.acceptTokens(this.canary.text());
	}

	/** Answers with which servers and proxies quote requests, or send a Secret. */
	private List<Fault> echoes() {
		List<Fault> echoes = new ArrayList<>();
		for (String token : List.of(this.canary.text(), this.canary.base64(), base64("me:" + this.canary.text()),
				URLEncoder.encode(this.canary.text(), StandardCharsets.UTF_8))) {
			String quoted = "Authorization: Bearer " + token;
			echoes.add(Fault.status(403, "Forbidden", quoted));
			echoes.add(Fault.status(500, quoted, quoted).withHeader("Warning", "299 - \"" + quoted + "\""));
			echoes.add(Fault.response(502, "text/html", "<pre>" + quoted + "</pre>"));
			echoes.add(Fault.response(200, "text/plain; sent=\"" + token + "\"", quoted));
		}
		String secret = "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"data\":{\"a\":\"" + this.canary.base64() + "\"}}";
		for (String type : List.of("application/json", "application/cbor", "application/vnd.kubernetes.protobuf",
				"text/plain")) {
			echoes.add(Fault.response(500, type, secret));
		}
		return echoes;
	}

	/**
	 * Checks that the start warns of each logger that shows the canary, and that
	 * docs/security.md has a row for it.
	 */
	private void assertThatOthersAreWarnedOf() throws IOException {
		String page = Files.readString(Path.of("..", "..", "docs", "security.md"));
		assertThat(this.log.others().keySet()).allSatisfy((name) -> {
			if (this.started) {
				assertThat(this.log.lines("RevealingLoggers")).as(name)
					.anyMatch((line) -> line.contains("'" + name + "'"));
			}
			assertThat(page).contains("`" + name + "`");
		});
	}

	@Test
	@LongFormOnly
	void whatTheConsoleAnswers() throws Exception {
		try (CanaryApplication application = start(true, Map.of("texts", Texts.class, "numbers", Numbers.class),
				"reflector.console.enabled=true", "management.endpoints.web.exposure.include=*",
				"management.endpoint.health.show-details=always")) {
			await().until(() -> application.reflector("texts").hasSynced()
					&& application.reflector("numbers").status().skipped() == 1);
			create("second");
			await().until(() -> application.reflector("texts").status().size() == 2
					&& application.reflector("numbers").status().skipped() == 2);
			refuse(application);
			for (String path : List.of(CONSOLE, CONSOLE + "/texts/objects", CONSOLE + "/texts/object?key=default/first",
					CONSOLE + "/texts/object?namespace=default&name=first", CONSOLE + "/texts/timeline",
					CONSOLE + "/numbers/timeline", CONSOLE + "/numbers/objects", CONSOLE + "/texts/series",
					"/actuator/reflectors", "/actuator/health", "/actuator/metrics", "/actuator/info",
					"/actuator/configprops", "/actuator/env")) {
				this.shown.add(application.get(path));
			}
			assertThat(this.shown).anyMatch((answer) -> answer.contains("••••••"))
				.anyMatch((answer) -> answer.contains("Integer"));
		}
	}

	@Test
	@LongFormOnly
	void whenAStartFails() throws IOException {
		List<List<String>> wrong = new ArrayList<>();
		wrong.add(List.of("reflector.api-server.url=" + this.server.url(),
				"reflector.api-server.token=" + this.canary.text() + "\n"));
		wrong.add(List.of("reflector.api-server.url=" + this.server.url(), "reflector.api-server.ssl-bundle=cluster",
				"spring.ssl.bundle.pem.cluster.keystore.private-key=" + this.canary.text()));
		wrong.add(List.of("reflector.api-server.url=" + this.server.url(), "reflector.api-server.ssl-bundle=cluster",
				"spring.ssl.bundle.pem.cluster.keystore.certificate=" + this.client.certificate(),
				"spring.ssl.bundle.pem.cluster.keystore.private-key=" + this.canary.base64()));
		wrong.add(List.of("reflector.api-server.url=https://me:" + this.canary.text() + "@my_host:6443"));
		wrong.add(List.of("reflector.api-server.url=" + this.server.url(),
				"reflector.api-server.token-file=" + this.canary.text()));
		wrong.add(List.of("reflector.api-server.kubeconfig=" + Files.readString(kubeconfig())));
		for (String user : List.of("{token: [" + this.canary.text() + "]}",
				"{client-key-data: " + this.canary.base64() + "}", "{client-key: " + this.canary.base64() + "}",
				"{tokenFile: " + this.canary.text() + "}", "{username: a, password: " + this.canary.text() + "}",
				"{exec: {command: gone --token=" + this.canary.text()
						+ ", apiVersion: client.authentication.k8s.io/v1}}",
				"{exec: {command: gone, apiVersion: client.authentication.k8s.io/v1, args: [" + this.canary.text()
						+ "]}}")) {
			wrong.add(List.of("reflector.api-server.kubeconfig=" + kubeconfig(user)));
		}
		for (List<String> properties : wrong) {
			List<String> strict = new ArrayList<>(properties);
			strict.addAll(List.of("reflector.startup.wait-for-sync=true", "reflector.startup.strict=true",
					"reflector.startup.timeout=300ms"));
			Throwable failure = catchThrowable(() -> CanaryApplication.start(false, (context) -> {
			}, Map.of("texts", Texts.class), strict).close());
			assertThat(failure).as(() -> String.join(", ", properties)).isNotNull();
			assertThat(this.canary.in(failure)).isNull();
		}
		assertThat(this.log.lines("LoggingFailureAnalysisReporter")).isNotEmpty();
	}

	@Test
	@LongFormOnly
	void whenTheDatabaseDoesNotTakeThePassword() {
		String name = "jdbc:h2:mem:canary" + System.nanoTime() + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=";
		List<String> urls = List.of(name + this.canary.text(),
				"jdbc:postgresql://127.0.0.1:1/db?user=me&password=" + this.canary.text(),
				"jdbc:unknown://me:" + this.canary.text() + "@127.0.0.1/db");
		catchThrowable(() -> new DriverManagerDataSource(name + "another").getConnection().close());
		List<Supplier<DataSource>> sources = new ArrayList<>();
		urls.forEach((url) -> sources.add(() -> new DriverManagerDataSource(url)));
		// the names of parameters are in upper case, as H2 prefers them
		sources.add(() -> pool(urls.get(0), "org.h2.Driver"));
		sources.add(() -> pool(urls.get(2), null));
		for (Supplier<DataSource> source : sources) {
			try (CanaryApplication application = start(false,
					(context) -> ((GenericApplicationContext) context).registerBean(DataSource.class, source),
					Map.of("secrets", Texts.class), "reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
					"reflector.snapshot.jdbc.initialize-schema=always")) {
				await().until(() -> application.reflector("secrets").durability().lastError() != null);
				this.shown.add(application.reflector("secrets").durability().toString());
			}
		}
	}

	private static DataSource pool(String url, @Nullable String driver) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setConnectionTimeout(250);
		if (driver != null) {
			pool.setDriverClassName(driver);
		}
		return pool;
	}

	@Test
	@LongFormOnly
	void exceptionsOfASource() {
		try (CanaryApplication application = start(false, Map.of("texts", Texts.class))) {
			await().until(() -> application.reflector("texts").hasSynced());
			ApiServerClient client = ApiServerClient
				.builder(application.context.getBean(ReflectorConnectionDetails.class).getApiServer())
				.build();
			ListerWatcher<Texts> source = client.listerWatcher(Texts.class, MetadataAccessor.forType(Texts.class),
					ResourceType.of("v1", "Secret", "secrets"), "", "");
			for (String answer : List.of("{\"metadata\":{\"resourceVersion\":%s},\"items\":[]}",
					"{\"metadata\":{},\"items\":[{\"data\":%s}]}", "%s", "{\"items\":%s}")) {
				this.server.fail(RecordedRequest::isList, 1,
						Fault.response(200, "application/json", answer.formatted(this.canary.text())));
				this.shown.add(outcome(() -> source.list(new ListOptions(null, "", 0, "")).block()));
				this.server.fail(RecordedRequest::isWatch, 1,
						Fault.response(200, "application/json", answer.formatted(this.canary.text()) + "\n"));
				this.shown.add(outcome(() -> watched(source)));
			}
			for (Fault echo : echoes()) {
				this.server.fail(RecordedRequest::isList, 1, echo);
				this.shown.add(outcome(() -> source.list(new ListOptions(null, "", 0, "")).block()));
				this.server.fail(RecordedRequest::isWatch, 1, echo);
				this.shown.add(outcome(() -> watched(source)));
			}
			for (Fault echo : List.of(Fault.status(500, "InternalError", "Bearer " + this.canary.text()),
					Fault.status(403, this.canary.text(), this.canary.base64()))) {
				this.server.fail(RecordedRequest::isWatch, 1, echo.atEvent(1));
				String frame = outcome(() -> watched(source));
				assertThat(frame).contains("Error[status=").contains("***");
				this.shown.add(frame);
			}
			this.shown.add(outcome(() -> source.list(new ListOptions(null, "", 0, "")).block()));
		}
	}

	/** Even if the application has the details of requests logged. */
	@Test
	void whatIsWritten() {
		ApiServerClient client = ApiServerClient.builder(Kubeconfig.load(kubeconfig(), null))
			.webClientBuilder(
					WebClient.builder().codecs((codecs) -> codecs.defaultCodecs().enableLoggingRequestDetails(true)))
			.build();
		AppliedMeta created = AppliedMeta.named("default", "created");
		Map<String, String> data = Map.of("password", this.canary.base64(), "plain", this.canary.text());
		String uid = this.server.resources("secrets")
			.get("default", "first")
			.orElseThrow()
			.at("/metadata/uid")
			.asString();
		String quoted = Canary.create().text().substring(2, 20);
		this.canary.also("what a webhook quotes", quoted);
		this.server.fail((request) -> request.method().equals("DELETE"), 1,
				Fault.status(503, "ServiceUnavailable", "not allowed: " + quoted));
		for (WriteMode mode : List.of(WriteMode.DRY_RUN, WriteMode.ON)) {
			ResourceWriter writer = client.writer().mode(mode).build();
			this.shown.add(String.valueOf(writer.create(new Applied(created, data))));
			this.shown.add(String.valueOf(writer.apply(new Applied(
					AppliedMeta.named("default", "applied").withAnnotations(Map.of("note", this.canary.text())),
					data))));
			this.shown.add(String.valueOf(writer.delete(Applied.class, new ResourceKey("default", "first"), uid)));
		}
		assertThat(this.server.requests(RecordedRequest::isWrite)).hasSize(7)
			.allMatch((request) -> request.method().equals("DELETE") || request.body().contains(this.canary.base64()));
		client.disconnect();
	}

	private static @Nullable Object watched(ListerWatcher<Texts> source) {
		return source.watch(new WatchOptions(null, "1", Duration.ofSeconds(3), true, false))
			.takeUntil((event) -> !(event instanceof WatchEvent.Opened))
			.collectList()
			.block();
	}

	/**
	 * Returns the text of a printed result, or of a printed exception with its causes.
	 */
	private static String outcome(Callable<@Nullable Object> request) {
		try {
			return String.valueOf(request.call());
		}
		catch (Exception ex) {
			StringWriter trace = new StringWriter();
			ex.printStackTrace(new PrintWriter(trace));
			return trace.toString();
		}
	}

	@Test
	@LongFormOnly
	void whenATypeHasChangedSinceTheSnapshotWasWritten() throws Exception {
		String[] file = { "reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
				"reflector.snapshot.jdbc.file=" + this.folder.resolve("snapshots.db") };
		changeType((context) -> {
		}, file);
	}

	@Test
	@LongFormOnly
	void whenATypeHasChangedSinceTheSnapshotWasWrittenToH2() throws Exception {
		String url = "jdbc:h2:mem:canary" + System.nanoTime() + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD="
				+ this.canary.text();
		changeType(
				(context) -> ((GenericApplicationContext) context).registerBean(DataSource.class,
						() -> new DriverManagerDataSource(url)),
				"reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
				"reflector.snapshot.jdbc.initialize-schema=always");
	}

	@Test
	@LongFormOnly
	void whenATypeHasChangedSinceTheSnapshotsOfSlotsWereWritten() throws Exception {
		this.server.close();
		this.server = EmbeddedApiServer.builder()
			.type("v1", "Secret", "secrets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.tls()
			.requireToken(this.canary.text())
			.start();
		create("first");
		String url = PostgresServer.get().newDatabase();
		changeType(
				(context) -> ((GenericApplicationContext) context).registerBean(DataSource.class,
						() -> PostgresServer.pool(url)),
				"reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
				"reflector.snapshot.jdbc.initialize-schema=always", "reflector.sharding.enabled=true",
				"reflector.sharding.slots=4", "reflector.sharding.assignment=dynamic",
				"reflector.sharding.leases.namespace=default", "reflector.sharding.leases.group=shop",
				"reflector.sharding.leases.identity=a", "reflector.sharding.leases.retry-period=100ms");
	}

	private void changeType(ApplicationContextInitializer<?> initializer, String... properties) throws Exception {
		try (CanaryApplication application = start(false, initializer, Map.of("secrets", Texts.class), properties)) {
			await().until(() -> application.reflector("secrets").durability().size() == 1
					&& application.reflector("secrets").durability().behindSince() == null);
			this.shown.addAll(application.shown());
		}
		try (CanaryApplication application = start(false, initializer, Map.of("secrets", Numbers.class), properties)) {
			await().until(() -> application.reflector("secrets").status().skipped() == 1
					&& application.reflector("secrets").durability().writing());
			// with slots, the slot of the object may be loaded after another one is
			// written
			await().untilAsserted(() -> assertThat(this.log.lines("dev.reflector.Reflector"))
				.anyMatch((line) -> line.contains(
						"The first is default/first: the value at data.* does not fit the Java type java.lang.Integer")));
			this.shown.addAll(application.shown());
		}
	}

}
