package dev.reflector.cache.internal.loop;

import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.internal.loop.LoopSignal.Closed;
import dev.reflector.cache.internal.loop.LoopSignal.DelayElapsed;
import dev.reflector.cache.internal.loop.LoopSignal.ErrorFrame;
import dev.reflector.cache.internal.loop.LoopSignal.Failed;
import dev.reflector.cache.internal.loop.LoopSignal.Listed;
import dev.reflector.cache.internal.loop.LoopSignal.Lost;
import dev.reflector.cache.internal.loop.LoopSignal.OverlapComplete;
import dev.reflector.cache.internal.loop.LoopSignal.OverlapDue;
import dev.reflector.cache.internal.loop.LoopSignal.OverlapFailed;
import dev.reflector.cache.internal.loop.LoopSignal.PauseRequested;
import dev.reflector.cache.internal.loop.LoopSignal.RelistRequested;
import dev.reflector.cache.internal.loop.LoopSignal.Restored;
import dev.reflector.cache.internal.loop.LoopSignal.ResumeRequested;
import dev.reflector.cache.internal.loop.LoopSignal.Started;
import dev.reflector.cache.internal.loop.LoopSignal.StopRequested;
import dev.reflector.cache.internal.loop.LoopSignal.StreamedToEnd;
import dev.reflector.cache.internal.loop.LoopSignal.TypeAppeared;
import dev.reflector.cache.internal.loop.LoopState.AwaitingType;
import dev.reflector.cache.internal.loop.LoopState.BackingOff;
import dev.reflector.cache.internal.loop.LoopState.Listing;
import dev.reflector.cache.internal.loop.LoopState.Overlapping;
import dev.reflector.cache.internal.loop.LoopState.Paused;
import dev.reflector.cache.internal.loop.LoopState.Polling;
import dev.reflector.cache.internal.loop.LoopState.Spacing;
import dev.reflector.cache.internal.loop.LoopState.Stopped;
import dev.reflector.cache.internal.loop.LoopState.Streaming;
import dev.reflector.cache.internal.loop.LoopState.Watching;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.cache.source.WatchNotSupportedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The state table, row by row.
 */
class LoopTransitionsTests {

	private static final LoopMemory FRESH = LoopMemory.EMPTY;

	private static final LoopMemory AT_7 = FRESH.at("7").withListed(false);

	private static final LoopMemory AT_7_DROPPED = AT_7.with(AT_7.watches().andBrief());

	private static final LoopMemory AT_7_DROPPED_TWICE = AT_7.with(AT_7_DROPPED.watches().andBrief());

	private static final LoopMemory AT_7_OUTRUN = AT_7.with(AT_7.watches().andExpired());

	private static final Failure REFUSED = Failure.of(new ConnectException("refused"));

	private static final Failure UNANSWERED = Failure.of(new TimeoutException("no answer"));

	private static final Failure EXPIRED = failure(410, "Expired");

	private static final Failure GONE = failure(410, "Gone");

	private static final Failure BUSY = failure(429, "TooManyRequests");

	private static final Failure BROKEN = failure(500, "InternalError");

	private static final Failure FORBIDDEN = failure(403, "Forbidden");

	private static final Failure NOT_SERVED = Failure.of(new TypeNotServedException("not served"));

	private static final Failure NOT_WATCHED = Failure.of(new WatchNotSupportedException("not watched"));

	private static final Failure UNKNOWN = Failure.of(new IllegalStateException("odd"));

	private static final Failure COME_BACK = Failure
		.of(new ApiException("later", Status.ofHttp(503, ""), Duration.ofSeconds(9)));

	private static Failure failure(int code, String reason) {
		return Failure.of(new Status(code, reason, "", List.of(), 0, true));
	}

