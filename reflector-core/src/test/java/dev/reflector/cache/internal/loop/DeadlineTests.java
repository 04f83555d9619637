package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Every request has a deadline.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class DeadlineTests {

	private static final String STUCK = "the server does not send the bookmark that ends a streamed list; ";

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	/** Lets the time until the next reminder pass. */
	private void remind() {
		await().until(() -> this.fixture.time.waiting().contains(WatchProgress.REMINDER));
		this.fixture.time.advance(WatchProgress.REMINDER);
	}

	private void awaitReminders(CapturedOutput output, int count) {
		await().until(() -> output.getOut().split("the server has not yet sent the bookmark", -1).length > count);
	}

	@Test
	void aSilentStreamIsReplacedByAListAndNotTriedAgainSoon(CapturedOutput output) throws Exception {
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream stream = this.source.nextWatch().send(new WatchEvent.Opened<>());
		// the loop has noticed that the watch is open
		await().until(() -> this.fixture.informer.status().contact().connected());
		remind();
		awaitReminders(output, 1);
		remind();
		awaitReminders(output, 2);
		this.source.answer("5", Thing.of("a", "4"));
		remind();
		this.fixture.awaitMirror("a@4");
		assertThat(stream.cancelled).isTrue();
		assertThat(output.getOut())
			.contains(STUCK + "nothing has come since the request 30 s ago. Plain lists " + "are used instead");
		assertThat(this.source.nextWatch().options.sendInitialEvents()).isFalse();
		this.source.answer("6", Thing.of("a", "6"));
		this.fixture.informer.relist();
		this.fixture.awaitMirror("a@6");
		assertThat(this.source.nextWatch().options.sendInitialEvents()).isFalse();
	}

	@Test
	void aStreamWithoutAnEndMarkerIsReplacedByAListEvenIfChangesCome(CapturedOutput output) throws Exception {
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream stream = this.source.nextWatch()
			.send(new WatchEvent.Opened<>())
			.added(Thing.of("a", "1"));
		await().until(() -> this.fixture.informer.status().lastEventAt() != null);
		for (int i = 1; i <= 2; i++) {
			remind();
			awaitReminders(output, i);
			// like a server that ignores sendInitialEvents
			stream.modified(Thing.of("a", String.valueOf(i + 1)));
		}
		this.source.answer("9", Thing.of("a", "9"));
		remind();
		this.fixture.awaitMirror("a@9");
		assertThat(output.getOut()).contains("has not yet sent the bookmark that ends the streamed list", STUCK);
	}

	@Test
	void aStreamedListThatStillDeliversObjectsIsAwaited(CapturedOutput output) throws Exception {
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream stream = this.source.nextWatch().send(new WatchEvent.Opened<>());
		await().until(() -> this.fixture.informer.status().contact().connected());
		for (int i = 1; i <= 6; i++) {
			Instant before = this.fixture.informer.status().lastEventAt();
			stream.added(Thing.of("a" + i, String.valueOf(i)));
			await().until(() -> !Objects.equals(this.fixture.informer.status().lastEventAt(), before));
			remind();
			awaitReminders(output, i);
		}
		stream.endMarker("6");
		await().until(this.fixture.informer::hasSynced);
		assertThat(output.getOut()).contains("6 events have come, the last one 10 s ago").doesNotContain(STUCK);
		assertThat(this.source.lists).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aListPageWithoutAnAnswerTimesOut(boolean first, CapturedOutput output) {
		if (!first) {
			this.source.answerPage("5", "more", Thing.of("a", "4"));
		}
		this.fixture.start(InformerFixture.listing());
		await().until(() -> this.source.lists.size() == (first ? 1 : 2));
		await().until(() -> this.fixture.time.waiting().contains(LoopTimers.PAGE));
		this.fixture.time.advance(LoopTimers.PAGE);
		await().until(() -> this.fixture.delays.size() == 1);
		await().untilAsserted(() -> assertThat(output)
			.contains("the response to the list is still incomplete after 300 s; as far as known, nothing"));
		LastError error = await().until(() -> this.fixture.informer.status().lastError(), Objects::nonNull);
		assertThat(error.reason()).isEqualTo("Timeout");
		assertThat(error.message()).isEqualTo("the response to the list was still incomplete after 5 minutes; "
				+ "as far as known, nothing has been received");
		this.source.answer("7", Thing.of("a", "6"));
		this.fixture.time.advance(Duration.ofSeconds(1));
		this.fixture.awaitMirror("a@6");
	}

}
