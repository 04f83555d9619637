package com.example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(value = 360, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuickStartTests {

	private static final Path README = Path.of("..", "..", "README.md");

	private static String block(String language, String containing) throws IOException {
		Matcher blocks = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
			.matcher(Files.readString(README));
		while (blocks.find()) {
			if (blocks.group(1).contains(containing)) {
				return blocks.group(1);
			}
		}
		throw new AssertionError("no block of " + language + " with " + containing + " in " + README);
	}

	@Test
	void theReadmeShowsThisApplication() throws IOException {
		assertThat(block("java", "class DemoApplication"))
			.isEqualTo(Files.readString(Path.of("src", "main", "java", "com", "example", "DemoApplication.java")));
	}

	@Test
	void theReadmeNamesTheStarterAndItsVersion() throws IOException {
		String demo = Files.readString(Path.of("demo", "pom.xml")).replaceAll("\\s", "");
		assertThat(demo)
			.contains("<artifactId>reflector-spring-boot-starter</artifactId><version>"
					+ ofTheBuild("<artifactId>reflector-spring-boot-parent</artifactId>\\s*<version>") + "<")
			.contains("<artifactId>spring-boot-starter-webmvc<")
			.contains(block("xml", "reflector-spring-boot-starter").replaceAll("\\s", ""));
	}

	/** The other one is the application with which a release is rehearsed. */
	@ParameterizedTest
	@ValueSource(strings = { "demo/pom.xml", "../../.ci/consumer/pom.xml" })
	void anApplicationHasTheVersionsOfTheBuild(Path pom) throws IOException {
		assertThat(Files.readString(pom).replaceAll("\\s", ""))
			.contains("<artifactId>spring-boot-starter-parent</artifactId><version>"
					+ ofTheBuild("<spring-boot.version>") + "<")
			.contains("<netty.version>" + ofTheBuild("<netty.version>") + "<");
	}

	/** Returns the text that follows an expression in the pom of the library. */
	private static String ofTheBuild(String expression) throws IOException {
		Matcher matcher = Pattern.compile(expression + "(.*?)<")
			.matcher(Files.readString(Path.of("..", "..", "pom.xml")));
		assertThat(matcher.find()).isTrue();
		return matcher.group(1);
	}

	@Test
	void theReadmeNamesItsFilesAndShowsWhatIsInThem() throws IOException {
		String property = Files.readString(Path.of("src", "main", "resources", "application.properties")).strip();
		assertThat(Files.readString(README)).contains("`src/main/java/com/example/DemoApplication.java`")
			.contains("](samples/reflector-sample-quickstart/demo/pom.xml)")
			.contains("`" + property + "` goes into `src/main/resources/application.properties`");
		assertThat(block("shell", "curl")).isEqualTo("curl localhost:8080/actuator/reflectors\n");
	}

	/**
	 * Whether to run the code that was processed ahead of time: both with
	 * {@code -Dtests.full=true}, otherwise only without.
	 */
	static Stream<Boolean> aot() {
		return Stream.of(false, true).limit(Boolean.getBoolean("tests.full") ? 2 : 1);
	}

	@ParameterizedTest
	@MethodSource("aot")
	void printsWhatExistsAndWhatChangesAndKeepsRunning(boolean aot, @TempDir Path folder) throws Exception {
		Path classes = folder.resolve("classes.log");
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			ResourceCollection widgets = server.resources("widgets");
			widgets.create(Map.of("metadata", Map.of("name", "widget-1"), "spec", Map.of("size", 17)));
			String classPath = RuntimeClassPath.with(starts(folder));
			assertThat(classPath).contains("reactor-netty-http").doesNotContain("netty-codec-native-quic");
			try (DemoProcess process = DemoProcess.start(DemoStarts.class, classPath,
					List.of("-Dspring.aot.enabled=" + aot, "-Xlog:class+load:file=" + classes), server,
					"--logging.level.dev.reflector.autoconfigure=debug")) {
				process.awaitLine("ResourceAddedEvent[widgets default/widget-1 @ 2] has size 17");
				String endpoint = process.awaitLineThatBeginsWith("  endpoint: ");
				assertThat(endpoint).endsWith("/actuator/reflectors");
				String[] shown = block("json", "reflectors").strip().split("…");
				// the widget may be printed a moment before the state is WATCHING
				await().atMost(60, TimeUnit.SECONDS)
					.untilAsserted(() -> assertThat(answer(endpoint)).containsSubsequence(shown));
				widgets.mergePatch("default", "widget-1", Map.of("spec", Map.of("size", 204)));
				process.awaitLine("ResourceUpdatedEvent[widgets default/widget-1 @ 3] has size 204");
				List<String> lines = process.lines();
				assertThat(lines).noneMatch((line) -> line.contains("Exception"));
				// code that was processed ahead of time needs no scan
				assertThat(lines)
					.anyMatch((line) -> line.contains("Starting " + (aot ? "AOT-processed " : "") + "DemoApplication"));
				assertThat(lines.stream().anyMatch((line) -> line.contains("types annotated with @ReflectedResource")))
					.isEqualTo(!aot);
				if (aot) {
					assertThat(process.stop()).noneMatch((line) -> line.contains("Exception"));
				}
				else {
					assertThatNoContextOfTlsIsMade(Files.readAllLines(classes));
					mirrorsOverTls(process, folder);
				}
			}
		}
	}

	/** HTTP/2 needs everything that HTTP/1.1 needs, and more. */
	private static void mirrorsOverTls(DemoProcess process, Path folder) throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls()
			.http2(true)
			.start()) {
			Path authority = Files.writeString(folder.resolve("ca.pem"), server.caCertificate());
			ResourceCollection widgets = server.resources("widgets");
			widgets.create(Map.of("metadata", Map.of("name", "widget-2"), "spec", Map.of("size", 17)));
			process.startAgain(server, "--spring.ssl.bundle.pem.server.truststore.certificate=file:" + authority,
					"--reflector.api-server.ssl-bundle=server", "--reflector.api-server.http-version=http-2");
			process.awaitLine("ResourceAddedEvent[widgets default/widget-2 @ 2] has size 17");
			widgets.mergePatch("default", "widget-2", Map.of("spec", Map.of("size", 204)));
			process.awaitLine("ResourceUpdatedEvent[widgets default/widget-2 @ 3] has size 204");
			// warnings of Netty on a machine without a network do not count
			assertThat(process.stop()).filteredOn((line) -> !line.contains("MacAddressUtil"))
				.noneMatch((line) -> line.contains("Exception") || line.contains("Error") || line.contains(" WARN "));
		}
	}

	/** A folder with no other class of the tests. */
	private static Path starts(Path folder) throws IOException {
		Path file = Path.of("com", "example", "DemoStarts.class");
		Path starts = folder.resolve("starts");
		Files.createDirectories(starts.resolve(file).getParent());
		Files.copy(Path.of("target", "test-classes").resolve(file), starts.resolve(file));
		return starts;
	}

	private static String answer(String url) throws Exception {
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
			.body();
	}

	/** A TLS context would read all certificates that the JDK trusts. */
	private static void assertThatNoContextOfTlsIsMade(List<String> classes) {
		assertThat(classes).anyMatch((line) -> line.contains(" reactor.netty.http.client.HttpClientConnect source: "))
			.noneMatch((line) -> line.contains(" sun.security.ssl.SSLContextImpl source: "));
	}

}
