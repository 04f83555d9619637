package dev.reflector.cache.informer;

import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.internal.loop.LoopTimers;
import dev.reflector.cache.internal.loop.WatchProgress;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests that the loop opens the next watch before the current watch ends. Handlers
 * receive each change once and in order, from either watch.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class WatchHandoverTests {

	private static final Duration OVERLAP = Duration.ofSeconds(10);

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	private static ReflectorOptions.Builder overlapping() {
		return InformerFixture.listing().watchOverlap(OVERLAP);
	}

	/** Starts with an empty mirror at version 1, and gives its watch. */
	private ScriptedSource.Stream started(ReflectorOptions options) throws Exception {
		this.source.answer("1");
		this.fixture.start(options);
		ScriptedSource.Stream watch = this.source.nextWatch();
		opened(watch);
		return watch;
	}

	private ScriptedSource.Stream started() throws Exception {
		return started(overlapping().build());
	}

	/** Accepts the watch, and waits until the loop has noticed that. */
	private void opened(ScriptedSource.Stream watch) {
		long before = settling();
		watch.send(new WatchEvent.Opened<>());
		await().until(() -> settling() > before);
	}

	/** How many watches were accepted only a moment ago. */
	private long settling() {
		return this.fixture.time.waiting().stream().filter(WatchProgress.BRIEF::equals).count();
	}

	/**
	 * Waits until the loop has requested this many watches. If the last one has failed at
	 * once, the loop's mailbox holds that failure by then.
	 */
	private void awaitAsked(int watches) {
		await().until(() -> this.fixture.informer.status().counts().watches() == watches);
	}

	/** Moves time to where the next watch is due. */
	private ScriptedSource.Stream next(ScriptedSource.Stream present) throws Exception {
		await().until(() -> due(present) != null);
		this.fixture.time.advance(due(present));
		return this.source.nextWatch();
	}

	/**
	 * Returns the delay after which the next watch is due: a bit less than the timeout of
	 * the current watch.
	 */
	private Duration due(ScriptedSource.Stream present) {
		Duration timeout = present.options.timeout();
		return this.fixture.time.waiting()
			.stream()
			.filter((delay) -> delay.compareTo(timeout.minus(OVERLAP.multipliedBy(2))) >= 0
					&& delay.compareTo(timeout) < 0)
			.findFirst()
			.orElse(null);
	}

	private void awaitHandover(int count) {
		await().until(() -> this.fixture.handovers.get() == count);
	}

	private void expectUndisturbed() {
		assertThat(this.fixture.delays).isEmpty();
		assertThat(this.fixture.ends).isEmpty();
		assertThat(this.source.lists).hasSize(1);
		assertThat(this.fixture.informer.status().counts().errors()).isZero();
		assertThat(this.fixture.informer.status().lastError()).isNull();
		assertThat(this.fixture.informer.state()).isEqualTo(ReflectorState.WATCHING);
	}

	@Test
	void theNextWatchStartsAtTheVersionOfThePresentOne(CapturedOutput output) throws Exception {
		ScriptedSource.Stream first = started().added(Thing.of("a", "5"));
		this.fixture.awaitVersion("5");
		ScriptedSource.Stream second = next(first);
		assertThat(second.options.resourceVersion()).isEqualTo("5");
		assertThat(second.options.sendInitialEvents()).isFalse();
		second.send(new WatchEvent.Opened<>()).modified(Thing.of("a", "6"));
		this.fixture.awaitMirror("a@6");
		awaitHandover(1);
		assertThat(first.cancelled).isTrue();
		assertThat(second.cancelled).isFalse();
		second.modified(Thing.of("a", "7"));
		this.fixture.recorder.awaitChanges("+a@5", "~a@5>a@6", "~a@6>a@7");
		assertThat(this.fixture.watchVersions()).containsExactly("from 1", "from 5");
		expectUndisturbed();
		assertThat(output.getOut()).doesNotContain("WARN").doesNotContain("connected again");
	}

	@Test
	void aSourceWhoseWatchesMayNotOverlapHasNoNextWatch() throws Exception {
		this.source.overlaps = false;
		ScriptedSource.Stream first = started().added(Thing.of("a", "5"));
		// by then, the timers of the watch are set
		this.fixture.awaitVersion("5");
		assertThat(this.fixture.time.waiting()).isNotEmpty();
		assertThat(due(first)).isNull();
	}

	@Test
	void logsThatTheNextWatchIsNotAnswered(CapturedOutput output) throws Exception {
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first);
		await().until(() -> this.fixture.time.waiting().contains(WatchProgress.REMINDER));
		this.fixture.time.advance(WatchProgress.REMINDER);
		await().untilAsserted(
				() -> assertThat(output).contains("has not answered the request for the next watch for at least 10 s"));
		opened(second);
		second.added(Thing.of("a", "2"));
		awaitHandover(1);
		expectUndisturbed();
	}

	@Test
	void aChangeFromBothWatchesIsDeliveredOnce() throws Exception {
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first);
		first.added(Thing.of("a", "2")).deleted(Thing.of("a", "3")).added(Thing.of("a", "4"));
		this.fixture.awaitVersion("4");
		second.send(new WatchEvent.Opened<>())
			.added(Thing.of("a", "2"))
			.deleted(Thing.of("a", "3"))
			.bookmark("3")
			.added(Thing.of("a", "4"))
			.modified(Thing.of("a", "5"));
		this.fixture.recorder.awaitChanges("+a@2", "-a@3", "+a@4", "~a@4>a@5");
		awaitHandover(1);
		assertThat(first.cancelled).isTrue();
		expectUndisturbed();
	}

	@Test
	void theNextWatchTakesOverOnlyWhenItHasCaughtUp() throws Exception {
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first);
		opened(second);
		first.added(Thing.of("a", "2"));
		this.fixture.awaitVersion("2");
		// the server of the second watch lags behind
		this.fixture.time.advance(WatchProgress.BRIEF);
		first.added(Thing.of("b", "3"));
		this.fixture.awaitVersion("3");
		second.added(Thing.of("a", "2"));
		first.added(Thing.of("c", "4"));
		this.fixture.awaitVersion("4");
		assertThat(first.cancelled).isFalse();
		assertThat(this.fixture.handovers).hasValue(0);
		second.added(Thing.of("b", "3")).added(Thing.of("c", "4"));
		awaitHandover(1);
		second.added(Thing.of("d", "5"));
		this.fixture.recorder.awaitChanges("+a@2", "+b@3", "+c@4", "+d@5");
		assertThat(first.cancelled).isTrue();
		expectUndisturbed();
	}

	@Test
	void withoutEventsTheNextWatchTakesOverAfterAShortTime() throws Exception {
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first);
		opened(second);
		assertThat(first.cancelled).isFalse();
		this.fixture.time.advance(WatchProgress.BRIEF);
		awaitHandover(1);
		assertThat(first.cancelled).isTrue();
		second.added(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
		expectUndisturbed();
	}

	@Test
	void aBookmarkCompletesTheHandover() throws Exception {
		ScriptedSource.Stream first = started().bookmark("9");
		this.fixture.awaitVersion("9");
		ScriptedSource.Stream second = next(first).send(new WatchEvent.Opened<>()).bookmark("9");
		awaitHandover(1);
		second.bookmark("12");
		this.fixture.awaitVersion("12");
		expectUndisturbed();
	}

	@Test
	void eachWatchIsFollowedByAnOverlappingOne() throws Exception {
		ScriptedSource.Stream watch = started();
		for (int i = 1; i <= 5; i++) {
			watch = next(watch).send(new WatchEvent.Opened<>()).added(Thing.of("t" + i, "" + (10 + i)));
			awaitHandover(i);
		}
		assertThat(this.fixture.watchVersions()).containsExactly("from 1", "from 1", "from 11", "from 12", "from 13",
				"from 14");
		this.fixture.awaitMirror("t1@11", "t2@12", "t3@13", "t4@14", "t5@15");
		expectUndisturbed();
	}

	@Test
	void aStreamedListIsFollowedByAnOverlappingWatch() throws Exception {
		this.fixture.start(InformerFixture.streaming().watchOverlap(OVERLAP));
		ScriptedSource.Stream first = this.source.nextWatch().added(Thing.of("a", "5")).endMarker("8");
		this.fixture.awaitMirror("a@5");
		await().until(() -> this.fixture.informer.state() == ReflectorState.WATCHING);
		ScriptedSource.Stream second = next(first).modified(Thing.of("a", "9"));
		awaitHandover(1);
		this.fixture.awaitMirror("a@9");
		assertThat(second.options.sendInitialEvents()).isFalse();
		assertThat(this.fixture.watchVersions()).containsExactly("state from ", "from 8");
	}

	@Test
	void theNextWatchTakesOverAtTheEndOfThePresentOneEvenIfItLagsBehind() throws Exception {
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first);
		opened(second);
		first.added(Thing.of("a", "2")).added(Thing.of("b", "3")).close();
		this.fixture.awaitMirror("a@2", "b@3");
		awaitHandover(1);
		second.added(Thing.of("a", "2")).bookmark("2").added(Thing.of("b", "3")).deleted(Thing.of("a", "4"));
		this.fixture.recorder.awaitChanges("+a@2", "+b@3", "-a@4");
		assertThat(this.fixture.watchVersions()).containsExactly("from 1", "from 1");
		expectUndisturbed();
	}

	@Test
	void aNextWatchWithoutAnAnswerIsNotRequestedTwice() throws Exception {
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first);
		first.close();
		awaitHandover(1);
		assertThat(second.cancelled).isFalse();
		second.send(new WatchEvent.Opened<>()).added(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
		assertThat(this.source.watches).hasSize(2);
		expectUndisturbed();
	}

	@Test
	void aWatchThatHasTakenOverIsClosedAtItsDeadlineToo() throws Exception {
		// E-35: the server has forgotten to end the second watch
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first).send(new WatchEvent.Opened<>()).added(Thing.of("a", "2"));
		awaitHandover(1);
		this.fixture.awaitVersion("2");
		this.source.failWatch(new ConnectException("refused"));
		this.fixture.time.advance(due(second));
		awaitAsked(3);
		// the loop handles this bookmark after the failure, which delays the next request
		second.bookmark("3");
		this.fixture.awaitVersion("3");
		assertThat(second.cancelled).isFalse();
		this.fixture.time.advance(OVERLAP.multipliedBy(2).plusSeconds(30));
		await().until(() -> second.cancelled);
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("3");
	}

	static Stream<Arguments> failures() {
		return Stream.of(arguments("refused", new ConnectException("refused")),
				arguments("429", ScriptedSource.status(429, "TooManyRequests")),
				arguments("410", ScriptedSource.status(410, "Expired")),
				arguments("403", ScriptedSource.status(403, "Forbidden")),
				arguments("500", ScriptedSource.status(500, "InternalError")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("failures")
	void aNextWatchThatCannotBeOpenedChangesNothing(String name, Throwable failure, CapturedOutput output)
			throws Exception {
		ScriptedSource.Stream first = started();
		this.source.failWatch(failure);
		Duration due = due(first);
		this.fixture.time.advance(due);
		awaitAsked(2);
		first.added(Thing.of("a", "2"));
		this.fixture.awaitMirror("a@2");
		// the next watch is not tried again
		this.fixture.time.advance(first.options.timeout().minus(due));
		first.added(Thing.of("b", "3"));
		this.fixture.awaitMirror("a@2", "b@3");
		assertThat(this.source.watches).hasSize(2);
		expectUndisturbed();
		first.close();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("3");
		expectUndisturbed();
		assertThat(this.fixture.handovers).hasValue(0);
		assertThat(output.getOut()).doesNotContain("WARN");
	}

	static Stream<Arguments> refusals() {
		Status busy = new Status(503, "ServiceUnavailable", "scripted", List.of(), 0, true);
		return Stream.of(arguments("refused", new ConnectException("refused"), InformerFixture.EXACT.initial()),
				arguments("asks for time", new ApiException("scripted", busy, Duration.ofSeconds(7)),
						Duration.ofSeconds(7)));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("refusals")
	void aFailedNextWatchDelaysTheWatchAfterThePresentOne(String name, Throwable failure, Duration distance,
			CapturedOutput output) throws Exception {
		ScriptedSource.Stream first = started().bookmark("5");
		this.fixture.awaitVersion("5");
		this.source.failWatch(failure);
		this.fixture.time.advance(due(first));
		awaitAsked(2);
		first.added(Thing.of("a", "6"));
		this.fixture.awaitMirror("a@6");
		first.close();
		await().until(() -> this.fixture.informer.state() == ReflectorState.BACKING_OFF);
		assertThat(this.fixture.delays).containsExactly(distance);
		assertThat(this.fixture.time.waiting()).contains(distance);
		await().untilAsserted(() -> assertThat(output.getOut()).containsOnlyOnce("cannot open the watch"));
		this.fixture.time.advance(distance.minusMillis(1));
		assertThat(this.source.watches).hasSize(2);
		this.fixture.time.advance(Duration.ofMillis(1));
		ScriptedSource.Stream third = this.source.nextWatch().added(Thing.of("b", "7"));
		this.fixture.awaitMirror("a@6", "b@7");
		assertThat(third.options.resourceVersion()).isEqualTo("6");
		assertThat(this.source.lists).hasSize(1);
		assertThat(this.fixture.ends).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "closed", "error", "lost", "no version", "unreadable", "went back", "unordered" })
	void anUnusableNextWatchIsClosed(String what) throws Exception {
		ScriptedSource.Stream first = started().bookmark("5");
		this.fixture.awaitVersion("5");
		ScriptedSource.Stream second = next(first);
		opened(second);
		switch (what) {
			case "closed" -> second.close();
			case "error" -> second.error(410, "Expired");
			case "lost" -> second.sink.tryEmitError(new IllegalStateException("lost")).orThrow();
			case "no version" -> second.added(Thing.of("a", ""));
			case "unreadable" ->
				second.send(new WatchEvent.Skipped<>("DELETED", new SkippedObject(null, "", "garbage")));
			case "went back" -> second.bookmark("3");
			default -> second.modified(Thing.of("a", "7b"));
		}
		await().until(() -> second.cancelled || second.sink.currentSubscriberCount() == 0);
		first.added(Thing.of("b", "6"));
		this.fixture.recorder.awaitChanges("+b@6");
		assertThat(first.cancelled).isFalse();
		assertThat(this.fixture.handovers).hasValue(0);
		expectUndisturbed();
	}

	@Test
	void aWatchThatTookOverAndCannotBeComparedIsReopenedAtTheVersionOfTheMirror() throws Exception {
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first);
		opened(second);
		first.added(Thing.of("a", "2")).added(Thing.of("b", "3")).close();
		awaitHandover(1);
		second.added(Thing.of("a", "2")).send(new WatchEvent.Skipped<>("ADDED", new SkippedObject(null, "", "odd")));
		await().until(() -> second.cancelled);
		// the delay begins when the watch has been closed
		await().until(() -> this.fixture.time.waiting().contains(InformerFixture.EXACT.initial()));
		this.fixture.time.advance(InformerFixture.EXACT.initial());
		ScriptedSource.Stream third = this.source.nextWatch();
		assertThat(third.options.resourceVersion()).isEqualTo("3");
		third.added(Thing.of("c", "4"));
		this.fixture.recorder.awaitChanges("+a@2", "+b@3", "+c@4");
		expectUndisturbed();
	}

	@Test
	void watchesDoNotOverlapWhenVersionsHaveNoOrder() throws Exception {
		this.source.answer("v1");
		this.fixture.start(overlapping());
		ScriptedSource.Stream first = this.source.nextWatch().added(Thing.of("a", "v2"));
		this.fixture.awaitVersion("v2");
		this.fixture.time.advance(first.options.timeout());
		first.modified(Thing.of("a", "v0"));
		this.fixture.awaitVersion("v0");
		assertThat(this.source.watches).hasSize(1);
		first.close();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("v0");
		expectUndisturbed();
	}

	static Stream<Arguments> options() {
		return Stream.of(arguments("switched off", InformerFixture.listing().watchOverlap(Duration.ZERO).build()),
				arguments("too short a watch",
						InformerFixture.listing()
							.minWatchTimeout(Duration.ofSeconds(9))
							.watchOverlap(Duration.ofSeconds(5))
							.build()),
				arguments("client-go", InformerFixture.clientGo(overlapping())));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("options")
	void watchesDoNotOverlapWithTheseOptions(String name, ReflectorOptions options) throws Exception {
		ScriptedSource.Stream first = started(options);
		this.fixture.time.advance(first.options.timeout());
		first.added(Thing.of("a", "2"));
		this.fixture.awaitVersion("2");
		assertThat(this.source.watches).hasSize(1);
		first.close();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("2");
		assertThat(this.fixture.handovers).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "pause", "relist", "stop", "error" })
	void pauseRelistStopAndErrorEndBothWatches(String what) throws Exception {
		ScriptedSource.Stream first = started();
		ScriptedSource.Stream second = next(first);
		opened(second);
		switch (what) {
			case "pause" -> this.fixture.informer.pause();
			case "relist" -> this.fixture.informer.relist();
			case "stop" -> this.fixture.stop();
			default -> first.error(410, "Expired");
		}
		await().until(() -> first.cancelled && second.cancelled);
		List<Duration> delays = what.equals("error") ? List.of(Duration.ZERO) : List.of();
		List<Duration> waiting = what.equals("relist") ? List.of(WatchProgress.REMINDER, LoopTimers.PAGE) : delays;
		await().untilAsserted(() -> {
			assertThat(this.fixture.delays).isEqualTo(delays);
			assertThat(this.fixture.time.waiting()).isEqualTo(waiting);
		});
		assertThat(this.source.watches).hasSize(2);
		if (what.equals("pause")) {
			this.fixture.informer.resume();
			ScriptedSource.Stream third = this.source.nextWatch().added(Thing.of("a", "2"));
			this.fixture.awaitMirror("a@2");
			assertThat(third.options.resourceVersion()).isEqualTo("1");
		}
	}

	@Test
	void aHandoverDoesNotChangeTheState() throws Exception {
		ScriptedSource.Stream first = started();
		List<ReflectorState> told = List.of(ReflectorState.STARTING, ReflectorState.LISTING, ReflectorState.WATCHING);
		await().untilAsserted(() -> assertThat(this.fixture.recorder.states).isEqualTo(told));
		ScriptedSource.Stream second = next(first).added(Thing.of("a", "2"));
		awaitHandover(1);
		next(second);
		await().until(() -> this.fixture.informer.status().counts().watches() == 3);
		second.added(Thing.of("b", "3"));
		// changes of the state would have been delivered before these
		this.fixture.recorder.awaitChanges("+a@2", "+b@3");
		assertThat(this.fixture.recorder.states).isEqualTo(told);
	}

}
