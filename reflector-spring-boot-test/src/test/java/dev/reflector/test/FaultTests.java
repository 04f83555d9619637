package dev.reflector.test;

import java.io.UncheckedIOException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
	void emptyWatchEndsCleanly() {
		this.server.fail(RecordedRequest::isWatch, 1, Fault.emptyWatch());
		try (TestClient.Stream watch = this.client.watch(ALL)) {
			assertThat(watch.status()).isEqualTo(200);
			assertThat(watch.nextOrEnd()).isNull();
		}
	}

}