	static Stream<Arguments> table() {
		Listing listAny = new Listing("0", 500, false);
		Listing listAt7 = new Listing("7", 0, false);
		Streaming streamAny = new Streaming("", 0);
		Streaming streamAt7 = new Streaming("7", 0);
		Watching watching = new Watching(false);
		return Stream.of(
				// state, signal, memory, next, pass end
				arguments(new Stopped(), new Started(), FRESH, listAny, null),
				arguments(new Stopped(), new Started(), FRESH.at("7"), listAt7, null),
				arguments(listAny, new Listed(false), FRESH, watching, null),
				arguments(listAny, new Failed(REFUSED, true), FRESH, backOff(listAny), RelistReason.LIST_FAILED),
				arguments(listAny, new Failed(FORBIDDEN, true), FRESH, refused(listAny), RelistReason.LIST_FAILED),
				arguments(listAny, new Failed(COME_BACK, true), FRESH, new BackingOff(listAny, Duration.ofSeconds(9)),
						RelistReason.LIST_FAILED),
				arguments(listAt7, new Failed(EXPIRED, true), AT_7, new Listing("", 0, true), null),
				arguments(listAt7, new Failed(GONE, true), AT_7, new Listing("", 0, true), null),
				arguments(new Listing("", 0, true), new Failed(EXPIRED, true), AT_7.withVersionUnavailable(),
						backOff(new Listing("", 500, true)), RelistReason.LIST_FAILED),
				arguments(listAny, new Failed(EXPIRED, false), FRESH, new Listing("0", 0, false), null),
				// on a later page, Gone does not lead to the pager's full list
				arguments(listAny, new Failed(GONE, false), FRESH, new Listing("", 500, true), null),
				arguments(watching, new Failed(REFUSED, true), AT_7, backOff(watching), null),
				arguments(watching, new Failed(BUSY, true), AT_7, backOff(watching), null),
				arguments(watching, new Failed(COME_BACK, true), AT_7, new BackingOff(watching, Duration.ofSeconds(9)),
						null),
				arguments(watching, new Failed(BROKEN, true), AT_7, backOff(listAt7), RelistReason.WATCH_FAILED),
				arguments(watching, new Failed(UNKNOWN, true), AT_7, backOff(listAt7), RelistReason.WATCH_FAILED),
				// the version is kept
				arguments(watching, new Failed(EXPIRED, true), AT_7, backOff(listAt7), RelistReason.EXPIRED),
				arguments(watching, new ErrorFrame(EXPIRED), AT_7, backOff(listAt7), RelistReason.EXPIRED),
				arguments(watching, new ErrorFrame(BUSY), AT_7, backOff(watching), null),
				arguments(watching, new ErrorFrame(BROKEN), AT_7, backOff(listAt7), RelistReason.WATCH_ERROR),
				arguments(watching, new Closed(false, true, false), AT_7, watching, null),
				arguments(watching, new Closed(false, false, false), AT_7, watching, null),
				// E-03: one or two dropped watches cause no list
				arguments(watching, new Closed(true, true, true), AT_7, backOff(watching), null),
				arguments(watching, new Closed(true, true, true), AT_7_DROPPED, backOff(watching), null),
				arguments(watching, new Closed(true, true, true), AT_7_DROPPED_TWICE, backOff(listAt7),
						RelistReason.VERY_SHORT_WATCH),
				// E-07: a watch that ended early is reopened after a random delay, so
				// that not all clients come back together
				arguments(watching, new Closed(false, true, true), AT_7, new Spacing(watching, false), null),
				// E-21: after a refusal, which looks permanent, the delay is long
				arguments(watching, new Failed(FORBIDDEN, true), AT_7, refused(listAt7), RelistReason.WATCH_FAILED),
				// E-16: the history of the server is shorter than the time that a list
				// takes
				arguments(watching, new Failed(EXPIRED, true), AT_7_OUTRUN, backOff(listAt7), RelistReason.EXPIRED),
				// within its time window, an internal error costs no list
				arguments(watching, new ErrorFrame(BROKEN, true), AT_7, backOff(watching), null),
				arguments(watching, new Closed(true, false, false), AT_7, new Spacing(watching, true), null),
				arguments(new Watching(true), new Closed(true, true, false), AT_7, new Spacing(watching, true), null),
				// E-10: after a loss, the loop lists in every state
				arguments(watching, new Lost(BROKEN), AT_7, backOff(listAt7), RelistReason.WATCH_ERROR),
				arguments(backOff(watching), new Lost(BROKEN), AT_7, backOff(listAt7), RelistReason.WATCH_ERROR),
				arguments(new Spacing(watching, true), new Lost(BROKEN), AT_7, backOff(listAt7),
						RelistReason.WATCH_ERROR),
				arguments(new Paused(false), new Lost(BROKEN), AT_7, new Paused(true), null),
				arguments(listAt7, new Lost(BROKEN), AT_7, listAt7, null),
				arguments(streamAt7, new Lost(BROKEN), AT_7, streamAt7, null),
				arguments(backOff(listAt7), new Lost(BROKEN), AT_7, backOff(listAt7), null),
				// E-21: the loop waits for a type that is not served
				arguments(listAny, new Failed(NOT_SERVED, true), FRESH, new AwaitingType(listAny),
						RelistReason.LIST_FAILED),
				arguments(listAny, new Failed(failure(404, "NotFound"), true), FRESH, refused(listAny),
						RelistReason.LIST_FAILED),
				arguments(watching, new Failed(NOT_SERVED, true), AT_7, new AwaitingType(listAt7),
						RelistReason.WATCH_FAILED),
				arguments(streamAt7, new Failed(NOT_SERVED, true), AT_7, new AwaitingType(listAt7),
						RelistReason.LIST_FAILED),
				arguments(new AwaitingType(listAny), new TypeAppeared(), AT_7, new Spacing(listAt7, true), null),
				arguments(new AwaitingType(listAny), new DelayElapsed(), AT_7, listAt7, null),
				arguments(new AwaitingType(listAt7), new Lost(BROKEN), AT_7, new AwaitingType(listAt7), null),
				arguments(new AwaitingType(listAt7), new RelistRequested(), AT_7, listAt7, RelistReason.REQUESTED),
				arguments(new AwaitingType(listAt7), new PauseRequested(), AT_7, new Paused(true), null),
				arguments(new AwaitingType(listAt7), new StopRequested(), AT_7, new Stopped(), null),
				arguments(new Spacing(listAt7, true), new DelayElapsed(), AT_7, listAt7, null),
				arguments(new Spacing(listAt7, true), new PauseRequested(), AT_7, new Paused(true), null),
				arguments(new Spacing(watching, true), new PauseRequested(), AT_7, new Paused(false), null),
				// E-40: a type that cannot be watched is listed again now and then
				arguments(watching, new Failed(NOT_WATCHED, true), AT_7, new Polling(), null),
				arguments(watching, new Failed(NOT_WATCHED, true), AT_7.withWorkingWatch(), listAt7, null),
				arguments(new Polling(), new DelayElapsed(), AT_7, listAt7, null),
				arguments(new Polling(), new RelistRequested(), AT_7, listAt7, RelistReason.REQUESTED),
				arguments(new Polling(), new PauseRequested(), AT_7, new Paused(true), null),
				arguments(new Polling(), new Lost(BROKEN), AT_7, backOff(listAt7), RelistReason.WATCH_ERROR),
				arguments(streamAt7, new Failed(NOT_WATCHED, true), AT_7, listAt7, null),
				arguments(watching, new TypeAppeared(), AT_7, watching, null),
				arguments(watching, new RelistRequested(), AT_7, listAt7, RelistReason.REQUESTED),
				arguments(backOff(watching), new RelistRequested(), AT_7, listAt7, RelistReason.REQUESTED),
				arguments(listAny, new RelistRequested(), FRESH, listAny, null),
				arguments(watching, RelistRequested.ofNewestState(), AT_7, new Listing("", 500, true),
						RelistReason.REQUESTED),
				arguments(listAt7, RelistRequested.ofNewestState(), AT_7, new Listing("", 500, true), null),
				arguments(watching, new PauseRequested(), AT_7, new Paused(false), null),
				arguments(listAt7, new PauseRequested(), AT_7, new Paused(true), null),
				arguments(streamAny, new PauseRequested(), FRESH, new Paused(true), null),
				arguments(backOff(watching), new PauseRequested(), AT_7, new Paused(false), null),
				arguments(backOff(listAt7), new PauseRequested(), AT_7, new Paused(true), null),
				arguments(new Paused(true), new PauseRequested(), AT_7, new Paused(true), null),
				arguments(new Paused(false), new RelistRequested(), AT_7, new Paused(true), null),
				arguments(new Paused(true), new ResumeRequested(), AT_7, listAt7, null),
				arguments(new Paused(false), new ResumeRequested(), AT_7, watching, null),
				arguments(new Paused(false), new ResumeRequested(), FRESH, listAny, null),
				arguments(watching, new ResumeRequested(), AT_7, watching, null),
				arguments(watching, new StopRequested(), AT_7, new Stopped(), null),
				arguments(backOff(watching), new DelayElapsed(), AT_7, watching, null),
				arguments(new Spacing(watching, true), new DelayElapsed(), AT_7, watching, null),
				// a list after a delay asks for the version that is known then
				arguments(backOff(listAny), new DelayElapsed(), AT_7, listAt7, null),
				arguments(streamAny, new StreamedToEnd(), FRESH, new Watching(true), null),
				arguments(streamAt7, new Failed(REFUSED, true), AT_7, backOff(streamAt7), null),
				arguments(streamAt7, new ErrorFrame(BUSY), AT_7, backOff(streamAt7), null),
				// E-01: a stream that is never answered leads to a list, too
				arguments(streamAt7, new Failed(UNANSWERED, true), AT_7, backOff(new Streaming("7", 1)), null),
				arguments(new Streaming("7", 1), new Failed(UNANSWERED, true), AT_7, listAt7, null),
				arguments(streamAt7, new Failed(EXPIRED, true), AT_7, streamAny, null),
				arguments(streamAny, new Failed(EXPIRED, true), AT_7.withVersionUnavailable(),
						new Listing("", 500, true), null),
				arguments(streamAt7, new Failed(FORBIDDEN, true), AT_7, listAt7, null),
				arguments(streamAt7, new Failed(failure(422, "Invalid"), true), AT_7, listAt7, null),
				arguments(streamAny, new Closed(true, true, false), FRESH, listAny, null),
				arguments(streamAny, new Closed(false, false, false), FRESH, backOff(new Streaming("", 1)), null),
				arguments(new Streaming("", 1), new Closed(false, false, false), FRESH, listAny, null));
	}

