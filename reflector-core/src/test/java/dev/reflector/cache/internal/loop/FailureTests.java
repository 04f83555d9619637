package dev.reflector.cache.internal.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.CredentialsException;
import dev.reflector.cache.source.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Failure}.
 */
class FailureTests {

	static Stream<Throwable> wrapped() {
		Status status = new Status(504, "Timeout", "Too large resource version: 9, current: 8", List.of(), 1, true);
		ApiException answer = new ApiException("scripted", status, Duration.ofSeconds(3));
		return Stream.of(answer, new IllegalStateException(answer),
				new CompletionException(new RuntimeException("outer", new IllegalStateException("inner", answer))),
				// the answer of the server takes precedence over the exception around it
				new UncheckedIOException(new IOException("transport", answer)));
	}

	@ParameterizedTest
	@MethodSource("wrapped")
	void c417_c418_findsTheStatusInWrappedExceptions(Throwable error) {
		Failure failure = Failure.of(error);
		assertThat(failure.code()).isEqualTo(504);
		assertThat(failure.reason()).isEqualTo("Timeout");
		assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
		// W-48: the checks of the text also look into the causes
		assertThat(failure.versionUnavailable()).isTrue();
		assertThat(failure.transport()).isFalse();
	}

	static Stream<Throwable> foreign() {
		return Stream.of(new IllegalStateException("Too large resource version"), new RuntimeException((String) null),
				new IllegalStateException("429 TooManyRequests", new IllegalArgumentException("Expired")));
	}

	@ParameterizedTest
	@MethodSource("foreign")
	void c417_c418_otherExceptionsAreNotTakenForAnAnswer(Throwable error) {
		Failure failure = Failure.of(error);
		assertThat(failure.status()).isNull();
		assertThat(failure.retryAfter()).isZero();
		assertThat(failure.expired() || failure.expiredToken() || failure.versionUnavailable()).isFalse();
		assertThat(failure.retriable() || failure.refusal()).isFalse();
	}

	@Test
	void c417_aCycleOfCausesDoesNotLoopForEver() {
		RuntimeException first = new RuntimeException("first");
		first.initCause(new RuntimeException("second", first));
		assertThat(Failure.of(first).status()).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "401,Unauthorized", "403,Forbidden", "404,NotFound" })
	void c413_401And403And404AreRefusals(int code, String reason) {
		Failure failure = Failure.of(new Status(code, reason, "", List.of(), 0, true));
		assertThat(failure.refusal()).isTrue();
		assertThat(failure.retriable()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "409,Conflict", "413,RequestEntityTooLarge", "500,InternalError", "503,ServiceUnavailable" })
	void c413_otherStatusesAreNoRefusals(int code, String reason) {
		assertThat(Failure.of(new Status(code, reason, "", List.of(), 0, true)).refusal()).isFalse();
	}

	@Test
	void c418_theRetryAfterOfAStatusInAFrameIsRead() {
		Status status = new Status(504, "ServerTimeout", "", List.of(), 4, true);
		assertThat(Failure.of(status).retryAfter()).isEqualTo(Duration.ofSeconds(4));
		assertThat(Failure.of(Status.ofHttp(504, "")).retryAfter()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ConnectTimeout", "ProxyFailure" })
	void aRequestThatDidNotReachTheServerIsNotUnanswered(String reason) {
		Failure failure = Failure
			.of(new IllegalStateException(new ConnectionException(reason, "why", new ConnectException("no"))));
		assertThat(failure.reason()).isEqualTo(reason);
		assertThat(failure.message()).isEqualTo("why");
		assertThat(failure.retriable()).isTrue();
		assertThat(failure.unanswered()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ConnectionRefused", "NoRoute", "UntrustedServerCertificate", "WrongHostName",
			"ServerCertificateExpired" })
	void aRequestThatWasNotSentIsNotUnanswered(String reason) {
		Failure failure = Failure.of(new ConnectionException(reason, "why", new IOException("no")));
		assertThat(failure.retriable()).isTrue();
		assertThat(failure.unanswered()).isFalse();
	}

	@Test
	void aRequestWithoutCredentialsWasNotSentAndIsNotUnanswered() {
		Failure failure = Failure.of(new CredentialsException("there is no token", null));
		assertThat(failure.reason()).isEqualTo("Credentials");
		assertThat(failure.retriable()).isTrue();
		assertThat(failure.unanswered()).isFalse();
	}

	@Test
	void aRequestThatWasSentMayBeUnanswered() {
		assertThat(Failure.of(new IOException("closed")).unanswered()).isTrue();
		assertThat(Failure.of(new TimeoutException("silent")).unanswered()).isTrue();
	}

}
