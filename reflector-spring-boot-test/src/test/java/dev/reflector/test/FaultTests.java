package dev.reflector.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.reflector.test.fixture.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private EmbeddedApiServer server;

	private TestClient client;

	@BeforeEach
	void start() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		this.client = new TestClient(this.server);
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void statusIsAnsweredAsOftenAsAsked() {
		this.server.fail(RecordedRequest::isList, 2, Fault.status(429).withRetryAfter(1));
		for (int i = 0; i < 2; i++) {
			TestClient.Answer answer = this.client.get(ALL);
			assertThat(answer.status()).isEqualTo(429);
			assertThat(answer.at("/reason")).isEqualTo("TooManyRequests");
			assertThat(answer.header("Retry-After")).isEqualTo("1");
		}
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
		assertThat(this.server.requests()).hasSize(3);
	}

	@Test
	void onlyMatchingRequestsFail() {
		this.server.fail((request) -> request.isList() && request.isAbout("widgets"), 1, Fault.status(500));
		assertThat(this.client.get("/version").status()).isEqualTo(200);
		assertThat(this.client.get(ALL).status()).isEqualTo(500);
	}

	@Test
	void faultsArePlayedInOrderUntilCleared() {
		this.server.fail(RecordedRequest::isList, 1, Fault.status(410, "Expired", "too old"));
		this.server.fail(RecordedRequest::isList, 1, Fault.response(503, "text/plain", "overloaded"));
		this.server.fail(RecordedRequest::isList, 100, Fault.status(404));
		assertThat(this.client.get(ALL).at("/reason")).isEqualTo("Expired");
		assertThat(this.client.get(ALL).text()).isEqualTo("overloaded");
		assertThat(this.client.get(ALL).status()).isEqualTo(404);
		this.server.clearFaults();
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
	}

	@Test
	void writesCanFail() {
		this.server.fail((request) -> request.method().equals("POST"), 1, Fault.status(500));
		String widget = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\"}}";
		String path = "/apis/example.com/v1/namespaces/default/widgets";
		assertThat(this.client.post(path, widget).status()).isEqualTo(500);
		assertThat(this.client.post(path, widget).status()).isEqualTo(201);
	}

	@Test
	void garbageIsNoJson() {
		this.server.fail(RecordedRequest::isList, 1, Fault.garbage());
		TestClient.Answer answer = this.client.get(ALL);
		assertThat(answer.status()).isEqualTo(200);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(answer::json);
	}

	@Test
	void disconnectClosesTheConnection() {
		// the JDK's client repeats a GET once when a connection that it reuses is closed
		this.server.fail(RecordedRequest::isList, 2, Fault.disconnect());
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(ALL));
		this.server.clearFaults();
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
	}

	@Test
	void connectionsAreClosedAsSoonAsTheyAreAccepted() throws IOException {
		this.server.fail(RecordedRequest::isList, 1, Fault.closeAtAccept(2));
		try (Socket first = connect()) {
			ask(first);
			assertThat(first.getInputStream().read()).isEqualTo(-1);
		}
		for (int i = 0; i < 2; i++) {
			try (Socket socket = connect()) {
				// nothing has been asked
				assertThat(socket.getInputStream().read()).isEqualTo(-1);
			}
		}
		try (Socket last = connect()) {
			ask(last);
			assertThat(last.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
		}
		assertThat(this.server.requests()).hasSize(2);
	}

	@Test
	void connectionsAreAcceptedWhenFaultsAreForgotten() throws IOException {
		this.server.fail(RecordedRequest::isList, 1, Fault.closeAtAccept(Integer.MAX_VALUE));
		try (Socket first = connect(); Socket second = connect()) {
			// a client is connected before its server has accepted the connection
			await().until(() -> this.server.activeConnections() == 2);
			ask(first);
			assertThat(first.getInputStream().read()).isEqualTo(-1);
			this.server.clearFaults();
			// a connection that was accepted before still works
			ask(second);
			assertThat(second.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
		}
		assertThat(TestClient.read(this.server.url() + ALL).status()).isEqualTo(200);
	}

	private Socket connect() throws IOException {
		return new Socket(this.server.url().getHost(), this.server.port());
	}

	private static void ask(Socket socket) throws IOException {
		socket.getOutputStream().write(("GET " + ALL + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes());
	}

	@Test
	void emptyWatchEndsCleanly() {
		this.server.fail(RecordedRequest::isWatch, 1, Fault.emptyWatch());
		try (TestClient.Stream watch = this.client.watch(ALL)) {
			assertThat(watch.status()).isEqualTo(200);
			assertThat(watch.nextOrEnd()).isNull();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 404, 410, 422, 429, 500, 503, 504 })
	void everyCodeComesAsStatusOrAsPlainText(int code) {
		this.server.fail(RecordedRequest::isList, 1, Fault.status(code));
		this.server.fail(RecordedRequest::isList, 1, Fault.plainText(code));
		TestClient.Answer status = this.client.get(ALL);
		assertThat(status.status()).isEqualTo(code);
		assertThat(status.at("/kind")).isEqualTo("Status");
		assertThat(status.json().path("code").asInt()).isEqualTo(code);
		assertThat(status.at("/reason")).isNotEmpty();
		TestClient.Answer text = this.client.get(ALL);
		assertThat(text.status()).isEqualTo(code);
		assertThat(text.header("Content-Type")).startsWith("text/plain");
		assertThat(text.text()).isNotEmpty().doesNotContain("{");
		assertThat(text.header("Retry-After")).isEqualTo((code == 429) ? "1" : "");
	}

	@Test
	void theStatusHasTheRetryAfterOfTheHeader() {
		this.server.fail(RecordedRequest::isList, 1, Fault.status(429).withRetryAfter(3));
		assertThat(this.client.get(ALL).json().at("/details/retryAfterSeconds").asInt()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(ints = { 429, 503 })
	void whenToTryAgainMayBeADate(int code) {
		Instant time = Instant.now().plusSeconds(3600).plusMillis(1);
		this.server.fail(RecordedRequest::isList, 1, Fault.status(code).withRetryAfter(time));
		TestClient.Answer answer = this.client.get(ALL);
		Instant told = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(answer.header("Retry-After")));
		assertThat(told).isEqualTo(time.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1));
		assertThat(answer.header("Retry-After"))
			.matches("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT");
		assertThat(answer.json().at("/details/retryAfterSeconds").asInt()).isBetween(3000, 3601);
		this.server.fail(RecordedRequest::isList, 1, Fault.status(code).withRetryAfter(Instant.EPOCH));
		assertThat(this.client.get(ALL).json().at("/details/retryAfterSeconds").asInt(-1)).isZero();
	}

	@Test
	void requestsCanPassBeforeOneFails() {
		this.server.failAfter(2, RecordedRequest::isList, 1, Fault.status(500));
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
		assertThat(this.client.get("/version").status()).isEqualTo(200);
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
		assertThat(this.client.get(ALL).status()).isEqualTo(500);
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
	}

	@Test
	void resetIsNoOrderlyEnd() throws IOException {
		this.server.fail(RecordedRequest::isList, 2, Fault.reset());
		this.server.fail(RecordedRequest::isWatch, 1, Fault.disconnect());
		assertThatExceptionOfType(SocketException.class).isThrownBy(() -> read(ALL)).withMessageContaining("reset");
		assertThat(read(ALL + "?watch=true")).isEmpty();
	}

	/** Sends a request over a plain socket and returns the whole answer. */
	private String read(String path) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", this.server.port())) {
			socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n").getBytes());
			return new String(socket.getInputStream().readAllBytes());
		}
	}

	@Test
	void silenceSendsNothing() throws IOException {
		this.server.fail(RecordedRequest::isList, 1, Fault.silence());
		try (Socket socket = new Socket("127.0.0.1", this.server.port())) {
			socket.setSoTimeout(300);
			socket.getOutputStream().write(("GET " + ALL + " HTTP/1.1\r\nHost: test\r\n\r\n").getBytes());
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> socket.getInputStream().read());
		}
	}

	@Test
	void slowAnswersComeLate() {
		this.server.fail(RecordedRequest::isList, 1, Fault.slow(Duration.ofMillis(300)));
		this.server.fail(RecordedRequest::isList, 1, Fault.status(500).withDelay(Duration.ofMillis(300)));
		long began = System.nanoTime();
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(290));
		assertThat(this.client.get(ALL).status()).isEqualTo(500);
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(590));
	}

	@Test
	void bytesDrip() {
		String whole = this.client.get(ALL).text();
		this.server.fail(RecordedRequest::isList, 1, Fault.drip(200));
		long began = System.nanoTime();
		assertThat(this.client.get(ALL).text()).isEqualTo(whole);
		Duration least = Duration.ofMillis(whole.length() * 1000L / 200 - 60);
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(least);
	}

	@Test
	void aListCanBeCutOffOrEndTooEarly() throws IOException {
		this.server.fail(RecordedRequest::isList, 2, Fault.truncate(20));
		assertThat(read(ALL)).contains("200 OK").endsWith("{\"kind\":\"WidgetList\"\r\n");
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(ALL));
		this.server.clearFaults();
		this.server.fail(RecordedRequest::isList, 1, Fault.endWithin(20));
		assertThat(this.client.get(ALL).text()).isEqualTo("{\"kind\":\"WidgetList\"");
	}

	@Test
	void compactionComesFirst() {
		String version = this.client.get(ALL).resourceVersion();
		this.server.fail(RecordedRequest::isWatch, 1, Fault.compaction());
		try (TestClient.Stream watch = this.client.watch(ALL + "?resourceVersion=" + version)) {
			assertThat(watch.next().at("/object/code").asInt()).isEqualTo(410);
		}
	}

	@Test
	void faultsCanBePutTogether() {
		this.server.fail(RecordedRequest::isList, 1,
				Fault.compaction().and(Fault.slow(Duration.ofMillis(200))).and(Fault.endWithin(7)));
		long began = System.nanoTime();
		assertThat(this.client.get(ALL).text()).isEqualTo("{\"kind\"");
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(190));
		assertThatIllegalStateException().isThrownBy(() -> Fault.compaction().and(Fault.endWithin(7)).atEvent(2));
	}

	@Test
	void anOutageEndsByItself() {
		this.server.resources("widgets").create("{\"metadata\":{\"name\":\"a\"}}");
		int port = this.server.port();
		this.server.fail(RecordedRequest::isList, 2, Fault.outage(Duration.ofMillis(300)));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(ALL));
		this.server.clearFaults();
		await().until(() -> !refused(port));
		assertThat(this.client.get(ALL).names()).containsExactly("a");
		assertThat(this.server.port()).isEqualTo(port);
	}

	@Test
	void connectionsAreRefusedWhileAnOutageLasts() {
		int port = this.server.port();
		this.server.fail(RecordedRequest::isList, 2, Fault.outage(Duration.ofHours(1)));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(ALL));
		this.server.clearFaults();
		await().until(() -> refused(port));
		this.server.start();
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
	}

	@Test
	void anOutageThatHasBeenEndedDoesNotEndTheNextOne() {
		int port = this.server.port();
		this.server.fail(RecordedRequest::isList, 1, Fault.outage(Duration.ofSeconds(1)));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(ALL));
		await().until(() -> refused(port));
		this.server.reset();
		this.server.fail(RecordedRequest::isList, 2, Fault.outage(Duration.ofHours(1)));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(ALL));
		this.server.clearFaults();
		await().until(() -> refused(port));
		await().during(Duration.ofMillis(1500)).until(() -> refused(port));
	}

	@Test
	void goesBackWhenARequestComesOrAnEventIsDue() {
		Backup backup = this.server.backup();
		String version = this.server.resourceVersion();
		this.server.resources("widgets").create("{\"metadata\":{\"name\":\"a\"}}");
		this.server.fail(RecordedRequest::isList, 1, Fault.restoration(backup));
		assertThat(this.client.get(ALL).names()).isEmpty();
		assertThat(this.server.resourceVersion()).isEqualTo(version);
		this.server.fail(RecordedRequest::isWatch, 1, Fault.restoration(backup).atEvent(1));
		TestClient.Stream watch = this.client.watch(ALL);
		this.server.resources("widgets").create("{\"metadata\":{\"name\":\"b\"}}");
		assertThat(watch.event()).startsWith("ADDED b");
		assertThat(watch.nextOrEnd()).isNull();
		assertThat(this.client.get(ALL).names()).isEmpty();
		assertThat(this.server.resourceVersion()).isEqualTo(version);
	}

	@Test
	void anOutageDoesNotStartAStoppedServer() {
		this.server.fail(RecordedRequest::isList, 2, Fault.outage(Duration.ofSeconds(1)));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(ALL));
		// it may just be about to begin, or be over already
		this.server.stop();
		await().during(Duration.ofMillis(1500)).until(() -> refused(this.server.port()));
	}

	@Test
	void connectionsAreRefusedForAWhileAndOthersGoOn() {
		TestClient.Stream watch = this.client.watch(ALL);
		int port = this.server.port();
		// until the test ends it
		this.server.fail(RecordedRequest::isList, 1, Fault.refuse(Duration.ofHours(1)));
		// its connection is reset, and what it may try instead is refused
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> read(ALL)).withMessageContaining("reset");
		assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new Socket("127.0.0.1", port));
		this.server.resources("widgets").create("{\"metadata\":{\"name\":\"a\"}}");
		assertThat(watch.event()).isEqualTo("ADDED a@2");
		this.server.start();
		assertThat(this.client.get(ALL).names()).containsExactly("a");
		this.server.resources("widgets").delete("default", "a");
		assertThat(watch.event()).isEqualTo("DELETED a@3");
	}

	@Test
	void aRefusalEndsByItself() {
		int port = this.server.port();
		this.server.fail(RecordedRequest::isList, 1, Fault.refuse(Duration.ofMillis(300)));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> read(ALL)).withMessageContaining("reset");
		await().until(() -> !refused(port));
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
	}

	@Test
	void startAndStopEndARefusalEarly() {
		int port = this.server.port();
		this.server.fail(RecordedRequest::isList, 2, Fault.refuse(Duration.ofHours(1)));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> read(ALL));
		await().until(() -> refused(port));
		this.server.start();
		assertThat(refused(port)).isFalse();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> read(ALL));
		await().until(() -> refused(port));
		this.server.stop();
		this.server.start();
		assertThat(refused(port)).isFalse();
		assertThat(this.client.get(ALL).status()).isEqualTo(200);
	}

	private static boolean refused(int port) {
		try (Socket socket = new Socket("127.0.0.1", port)) {
			return !socket.isConnected();
		}
		catch (IOException ex) {
			return true;
		}
	}

	@Test
	void faultsThatTakeTimeDoNotHoldUpTheEnd() {
		this.server.resources("widgets").create("{\"metadata\":{\"name\":\"a\"}}");
		List<Fault> faults = List.of(Fault.silence(), Fault.slow(Duration.ofHours(1)), Fault.drip(1),
				Fault.status(500).withDelay(Duration.ofHours(1)), Fault.silence().atEvent(1),
				Fault.slow(Duration.ofHours(1)).atEvent(1), Fault.drip(1).atEvent(1));
		faults.forEach((fault) -> this.server.fail(RecordedRequest::isWatch, 1, fault));
		this.server.fail(RecordedRequest::isList, 1, Fault.outage(Duration.ofHours(1)));
		HttpClient http = HttpClient.newHttpClient();
		HttpRequest watch = this.client.request(ALL + "?watch=true").build();
		faults.forEach((fault) -> http.sendAsync(watch, BodyHandlers.ofString()));
		await().until(() -> this.server.requests().size() == faults.size());
		http.sendAsync(this.client.request(ALL).build(), BodyHandlers.ofString());
		// waiting for the faults to end would take an hour
		assertThat(CompletableFuture.runAsync(this.server::close)).succeedsWithin(Duration.ofMinutes(1));
	}

}