	/** The next watch is opened before the current watch ends. */
	static Stream<Arguments> overlaps() {
		Listing listAt7 = new Listing("7", 0, false);
		Watching watching = new Watching(false);
		Watching handedOver = new Watching(true);
		Overlapping overlapping = new Overlapping(watching);
		return Stream.of(arguments(watching, new OverlapDue(), AT_7, overlapping, null),
				arguments(handedOver, new OverlapDue(), AT_7, new Overlapping(handedOver), null),
				// W-69: watches do not overlap when versions have no order
				arguments(watching, new OverlapDue(), FRESH, watching, null),
				arguments(watching, new OverlapDue(), FRESH.at("0"), watching, null),
				arguments(watching, new OverlapDue(), FRESH.at("7a"), watching, null),
				arguments(new Streaming("7", 0), new OverlapDue(), AT_7, new Streaming("7", 0), null),
				// the current watch ends, expected or not
				arguments(overlapping, new OverlapComplete(), AT_7, handedOver, null),
				arguments(overlapping, new Closed(false, true, false), AT_7, handedOver, null),
				arguments(overlapping, new Closed(false, true, true), AT_7, handedOver, null),
				// the next watch is tried once, and its failure changes nothing
				arguments(overlapping, new OverlapFailed(), AT_7, watching, null),
				arguments(overlapping, new OverlapDue(), AT_7, overlapping, null),
				arguments(watching, new OverlapFailed(), AT_7, watching, null),
				arguments(watching, new OverlapComplete(), AT_7, watching, null),
				// any other end of the current watch ends both watches
				arguments(overlapping, new Failed(REFUSED, true), AT_7, backOff(watching), null),
				arguments(overlapping, new Failed(BROKEN, true), AT_7, backOff(listAt7), RelistReason.WATCH_FAILED),
				arguments(overlapping, new ErrorFrame(BUSY), AT_7, backOff(watching), null),
				arguments(overlapping, new ErrorFrame(EXPIRED), AT_7, backOff(listAt7), RelistReason.EXPIRED),
				arguments(overlapping, new ErrorFrame(BROKEN), AT_7, backOff(listAt7), RelistReason.WATCH_ERROR),
				arguments(overlapping, new Lost(BROKEN), AT_7, backOff(listAt7), RelistReason.WATCH_ERROR),
				arguments(overlapping, new RelistRequested(), AT_7, listAt7, RelistReason.REQUESTED),
				arguments(overlapping, new PauseRequested(), AT_7, new Paused(false), null),
				arguments(overlapping, new ResumeRequested(), AT_7, overlapping, null),
				arguments(overlapping, new StopRequested(), AT_7, new Stopped(), null),
				// E-34: a watch that has taken over never counts as very short
				arguments(handedOver, new Closed(true, true, true), AT_7, new Spacing(watching, true), null),
				arguments(handedOver, new Failed(REFUSED, true), AT_7, backOff(watching), null));
	}

