package dev.reflector.cache;

import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.reflector.cache.LoopSignal.Closed;
import dev.reflector.cache.LoopSignal.DelayElapsed;
import dev.reflector.cache.LoopSignal.ErrorFrame;
import dev.reflector.cache.LoopSignal.Failed;
import dev.reflector.cache.LoopSignal.Listed;
import dev.reflector.cache.LoopSignal.PauseRequested;
import dev.reflector.cache.LoopSignal.RelistRequested;
import dev.reflector.cache.LoopSignal.ResumeRequested;
import dev.reflector.cache.LoopSignal.Started;
import dev.reflector.cache.LoopSignal.StopRequested;
import dev.reflector.cache.LoopSignal.StreamedToEnd;
import dev.reflector.cache.LoopState.BackingOff;
import dev.reflector.cache.LoopState.Listing;
import dev.reflector.cache.LoopState.Paused;
import dev.reflector.cache.LoopState.Spacing;
import dev.reflector.cache.LoopState.Stopped;
import dev.reflector.cache.LoopState.Streaming;
import dev.reflector.cache.LoopState.Watching;
import dev.reflector.cache.ReflectorOptions.InitialList;
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

	private static final LoopMemory AT_7 = FRESH.at("7").withFullState(false);

	private static final Failure REFUSED = Failure.of(new ConnectException("refused"));

	private static final Failure EXPIRED = failure(410, "Expired");

	private static final Failure GONE = failure(410, "Gone");

	private static final Failure BUSY = failure(429, "TooManyRequests");

	private static final Failure BROKEN = failure(500, "InternalError");

	private static final Failure FORBIDDEN = failure(403, "Forbidden");

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
				arguments(listAny, new Failed(REFUSED, true), FRESH, backOff(listAny), PassEnd.LIST_FAILED),
				arguments(listAny, new Failed(FORBIDDEN, true), FRESH, backOff(listAny), PassEnd.LIST_FAILED),
				arguments(listAny, new Failed(COME_BACK, true), FRESH, new BackingOff(listAny, Duration.ofSeconds(9)),
						PassEnd.LIST_FAILED),
				arguments(listAt7, new Failed(EXPIRED, true), AT_7, new Listing("", 0, true), null),
				arguments(listAt7, new Failed(GONE, true), AT_7, new Listing("", 0, true), null),
				arguments(new Listing("", 0, true), new Failed(EXPIRED, true), AT_7.withVersionUnavailable(),
						backOff(new Listing("", 500, true)), PassEnd.LIST_FAILED),
				arguments(listAny, new Failed(EXPIRED, false), FRESH, new Listing("0", 0, false), null),
				// Gone on a later page is no case for the full list of the pager
				arguments(listAny, new Failed(GONE, false), FRESH, new Listing("", 500, true), null),
				arguments(watching, new Failed(REFUSED, true), AT_7, backOff(watching), null),
				arguments(watching, new Failed(BUSY, true), AT_7, backOff(watching), null),
				arguments(watching, new Failed(COME_BACK, true), AT_7, new BackingOff(watching, Duration.ofSeconds(9)),
						null),
				arguments(watching, new Failed(BROKEN, true), AT_7, backOff(listAt7), PassEnd.WATCH_FAILED),
				arguments(watching, new Failed(UNKNOWN, true), AT_7, backOff(listAt7), PassEnd.WATCH_FAILED),
				// the version is kept
				arguments(watching, new Failed(EXPIRED, true), AT_7, backOff(listAt7), PassEnd.EXPIRED),
				arguments(watching, new ErrorFrame(EXPIRED), AT_7, backOff(listAt7), PassEnd.EXPIRED),
				arguments(watching, new ErrorFrame(BUSY), AT_7, backOff(watching), null),
				arguments(watching, new ErrorFrame(BROKEN), AT_7, backOff(listAt7), PassEnd.WATCH_ERROR),
				arguments(watching, new Closed(false, true), AT_7, watching, null),
				arguments(watching, new Closed(false, false), AT_7, watching, null),
				arguments(watching, new Closed(true, true), AT_7, backOff(listAt7), PassEnd.VERY_SHORT_WATCH),
				arguments(watching, new Closed(true, false), AT_7, new Spacing(watching), null),
				arguments(new Watching(true), new Closed(true, true), AT_7, new Spacing(watching), null),
				arguments(watching, new RelistRequested(), AT_7, listAt7, PassEnd.REQUESTED),
				arguments(backOff(watching), new RelistRequested(), AT_7, listAt7, PassEnd.REQUESTED),
				arguments(listAny, new RelistRequested(), FRESH, listAny, null),
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
				arguments(new Spacing(watching), new DelayElapsed(), AT_7, watching, null),
				// what is listed after a delay follows what is known then
				arguments(backOff(listAny), new DelayElapsed(), AT_7, listAt7, null),
				arguments(streamAny, new StreamedToEnd(), FRESH, new Watching(true), null),
				arguments(streamAt7, new Failed(REFUSED, true), AT_7, backOff(streamAt7), null),
				arguments(streamAt7, new ErrorFrame(BUSY), AT_7, backOff(streamAt7), null),
				arguments(streamAt7, new Failed(EXPIRED, true), AT_7, streamAny, null),
				arguments(streamAny, new Failed(EXPIRED, true), AT_7.withVersionUnavailable(),
						new Listing("", 500, true), null),
				arguments(streamAt7, new Failed(FORBIDDEN, true), AT_7, listAt7, null),
				arguments(streamAt7, new Failed(failure(422, "Invalid"), true), AT_7, listAt7, null),
				arguments(streamAny, new Closed(true, true), FRESH, listAny, null),
				arguments(streamAny, new Closed(false, false), FRESH, backOff(new Streaming("", 1)), null),
				arguments(new Streaming("", 1), new Closed(false, false), FRESH, listAny, null));
	}

	private static BackingOff backOff(LoopState next) {
		return new BackingOff(next, Duration.ZERO);
	}

	@ParameterizedTest
	@MethodSource("table")
	void leadsWhereTheTableSays(LoopState state, LoopSignal signal, LoopMemory memory, LoopState next, PassEnd ended) {
		LoopTransitions.Step step = new LoopTransitions(InitialList.LIST, 0).next(state, signal, memory);
		assertThat(step.next()).isEqualTo(next);
		assertThat(step.ended()).isEqualTo(ended);
	}

	@Test
	void x12_aGivenUpVersionStaysGivenUpUntilAFullStateArrives() {
		LoopTransitions transitions = new LoopTransitions(InitialList.LIST, 0);
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
	void r29_aServerThatPagesListsOfAnyVersionIsAskedForPagesFromThenOn() {
		LoopTransitions transitions = new LoopTransitions(InitialList.LIST, 0);
		LoopTransitions.Step step = transitions.next(new Listing("0", 500, false), new Listed(true), FRESH);
		assertThat(step.memory().paginated()).isTrue();
		step = transitions.next(step.next(), new RelistRequested(), step.memory().at("7"));
		assertThat(step.next()).isEqualTo(new Listing("7", 500, false));
	}

	@Test
	void r21_aConfiguredPageSizeIsAlwaysUsed() {
		LoopTransitions transitions = new LoopTransitions(InitialList.LIST, 4);
		assertThat(transitions.next(new Stopped(), new Started(), AT_7).next()).isEqualTo(new Listing("7", 4, false));
	}

	@Test
	void streamingIsTheDefaultUntilTheServerRefusesIt() {
		LoopTransitions auto = new LoopTransitions(InitialList.AUTO, 0);
		assertThat(auto.next(new Stopped(), new Started(), FRESH).next()).isEqualTo(new Streaming("", 0));
		LoopTransitions.Step refused = auto.next(new Streaming("", 0), new Failed(failure(422, "Invalid"), true),
				FRESH);
		assertThat(refused.memory().streamRefused()).isTrue();
		assertThat(auto.next(new Watching(false), new RelistRequested(), refused.memory().at("7")).next())
			.isEqualTo(new Listing("7", 0, false));
		LoopTransitions always = new LoopTransitions(InitialList.STREAM, 0);
		assertThat(always.next(new Watching(false), new RelistRequested(), refused.memory().at("7")).next())
			.isEqualTo(new Streaming("7", 0));
	}

}
