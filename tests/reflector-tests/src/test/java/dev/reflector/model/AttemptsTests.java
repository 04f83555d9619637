package dev.reflector.model;

import java.time.Duration;

import dev.reflector.model.Call.Kind;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that requests which are sent once too often are noticed.
 */
class AttemptsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.start();

	private final ConnectionProvider connections = ConnectionProvider.create("attempts", 1);

	private final Attempts attempts = new Attempts();

	/** Repeats nothing by itself. */
	private final HttpClient client = this.attempts
		.observe(HttpClient.create(this.connections).disableRetry(true).baseUrl(this.server.url().toString()));

	@AfterEach
	void close() {
		this.connections.dispose();
		this.server.close();
	}

	private static Call call() {
		return new Call("null", Kind.LIST, "", 0, false, Duration.ZERO, 0);
	}

	private Mono<String> list() {
		return this.client.get().uri("/apis/example.com/v1/widgets").responseContent().aggregate().asString();
	}

	private void send(Call call) {
		list().contextWrite((context) -> context.put(Call.class, call)).onErrorComplete().block(LIMIT);
	}

	private void lose() {
		this.server.fail(RecordedRequest::isList, 1, Fault.reset());
	}

	@Test
	void eachIsSentOnce() {
		send(call());
		send(call());
		assertThat(this.attempts.mistakes()).isEmpty();
		assertThat(this.attempts.lists()).isEqualTo(2);
		assertThat(this.attempts.repeated()).isZero();
	}

	@Test
	void oneThatLostItsKeptConnectionIsSentAgain() {
		send(call());
		lose();
		Call call = call();
		send(call);
		send(call);
		assertThat(this.attempts.mistakes()).isEmpty();
		assertThat(this.attempts.repeated()).isEqualTo(1);
		assertThat(this.server.requests(RecordedRequest::isList)).hasSize(3);
	}

	@Test
	void oneThatWasAnswered() {
		send(call());
		Call call = call();
		send(call);
		send(call);
		assertThat(this.attempts.mistakes()).singleElement().asString().contains("was answered");
	}

	@Test
	void oneThatWasAnsweredWithAFailure() {
		send(call());
		this.server.fail(RecordedRequest::isList, 1, Fault.status(503));
		Call call = call();
		send(call);
		send(call);
		assertThat(this.attempts.mistakes()).singleElement().asString().contains("was answered");
	}

	@Test
	void oneThatLostANewConnection() {
		lose();
		Call call = call();
		send(call);
		send(call);
		assertThat(this.attempts.mistakes()).singleElement().asString().contains("had a new connection");
	}

	@Test
	void oneThatWasGivenUp() {
		send(call());
		this.server.fail(RecordedRequest::isList, 1, Fault.silence());
		Call call = call();
		Disposable given = list().contextWrite((context) -> context.put(Call.class, call)).subscribe();
		await().atMost(LIMIT).until(() -> this.attempts.lists() == 2);
		given.dispose();
		send(call);
		assertThat(this.attempts.mistakes()).singleElement().asString().contains("has not failed");
	}

	@Test
	void oneThatLostAKeptConnectionAndThenANewOne() {
		send(call());
		lose();
		lose();
		Call call = call();
		send(call);
		send(call);
		assertThat(this.attempts.mistakes()).isEmpty();
		send(call);
		assertThat(this.attempts.mistakes()).singleElement().asString().contains("had a new connection");
	}

	@Test
	void oneThatNobodyAskedFor() {
		list().block(LIMIT);
		assertThat(this.attempts.mistakes()).singleElement().asString().contains("without being asked for");
	}

}