	@ParameterizedTest
	@MethodSource("overlaps")
	void opensTheNextWatchBeforeThePresentOneEnds(LoopState state, LoopSignal signal, LoopMemory memory, LoopState next,
			RelistReason ended) {
		LoopTransitions.Step step = transitions(InitialList.LIST).next(state, signal, memory);
		assertThat(step.next()).isEqualTo(next);
		assertThat(step.ended()).isEqualTo(ended);
	}

	@Test
	void aStateContinuesTheWatchesOfItsPredecessor() {
		LoopTransitions transitions = transitions(InitialList.LIST);
		Watching watching = new Watching(true);
		LoopState overlapping = transitions.next(watching, new OverlapDue(), AT_7).next();
		assertThat(overlapping.continues(watching)).isTrue();
		LoopState goingOn = transitions.next(overlapping, new OverlapFailed(), AT_7).next();
		assertThat(goingOn).isSameAs(watching).matches((state) -> state.continues(overlapping));
		LoopState takenOver = transitions.next(overlapping, new OverlapComplete(), AT_7_DROPPED).next();
		assertThat(takenOver).isNotSameAs(watching).matches((state) -> state.continues(overlapping));
		assertThat(transitions.next(overlapping, new ErrorFrame(BUSY), AT_7).next().continues(overlapping)).isFalse();
		assertThat(new Watching(false).continues(overlapping)).isFalse();
	}

