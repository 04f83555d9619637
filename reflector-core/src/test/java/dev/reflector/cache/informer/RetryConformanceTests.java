package dev.reflector.cache.informer;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.fixture.InformerHarness;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The test cases of client-go for repeated requests (C-432 to C-454). In client-go, the
 * layer below the reflector repeats a request a few times. Here that layer repeats
 * nothing. The loop repeats requests without a limit, with its own delays between them.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class RetryConformanceTests {

	private static final ReflectorOptions OPTIONS = InformerHarness.listing().build();

	private static final ReflectorOptions CLIENT_GO = InformerHarness.listing()
		.compatibility(Compatibility.CLIENT_GO)
		.build();

	private final ScriptedSource source = new ScriptedSource();

	private static ApiException answer(int code, int retryAfterSeconds) {
		return new ApiException("scripted " + code, Status.ofHttp(code, ""), Duration.ofSeconds(retryAfterSeconds));
	}

	static Stream<Throwable> brokenConnections() {
		return Stream.of(new SocketException("Connection reset"), new EOFException(), new IOException("broken"),
				new ClosedChannelException(), new ConnectException("refused"), new TimeoutException("silence"),
				new SSLException("closed"));
	}

	@ParameterizedTest
	@MethodSource("brokenConnections")
	void c433_c447_c448_c450_aWatchIsReopenedAtTheSameVersionWithoutAList(Throwable failure) throws Exception {
		this.source.answer("5").failWatch(failure).failWatch(failure).failWatch(failure);
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			for (int i = 0; i < 3; i++) {
				loop.passDelay();
			}
			this.source.nextWatch();
			assertThat(this.source.watches).hasSize(4)
				.allSatisfy((watch) -> assertThat(watch.resourceVersion()).isEqualTo("5"));
			assertThat(this.source.lists).hasSize(1);
			assertThat(loop.delays).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L);
		}
	}

	@Test
	void c432_inClientGoAWatchThatCannotBeOpenedCausesAListAfterADelay() throws Exception {
		this.source.answer("5").failWatch(new EOFException()).answer("6");
		try (InformerHarness loop = InformerHarness.started(this.source, CLIENT_GO)) {
			loop.passDelay();
			assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("6");
			assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 500, ""),
					new ListOptions(null, "5", 0, ""));
		}
	}

	@ParameterizedTest
	@CsvSource({ "429,2", "500,7", "503,3" })
	void c434_c440_c441_aWatchIsNotReopenedBeforeItsRetryAfter(int code, int seconds) throws Exception {
		this.source.answer("5").failWatch(answer(code, seconds)).failWatch(answer(code, seconds));
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(seconds));
			assertThat(loop.informer.status().lastError().status()).isEqualTo(code);
			loop.passDelay();
			assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(Math.max(2, seconds)));
			loop.passDelay();
			this.source.nextWatch();
			assertThat(this.source.watches).hasSize(3);
			assertThat(this.source.lists).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 3 })
	void c435_aWatchDeliversItsFramesAfterSeveral429Answers(int times) throws Exception {
		this.source.answer("5");
		for (int i = 0; i < times; i++) {
			this.source.failWatch(answer(429, 1));
		}
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			for (int i = 0; i < times; i++) {
				loop.passDelay();
			}
			this.source.nextWatch()
				.added(Thing.of("a", "6"))
				.modified(Thing.of("a", "7"))
				.deleted(Thing.of("a", "8"))
				.close();
			InformerHarness.soon()
				.untilAsserted(() -> assertThat(loop.changes).containsExactly("+a@6", "~a@7", "-a@8"));
			assertThat(this.source.lists).hasSize(1);
		}
	}

	@Test
	void c440_theLogNamesTheFlowSchemaThatThrottles(CapturedOutput output) throws Exception {
		this.source.failList(new ApiException("429 (throttled by the flow schema with UID fs-1)",
				Status.ofHttp(429, ""), Duration.ofSeconds(2)));
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(2));
			InformerHarness.soon()
				.untilAsserted(() -> assertThat(output).contains("throttled by the flow schema with UID fs-1"));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 429, 500 })
	void c442_c446_withoutARetryAfterTheLoopUsesItsOwnDelays(int code) throws Exception {
		this.source.failList(answer(code, 0)).failList(answer(code, 0)).answer("5");
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(1));
			assertThat(this.source.lists).hasSize(1);
			loop.passDelay();
			assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(2));
			loop.passDelay();
			this.source.nextWatch();
			assertThat(this.source.lists).hasSize(3);
		}
	}

	@Test
	void c438_c444_c445_c454_aListIsRepeatedWithoutALimit() throws Exception {
		int attempts = 12;
		for (int i = 0; i < attempts; i++) {
			this.source.failList(answer((i % 2 == 0) ? 429 : 503, 9));
		}
		this.source.answer("5");
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			for (int i = 0; i < attempts; i++) {
				assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(9));
				loop.passDelay();
			}
			this.source.nextWatch();
			assertThat(this.source.lists).hasSize(attempts + 1);
		}
	}

	@ParameterizedTest
	@MethodSource("brokenConnections")
	void c439_c452_aListIsRepeatedAfterBrokenConnections(Throwable failure) throws Exception {
		this.source.failList(failure).failList(failure).answer("5");
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			assertThat(loop.awaitDelay()).isEqualTo(Duration.ofSeconds(1));
			loop.passDelay();
			loop.passDelay();
			this.source.nextWatch();
			assertThat(this.source.lists).hasSize(3);
		}
	}

	@Test
	void c453_listsAreRepeatedAfter429And5xxAnswers() throws Exception {
		List.of(429, 500, 501, 504).forEach((code) -> this.source.failList(answer(code, 0)));
		this.source.answer("5");
		try (InformerHarness loop = InformerHarness.started(this.source, OPTIONS)) {
			for (int i = 0; i < 4; i++) {
				loop.passDelay();
			}
			this.source.nextWatch();
			assertThat(this.source.lists).hasSize(5);
		}
	}

}
