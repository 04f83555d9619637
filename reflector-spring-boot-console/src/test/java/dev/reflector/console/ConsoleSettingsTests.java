package dev.reflector.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.fixture.LongFormOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Applications with other settings, and what they do when they stop.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsoleSettingsTests {

	private static final boolean FULL = Boolean.getBoolean("tests.full");

	@Test
	void thePageHearsOfAnApplicationWithoutReflectors() throws Exception {
		try (RunningConsole empty = RunningConsole.start(List.of(WithoutReflectors.class), WebApplicationType.SERVLET,
				(server) -> server)) {
			HttpResponse<Stream<String>> response = empty.client.send(empty.request("/reflectors/api/stream").build(),
					BodyHandlers.ofLines());
			try (Stream<String> lines = response.body()) {
				assertThat(lines.filter((line) -> line.startsWith("data:"))
					.limit(2)
					.map((line) -> RunningConsole.JSON.readTree(line.substring(5)).path("reflectors").size()))
					.containsExactly(0, 0);
			}
		}
	}

	@ParameterizedTest
	@LongFormOnly
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void oneReaderHasSixteenStreamsAtMostAndTheyEndWhenTheApplicationStops(WebApplicationType web) throws Exception {
		List<InputStream> open = new ArrayList<>();
		CompletableFuture<byte[]> read;
		try (RunningConsole busy = RunningConsole.start(web)) {
			HttpResponse<InputStream> response = stream(busy);
			while (response.statusCode() == 200 && open.size() < 40) {
				open.add(response.body());
				response = stream(busy);
			}
			assertThat(open).hasSize(OpenStreams.MOST_OF_ONE);
			assertThat(response.statusCode()).isEqualTo(503);
			assertThat(response.headers().firstValue("Content-Type"))
				.hasValueSatisfying((type) -> assertThat(type).startsWith("application/problem+json"));
			try (InputStream body = response.body()) {
				assertThat(RunningConsole.JSON.readTree(body).path("detail").asString()).contains("16 open pages");
			}
			assertThat(statusForAnotherAddress(busy)).startsWith("HTTP/1.1 200");
			open.remove(0).close();
			await().until(() -> {
				HttpResponse<InputStream> next = stream(busy);
				open.add(next.body());
				return next.statusCode() == 200;
			});
			read = readAll(open.get(0));
			assertThat(read).isNotDone();
		}
		finally {
			for (InputStream body : open.subList(Math.min(1, open.size()), open.size())) {
				body.close();
			}
		}
		assertThat(read.handle((bytes, error) -> true).get(60, TimeUnit.SECONDS)).isTrue();
	}

	/**
	 * Returns the status of the answer to a request from another address of this machine.
	 */
	private static String statusForAnotherAddress(RunningConsole console) throws IOException {
		try (Socket socket = new Socket()) {
			socket.bind(new InetSocketAddress("127.0.0.2", 0));
			socket.connect(new InetSocketAddress("127.0.0.1", console.uri("/").getPort()));
			socket.getOutputStream()
				.write("GET /reflectors/api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
					.getBytes(StandardCharsets.US_ASCII));
			return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
				.readLine();
		}
	}

	@Test
	void aReaderIsAUserElseASessionElseAnAddress() {
		assertThat(ConsoleStream.reader(() -> "jane", "s1", "10.0.0.1"))
			.isEqualTo(ConsoleStream.reader(() -> "jane", "s2", "10.0.0.2"))
			.isNotEqualTo(ConsoleStream.reader(null, "jane", "jane"));
		assertThat(ConsoleStream.reader(null, "s1", "10.0.0.1")).isEqualTo(ConsoleStream.reader(null, "s1", "10.0.0.2"))
			.isNotEqualTo(ConsoleStream.reader(null, "s2", "10.0.0.1"));
		assertThat(ConsoleStream.reader(null, null, "10.0.0.1"))
			.isNotEqualTo(ConsoleStream.reader(null, null, "10.0.0.2"));
		assertThat(ConsoleStream.reader(
				new AnonymousAuthenticationToken("key", "anonymous", AuthorityUtils.createAuthorityList("NONE")), "s1",
				"10.0.0.1"))
			.isEqualTo(ConsoleStream.reader(null, "s1", "10.0.0.1"));
	}

	@Test
	void thereIsABoundForAllReadersTogether() {
		OpenStreams streams = new OpenStreams();
		int readers = OpenStreams.MOST / OpenStreams.MOST_OF_ONE;
		for (int i = 0; i < OpenStreams.MOST; i++) {
			assertThat(streams.open("reader " + i % readers)).isTrue();
		}
		assertThatExceptionOfType(ConsoleProblem.class).isThrownBy(() -> streams.requireRoom("another"))
			.withMessageContaining("128 open pages of all users");
		assertThat(streams.open("another")).isFalse();
		streams.close("reader 1");
		streams.requireRoom("another");
		assertThat(streams.open("another")).isTrue();
		assertThat(streams.open("reader 1")).isFalse();
	}

	private static CompletableFuture<byte[]> readAll(InputStream stream) {
		return CompletableFuture.supplyAsync(() -> {
			try (InputStream body = stream) {
				return body.readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static HttpResponse<InputStream> stream(RunningConsole console) throws Exception {
		return console.client.send(
				console.request("/reflectors/api/stream").header("Accept", "text/event-stream").build(),
				BodyHandlers.ofInputStream());
	}

	@Test
	void aStreamEndsWithTheConsoleWheneverItWasOpened() {
		Console console = new Console(Stream::empty,
				new ConsoleInstrumentation(new Masking(List::of), SystemTimeSource::new), () -> null,
				new ConsoleAccess(true, false), () -> null, (event) -> {
				});
		CompletableFuture<Boolean> beforeTheStart = console.stopped().toFuture();
		console.start();
		CompletableFuture<Boolean> running = console.stopped().toFuture();
		assertThat(beforeTheStart).isNotDone();
		console.stop();
		assertThat(beforeTheStart).isCompleted();
		assertThat(running).isCompleted();
		assertThat(console.stopped().toFuture()).isCompleted();
		console.start();
		CompletableFuture<Boolean> again = console.stopped().toFuture();
		assertThat(again).isNotDone();
		console.stop();
		assertThat(again).isCompleted();
		assertThat(console.getPhase()).isGreaterThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
	}

	/** All of them with {@code -Dtests.full=true}. */
	static Stream<String> namingStrategies() {
		return FULL ? Stream.of("UPPER_CAMEL_CASE", "SNAKE_CASE") : Stream.of("SNAKE_CASE");
	}

	@ParameterizedTest
	@MethodSource("namingStrategies")
	void valuesOfSecretsAreHiddenWhateverTheApplicationCallsThem(String strategy) {
		try (RunningConsole styled = RunningConsole.start(WebApplicationType.SERVLET,
				"--spring.jackson.property-naming-strategy=" + strategy)) {
			styled.server.resources("secrets")
				.apply(Map.of("metadata", Map.of("namespace", "shop", "name", "keys"), "data",
						Map.of("token", "aHVzaA=="), "stringData", Map.of("note", "aHVzaA==")));
			String path = "/reflectors/api/reflectors/secrets/object?namespace=shop&name=keys";
			await().until(() -> styled.get(path).statusCode() == 200);
			String body = styled.get(path).body();
			assertThat(body).doesNotContain("aHVzaA==")
				.containsIgnoringCase("\"name\":\"keys\"")
				.containsIgnoringCase("\"token\":\"•••••• (8 characters)\"")
				.containsPattern("\"(ResourceVersion|resource_version)\":\"\\d+\"");
		}
	}

	/** All of them with {@code -Dtests.full=true}. */
	static Stream<WebApplicationType> webApplicationTypes() {
		return FULL ? Stream.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)
				: Stream.of(WebApplicationType.SERVLET);
	}

	@ParameterizedTest
	@MethodSource("webApplicationTypes")
	void thePathCanBeAnotherAndOrdersAreOffByDefault(WebApplicationType web) {
		try (RunningConsole other = RunningConsole.start(web, "--reflector.console.path=/ops/mirrors")) {
			assertThat(other.json("/ops/mirrors/api/reflectors").path("reflectors").get(0).path("operations").isEmpty())
				.isTrue();
			assertThat(other.post("/ops/mirrors/api/reflectors/widgets/relist").statusCode()).isEqualTo(404);
			assertThat(other.get("/ops/mirrors").headers().firstValue("Location")).hasValue("mirrors/");
			assertThat(other.get("/ops/mirrors/").statusCode()).isEqualTo(200);
			assertThat(other.get("/reflectors/").statusCode()).isEqualTo(404);
		}
	}

	@Test
	void theLockOfTheActuatorHoldsForTheConsole() {
		try (RunningConsole locked = RunningConsole.start(WebApplicationType.SERVLET,
				"--reflector.console.write-operations=true", "--management.endpoints.access.max-permitted=READ_ONLY")) {
			assertThat(locked.json("/reflectors/api/reflectors").path("writeOperations").asBoolean()).isFalse();
			assertThat(locked.post("/reflectors/api/reflectors/widgets/relist").statusCode()).isEqualTo(404);
		}
		try (RunningConsole closed = RunningConsole.start(WebApplicationType.REACTIVE,
				"--management.endpoints.access.max-permitted=none")) {
			for (String path : List.of("", "/", "/assets/console.js", "/api/reflectors", "/api/stream",
					"/api/reflectors/widgets/objects")) {
				HttpResponse<String> response = closed.get("/reflectors" + path);
				assertThat(response.statusCode()).as(path).isEqualTo(403);
				assertThat(response.body()).contains("management.endpoints.access.max-permitted");
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WithoutReflectors {

	}

}