	/** The known defects of client-go (section 8). */
	static Stream<Arguments> parity() {
		Listing listAny = new Listing("0", 500, false);
		Listing listAt7 = new Listing("7", 0, false);
		Watching watching = new Watching(false);
		Failure unknownHost = Failure.of(new java.net.UnknownHostException("nowhere"));
		return Stream.of(
				// at once, forever
				arguments(new Streaming("", 0), new Closed(false, false, true), FRESH, new Streaming("", 1), null),
				arguments(new Streaming("", 9), new Closed(false, false, true), FRESH, new Streaming("", 10), null),
				arguments(new Streaming("", 0), new Closed(true, true, true), FRESH, listAny, null),
				// a very short watch without an event ends the pass
				arguments(watching, new Closed(true, true, true), AT_7, backOff(listAt7),
						RelistReason.VERY_SHORT_WATCH),
				arguments(new Watching(true), new Closed(true, true, true), AT_7, backOff(listAt7),
						RelistReason.VERY_SHORT_WATCH),
				arguments(watching, new Closed(true, false, true), AT_7, watching, null),
				arguments(watching, new Closed(false, false, true), AT_7, watching, null),
				// only refused connections and 429 leave the pass alone
				arguments(watching, new Failed(REFUSED, true), AT_7, backOff(watching), null),
				arguments(watching, new Failed(BUSY, true), AT_7, backOff(watching), null),
				arguments(watching, new Failed(unknownHost, true), AT_7, backOff(listAt7), RelistReason.WATCH_FAILED),
				arguments(watching, new Failed(FORBIDDEN, true), AT_7, backOff(listAt7), RelistReason.WATCH_FAILED),
				// after a failure of the stream, a list may still work
				arguments(new Streaming("7", 0), new Failed(UNANSWERED, true), AT_7, listAt7, null),
				// in both modes, the loop waits for a type that is not served
				arguments(listAny, new Failed(NOT_SERVED, true), FRESH, new AwaitingType(listAny),
						RelistReason.LIST_FAILED),
				// at once
				arguments(watching, new ErrorFrame(BROKEN, true), AT_7, watching, null),
				arguments(watching, new ErrorFrame(BROKEN, false), AT_7, backOff(listAt7), RelistReason.WATCH_ERROR));
	}

