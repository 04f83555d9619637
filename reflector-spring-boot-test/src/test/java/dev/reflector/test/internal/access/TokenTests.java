package dev.reflector.test.internal.access;

import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.fixture.TestClient;
import dev.reflector.test.internal.options.AccessOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a server that requires tokens.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TokenTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.requireToken("alpha", "beta")
		.start();

	private final TestClient client = new TestClient(this.server);

	@AfterEach
	void close() {
		this.server.close();
	}

	private TestClient.Answer get(String path, String authorization) {
		HttpRequest request = this.client.request(path).header("Authorization", authorization).build();
		return this.client.send(request);
	}

	@Test
	void requestsWithATokenAreAnswered() {
		assertThat(get(ALL, "Bearer alpha").status()).isEqualTo(200);
		assertThat(get(ALL, "bearer  beta").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Bearer gamma", "Bearer", "Bearer alphabeta", "alpha", "Basic alpha" })
	void othersAreTurnedAway(String authorization) {
		TestClient.Answer answer = get(ALL, authorization);
		assertThat(answer.status()).isEqualTo(401);
		assertThat(answer.at("/kind")).isEqualTo("Status");
		assertThat(answer.at("/reason")).isEqualTo("Unauthorized");
		assertThat(answer.at("/message")).isEqualTo("Unauthorized");
		assertThat(answer.json().path("code").asInt()).isEqualTo(401);
	}

	@ParameterizedTest
	@ValueSource(strings = { ALL, ALL + "?watch=true", "/api", "/apis", "/apis/example.com/v1", "/version",
			"/openapi/v2", "/readyz", "/nowhere" })
	void nothingIsAnsweredWithoutAToken(String path) {
		assertThat(this.client.get(path).status()).isEqualTo(401);
	}

	@Test
	void writesNeedATokenToo() {
		assertThat(this.client.post("/apis/example.com/v1/namespaces/default/widgets", "{}").status()).isEqualTo(401);
		assertThat(this.server.resources("widgets").size()).isZero();
	}

	@Test
	void tokensCanBeChanged() {
		HttpRequest watch = this.client.request(ALL + "?watch=true").header("Authorization", "Bearer alpha").build();
		try (TestClient.Stream open = this.client.watch(watch)) {
			this.server.acceptTokens("gamma");
			assertThat(get(ALL, "Bearer alpha").status()).isEqualTo(401);
			assertThat(get(ALL, "Bearer gamma").status()).isEqualTo(200);
			this.server.resources("widgets").create("{\"metadata\":{\"name\":\"a\"}}");
			assertThat(open.event()).startsWith("ADDED a@");
		}
		this.server.acceptTokens();
		assertThat(get(ALL, "Bearer gamma").status()).isEqualTo(401);
		this.server.reset();
		assertThat(get(ALL, "Bearer alpha").status()).isEqualTo(200);
	}

	@Test
	void faultsArePlayedBeforeTokensAreLookedAt() {
		this.server.fail(RecordedRequest::isList, 1, Fault.status(500));
		assertThat(this.client.get(ALL).status()).isEqualTo(500);
		assertThat(this.client.get(ALL).status()).isEqualTo(401);
	}

	@Test
	void recordedRequestsHoldNoTokens() {
		get(ALL, "Bearer alpha");
		RecordedRequest recorded = this.server.requests().get(0);
		assertThat(recorded.header("authorization")).isEqualTo("Bearer");
		assertThat(recorded.headers().toString()).doesNotContain("alpha");
		assertThat(recorded).asString().doesNotContain("alpha");
		assertThat(new AccessOptions(null, null, List.of("alpha"), false, Duration.ZERO)).asString()
			.doesNotContain("alpha");
	}

}