	@ParameterizedTest
	@MethodSource("parity")
	void behavesLikeClientGo(LoopState state, LoopSignal signal, LoopMemory memory, LoopState next,
			RelistReason ended) {
		LoopTransitions.Step step = new LoopTransitions(
				ReflectorOptions.builder().initialList(InitialList.LIST).build(), ReflectorBehaviour.CLIENT_GO)
			.next(state, signal, memory);
		assertThat(step.next()).isEqualTo(next);
		assertThat(step.ended()).isEqualTo(ended);
	}

	private static LoopTransitions transitions(InitialList initialList) {
		return new LoopTransitions(ReflectorOptions.builder().initialList(initialList).build(),
				ReflectorBehaviour.IMPROVED);
	}

	private static BackingOff refused(LoopState next) {
		return new BackingOff(next, Duration.ofSeconds(10));
	}

	private static BackingOff backOff(LoopState next) {
		return new BackingOff(next, Duration.ZERO);
	}

	@ParameterizedTest
	@MethodSource("table")
	void followsTheStateTable(LoopState state, LoopSignal signal, LoopMemory memory, LoopState next,
			RelistReason ended) {
		LoopTransitions.Step step = transitions(InitialList.LIST).next(state, signal, memory);
		assertThat(step.next()).isEqualTo(next);
		assertThat(step.ended()).isEqualTo(ended);
	}

	@Test
	void x12_aDroppedVersionStaysDroppedUntilAFullStateArrives() {
		LoopTransitions transitions = transitions(InitialList.LIST);
		LoopTransitions.Step step = transitions.next(new Listing("7", 0, false), new Failed(EXPIRED, true), AT_7);
		assertThat(step.memory().versionUnavailable()).isTrue();
		step = transitions.next(step.next(), new Failed(BROKEN, true), step.memory());
		assertThat(step.memory().versionUnavailable()).isTrue();
		step = transitions.next(step.next(), new DelayElapsed(), step.memory());
		assertThat(step.next()).isEqualTo(new Listing("", 500, true));
		step = transitions.next(step.next(), new Listed(false), step.memory());
		assertThat(step.memory().versionUnavailable()).isFalse();
	}

	@Test
	void r29_aServerThatPagesListsOfAnyVersionGetsPagedListsFromThenOn() {
		LoopTransitions transitions = transitions(InitialList.LIST);
		LoopTransitions.Step step = transitions.next(new Listing("0", 500, false), new Listed(true), FRESH);
		assertThat(step.memory().paginated()).isTrue();
		step = transitions.next(step.next(), new RelistRequested(), step.memory().at("7"));
		assertThat(step.next()).isEqualTo(new Listing("7", 500, false));
	}

	@Test
	void aRestoredMirrorIsWatchedAndListedWhenItsVersionHasExpired() {
		LoopTransitions transitions = transitions(InitialList.LIST);
		LoopTransitions.Step step = transitions.next(new Stopped(), new Restored(), LoopMemory.restored("7"));
		assertThat(step.next()).isEqualTo(new Watching(false));
		step = transitions.next(step.next(), new ErrorFrame(EXPIRED), step.memory());
		assertThat(step.ended()).isEqualTo(RelistReason.EXPIRED);
		assertThat(transitions.next(step.next(), new DelayElapsed(), step.memory()).next())
			.isEqualTo(new Listing("7", 0, false));
	}

	@Test
	void r21_aConfiguredPageSizeIsAlwaysUsed() {
		LoopTransitions transitions = new LoopTransitions(
				ReflectorOptions.builder().initialList(InitialList.LIST).pageSize(4).build(),
				ReflectorBehaviour.IMPROVED);
		assertThat(transitions.next(new Stopped(), new Started(), AT_7).next()).isEqualTo(new Listing("7", 4, false));
	}

	@Test
	void streamingIsTheDefaultUntilTheServerRefusesIt() {
		LoopTransitions auto = transitions(InitialList.AUTO);
		assertThat(auto.next(new Stopped(), new Started(), FRESH).next()).isEqualTo(new Streaming("", 0));
		LoopTransitions.Step refused = auto.next(new Streaming("", 0), new Failed(failure(422, "Invalid"), true),
				FRESH);
		assertThat(refused.memory().streams().refused()).isTrue();
		assertThat(auto.next(new Watching(false), new RelistRequested(), refused.memory().at("7")).next())
			.isEqualTo(new Listing("7", 0, false));
		LoopTransitions always = transitions(InitialList.STREAM);
		assertThat(always.next(new Watching(false), new RelistRequested(), refused.memory().at("7")).next())
			.isEqualTo(new Streaming("7", 0));
	}

	@Test
	void e01_theListsBetweenIncompleteStreamsDoubleUpTo16() {
		LoopTransitions auto = transitions(InitialList.AUTO);
		LoopMemory memory = FRESH.at("7");
		int[] lists = new int[6];
		for (int series = 0; series < lists.length; series++) {
			LoopTransitions.Step step = auto.next(new Streaming("7", 1), new Closed(false, false, true), memory);
			while (step.next() instanceof Listing) {
				lists[series]++;
				step = auto.next(step.next(), new Listed(false), step.memory());
				step = auto.next(step.next(), new RelistRequested(), step.memory());
			}
			assertThat(step.next()).isEqualTo(new Streaming("7", 0));
			memory = step.memory();
		}
		assertThat(lists).containsExactly(2, 4, 8, 16, 16, 16);
		memory = auto.next(new Streaming("7", 0), new StreamedToEnd(), memory).memory();
		assertThat(memory.streams()).isEqualTo(LoopMemory.Streams.UNTRIED);
	}

	@Test
	void e03_aWatchThatLastsResetsTheCountOfShortWatches() {
		LoopTransitions transitions = transitions(InitialList.LIST);
		LoopTransitions.Step step = transitions.next(new Watching(false), new Closed(false, true, false),
				AT_7_DROPPED_TWICE);
		step = transitions.next(step.next(), new Closed(true, true, true), step.memory());
		assertThat(step.ended()).isNull();
	}

	@Test
	void e16_aPagedListWhoseVersionHasExpiredIsRepeatedWithoutPages() {
		LoopTransitions transitions = new LoopTransitions(
				ReflectorOptions.builder().initialList(InitialList.LIST).pageSize(4).build(),
				ReflectorBehaviour.IMPROVED);
		LoopTransitions.Step step = transitions.next(new Listing("7", 4, false), new Listed(true), AT_7);
		step = transitions.next(step.next(), new ErrorFrame(EXPIRED), step.memory());
		assertThat(step.next()).isEqualTo(backOff(new Listing("7", 0, false)));
		step = transitions.next(new Listing("7", 0, false), new Listed(false), step.memory());
		step = transitions.next(step.next(), new Closed(false, false, false), step.memory());
		step = transitions.next(step.next(), new ErrorFrame(EXPIRED), step.memory());
		assertThat(step.next()).as("paged again once a watch has worked")
			.isEqualTo(backOff(new Listing("7", 4, false)));
	}

	@Test
	void e25_theFirstListIsConsistentWhenAskedFor() {
		LoopTransitions transitions = new LoopTransitions(
				ReflectorOptions.builder().initialList(InitialList.LIST).consistentFirstList(true).build(),
				ReflectorBehaviour.IMPROVED);
		assertThat(transitions.next(new Stopped(), new Started(), FRESH).next()).isEqualTo(new Listing("", 500, false));
	}

}
