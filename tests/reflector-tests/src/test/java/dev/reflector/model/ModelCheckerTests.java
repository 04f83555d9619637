package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random histories against the real stack over sockets. At the end of each, the
 * mirror must equal the server and the events must add up to it. No event may be out of
 * order, lost or delivered twice, no request may be made sooner than the back-off allows
 * or sent twice without a reason, and no thread, connection or buffer may be left.
 * <p>
 * {@code -Dreflector.model.seeds=N} runs N histories, {@code -Dreflector.model.first=S}
 * begins with another seed; {@code -Dreflector.model.seed=S} runs one,
 * {@code -Dreflector.model.only=0,3,4} only these of its operations,
 * {@code -Dreflector.model.times=N} that many times.
 */
class ModelCheckerTests {

	private static final Logger logger = LoggerFactory.getLogger(ModelCheckerTests.class);

	private static final int SEEDS = 8;

	private static final int SPREAD = 5;

	/** After so many histories. */
	private static final int LOOK_FOR_LEAKS = 8;

	private static final int TROUBLES_AT_A_TIME = 7;

	/** How many histories may lose a connection before it is reused. */
	private static final int KEPT_AT_MOST = 20;

	private static SystemTimeSource time;

	private static Scheduler decoders;

	/** How often each trouble was played. */
	private static final Map<Trouble.Kind, Integer> played = new EnumMap<>(Trouble.Kind.class);

	private static LeakWatch leaks;

	/** The number of requests before which a delay was due. */
	private static int kept;

	/** How often a request was sent again. */
	private static int repeated;

	/** Leads to the test that has lost a buffer. */
	private static String test = "";

	@BeforeAll
	static void startThreads() {
		time = new SystemTimeSource();
		decoders = Schedulers.newParallel("model-decode", 2, true);
		LoggingSystem logging = LoggingSystem.get(ModelCheckerTests.class.getClassLoader());
		Stream.of("reactor.netty", "dev.reflector.Reflector", "dev.reflector.cache", "dev.reflector.client")
			.forEach((name) -> logging.setLogLevel(name, level()));
		leaks = new LeakWatch();
	}

	private static LogLevel level() {
		return LogLevel.valueOf(System.getProperty("reflector.model.log", "OFF"));
	}

	@AfterAll
	static void endThreads() {
		LoggingSystem logging = LoggingSystem.get(ModelCheckerTests.class.getClassLoader());
		Stream.of("reactor.netty", "dev.reflector.Reflector", "dev.reflector.cache", "dev.reflector.client")
			.forEach((name) -> logging.setLogLevel(name, null));
		try {
			assertThat(leaks.found()).isEmpty();
		}
		finally {
			leaks.close();
			time.close();
			decoders.dispose();
		}
	}

	@BeforeEach
	void startCounting(TestInfo info) {
		played.clear();
		kept = 0;
		repeated = 0;
		test = info.getTestMethod().orElseThrow().getName() + " " + info.getDisplayName();
	}

	/** In the short form, looks only at the end, since each look collects all garbage. */
	@AfterEach
	void lookForLeaks() {
		if (LongForm.times(1, 0) == 1) {
			assertThat(leaks.found()).isEmpty();
		}
	}

	@Test
	void everyHistoryConverges() {
		long from = System.nanoTime();
		Judge judge = new Judge(ModelCheckerTests::play, leaks, 3);
		List<History> histories = histories();
		for (int i = 0; i < histories.size() && judge.takesMore(); i += LOOK_FOR_LEAKS) {
			judge.judge(histories.subList(i, Math.min(i + LOOK_FOR_LEAKS, histories.size())));
		}
		assertThat(judge.failures()).isEmpty();
		if (histories.stream().distinct().limit(SEEDS).count() == SEEDS) {
			assertThat(kept).isPositive();
			// which troubles are played also depends on timing
			assertThat(played).hasSizeGreaterThan(Math.min(Trouble.Kind.values().length / 2, histories.size() / 2));
		}
		logger.info("{} histories in {} ms, {} distances, played {}", histories.size(),
				(System.nanoTime() - from) / 1_000_000, kept, played);
	}

	private static List<History> histories() {
		Long seed = Long.getLong("reflector.model.seed");
		if (seed == null) {
			long first = Long.getLong("reflector.model.first", 1);
			Long seeds = Long.getLong("reflector.model.seeds");
			// few ones are spread over all options that vary with the seed
			return (seeds != null) ? LongStream.range(first, first + seeds).mapToObj(History::of).toList()
					: LongStream.iterate(first, (next) -> next + SPREAD).limit(SEEDS).mapToObj(History::of).toList();
		}
		History history = History.of(seed);
		String only = System.getProperty("reflector.model.only");
		History kept = (only != null) ? history.only(positions(only)) : history;
		return Stream.generate(() -> kept).limit(Integer.getInteger("reflector.model.times", 1)).toList();
	}

	private static List<Integer> positions(String only) {
		return Stream.of(only.split(",")).filter((position) -> !position.isEmpty()).map(Integer::valueOf).toList();
	}

	private static List<String> play(History history) {
		leaks.begins(test + ", " + history.replay());
		try (ModelRun run = new ModelRun(history, time, decoders)) {
			List<String> findings = run.findings();
			if (!findings.isEmpty()) {
				findings.add(run.record());
			}
			run.played().forEach((kind) -> played.merge(kind, 1, Integer::sum));
			kept += run.kept();
			repeated += run.repeated();
			return findings;
		}
	}

	@Test
	void aRestartDoesNotOvertakeRunningDeliveries() {
		List<Operation> operations = List.of(new Operation.Write("red", "w1", 1), new Operation.Start(),
				new Operation.Rest(40), new Operation.Slow(1000), new Operation.Burst("red", 40),
				new Operation.Rest(10), new Operation.Restart(), new Operation.Delete("red", "w1"),
				new Operation.Burst("red", 20));
		for (int i = 0; i < LongForm.times(6, 3); i++) {
			long seed = i * 7 % 18;
			assertThat(play(history(seed, History.of(seed).setup(), operations))).isEmpty();
		}
	}

	@Test
	void aDeletionThatCannotBeReadIsNotLost() {
		for (Trouble.Kind kind : List.of(Trouble.Kind.MISFIT, Trouble.Kind.NO_METADATA)) {
			List<Operation> operations = List.of(new Operation.Write("red", "w1", 1),
					new Operation.Write("red", "w2", 1), new Operation.Start(), new Operation.Converge("at first"),
					new Operation.Fail(Operation.Target.ALL, 1, new Trouble(kind, 1, 0)), new Operation.CloseWatches(),
					new Operation.Rest(40), new Operation.Delete("red", "w1"), new Operation.Rest(20));
			seeds().forEach((seed) -> assertThat(play(history(seed, History.of(seed).setup(), operations))).isEmpty());
		}
		assertThat(played).containsOnlyKeys(Trouble.Kind.MISFIT, Trouble.Kind.NO_METADATA);
	}

	/**
	 * Seeds that cover all options that vary with the seed. One of them has the speed 1.
	 * The three of the short form have it, too.
	 */
	private static LongStream seeds() {
		return LongStream.iterate(LongForm.times(0, 14), (seed) -> seed < LongForm.times(36, 29), (seed) -> seed + 7);
	}

	@Test
	void theDeletionOfAnUnreadableObjectDeletesItsPredecessor() {
		seeds().forEach((seed) -> {
			Setup setup = History.of(seed).setup();
			Operation.Target target = setup.streamsFirst() ? Operation.Target.STREAMS : Operation.Target.LISTS;
			List<Operation> operations = List.of(new Operation.Write("red", "w1", 1), new Operation.Start(),
					new Operation.Converge("at first"), new Operation.Pause(), new Operation.Recreate("red", "w1", 2),
					new Operation.Compact(), new Operation.Fail(target, 1, new Trouble(Trouble.Kind.MISFIT, 1, 0)),
					new Operation.Resume(), new Operation.Rest(80), new Operation.Delete("red", "w1"),
					new Operation.Rest(20));
			assertThat(play(history(seed, setup, operations))).isEmpty();
		});
		assertThat(played).containsOnlyKeys(Trouble.Kind.MISFIT);
	}

	@Test
	void aRetryAfterIsRespected() {
		Trouble trouble = new Trouble(Trouble.Kind.RETRY_AFTER, 0, 503);
		List<Operation> operations = List.of(new Operation.Write("red", "w1", 1), new Operation.Start(),
				new Operation.Rest(20), new Operation.Fail(Operation.Target.ALL, 2, trouble),
				new Operation.CloseWatches(), new Operation.Rest(60));
		seeds().forEach((seed) -> assertThat(play(history(seed, History.of(seed).setup(), operations))).isEmpty());
		assertThat(played).containsOnlyKeys(Trouble.Kind.RETRY_AFTER);
		assertThat(kept).isPositive();
	}

	@Test
	void aRetryAfterDuringAWatchIsRespectedAfterIt() {
		Trouble trouble = new Trouble(Trouble.Kind.RETRY_AFTER, 0, 429);
		List<Operation> operations = new ArrayList<>(
				List.of(new Operation.Write("red", "w1", 1), new Operation.Start(), new Operation.Rest(30)));
		for (int round = 1; round <= 3; round++) {
			operations.addAll(List.of(new Operation.Fail(Operation.Target.WATCHES, 1, trouble),
					new Operation.Played(Trouble.Kind.RETRY_AFTER, round), new Operation.Rest(5),
					new Operation.CloseWatches(), new Operation.Rest(60)));
		}
		// seconds of them take not too long there, and not too little
		List<Setup> setups = LongStream.range(0, 36)
			.mapToObj((seed) -> History.of(seed).setup())
			.filter((setup) -> setup.overlaps() && !setup.clientGo() && setup.speed() == 20)
			.toList();
		assertThat(setups).hasSizeGreaterThan(2);
		setups.forEach((setup) -> assertThat(play(history(0, setup, operations))).isEmpty());
		assertThat(kept).isPositive();
	}

	/**
	 * Repeats until a request is sent again: an idle connection may have been closed, and
	 * then the request has a new one.
	 */
	@ParameterizedTest
	@EnumSource(names = { "LISTS", "WATCHES" })
	void aRequestThatLosesItsKeptConnectionIsSentAgain(Operation.Target target) {
		Operation again = (target == Operation.Target.LISTS) ? new Operation.Relist() : new Operation.CloseWatches();
		List<Operation> operations = List.of(new Operation.Write("red", "w1", 1), new Operation.Start(),
				new Operation.Converge("at first"), again, new Operation.Converge("with a kept connection"),
				new Operation.Fail(target, 1, new Trouble(Trouble.Kind.RESET, 0, 0)), again,
				new Operation.Played(Trouble.Kind.RESET, 1));
		Setup setup = LongStream.range(0, 72)
			.mapToObj((seed) -> History.of(seed).setup())
			.filter((candidate) -> candidate.keepAlive() && !candidate.twoServers() && candidate.speed() == 20
					&& candidate.initialList() == ListSettings.InitialList.LIST)
			.findFirst()
			.orElseThrow();
		for (int i = 0; i < KEPT_AT_MOST && repeated == 0; i++) {
			assertThat(play(history(0, setup, operations))).isEmpty();
		}
		assertThat(repeated).isPositive();
	}

	@ParameterizedTest
	@EnumSource(names = { "LISTS", "STREAMS", "WATCHES" })
	void aRequestWithoutAnAnswerIsGivenUp(Operation.Target target) {
		List<Operation> operations = List.of(new Operation.Start(), new Operation.Played(Trouble.Kind.SILENCE, 1),
				new Operation.Stop(true));
		keepSilent(target, operations, (setup) -> switch (target) {
			case LISTS -> setup.initialList() == ListSettings.InitialList.LIST;
			case STREAMS -> setup.initialList() == ListSettings.InitialList.STREAM;
			// a watch that overlaps the current one
			default -> setup.overlaps() && !setup.clientGo();
		});
	}

	@Test
	void aWatchWithoutAnAnswerIsGivenUp() {
		List<Operation> operations = List.of(new Operation.Start(), new Operation.Played(Trouble.Kind.SILENCE, 1),
				new Operation.Stop(true));
		keepSilent(Operation.Target.WATCHES, operations,
				(setup) -> !setup.overlaps() && setup.initialList() == ListSettings.InitialList.LIST);
	}

	private static void keepSilent(Operation.Target silent, List<Operation> operations, Predicate<Setup> setups) {
		List<Operation> script = new ArrayList<>(operations);
		script.add(0, new Operation.Fail(silent, 1, new Trouble(Trouble.Kind.SILENCE, 0, 0)));
		LongStream.range(0, 72)
			.filter((seed) -> setups.test(History.of(seed).setup()))
			.limit(LongForm.times(2, 1))
			.forEach((seed) -> assertThat(play(history(seed, History.of(seed).setup().patient(), script))).isEmpty());
		assertThat(played).containsOnlyKeys(Trouble.Kind.SILENCE);
	}

	@Test
	void everyTroubleIsPlayed() {
		Map<Boolean, List<Trouble.Kind>> kinds = Stream.of(Trouble.Kind.values())
			.collect(Collectors.partitioningBy(Trouble.Kind::isHarmless));
		kinds.get(false).forEach((kind) -> assertThat(play(troubled(List.of(kind)))).as("%s", kind).isEmpty());
		kinds.get(true).stream().collect(Collectors.groupingBy(Trouble.Kind::target)).values().forEach((harmless) -> {
			for (int i = 0; i < harmless.size(); i += TROUBLES_AT_A_TIME) {
				List<Trouble.Kind> some = harmless.subList(i, Math.min(i + TROUBLES_AT_A_TIME, harmless.size()));
				assertThat(play(troubled(some))).as("%s", some).isEmpty();
			}
		});
		assertThat(played).containsOnlyKeys(Trouble.Kind.values());
	}

	@ParameterizedTest
	@EnumSource(names = { "SLOW", "UNKNOWN_TYPE", "DUPLICATE", "REORDERED", "MISFIT", "NO_METADATA" })
	void aTroubleThatGoesOnIsPlayed(Trouble.Kind kind) {
		Trouble trouble = Trouble.of(kind, new Random(0)).fromEvent(2);
		History history = troubled(List.of(kind));
		List<Operation> operations = history.operations().stream().map((operation) -> {
			return (operation instanceof Operation.Fail fail) ? new Operation.Fail(fail.target(), fail.times(), trouble)
					: operation;
		}).toList();
		assertThat(play(history(history.seed(), history.setup(), operations))).isEmpty();
		assertThat(played).containsOnlyKeys(kind);
	}

	/**
	 * Plays one trouble after the other on requests of the same kind. Each but the first
	 * begins when the mirror has converged.
	 */
	private static History troubled(List<Trouble.Kind> kinds) {
		Trouble.Kind first = kinds.get(0);
		Operation.Target target = first.target();
		Operation again = (target == Operation.Target.LISTS) ? new Operation.Relist() : new Operation.CloseWatches();
		List<Operation> operations = new ArrayList<>(List.of(new Operation.Burst("red", 10), trouble(first),
				new Operation.Start(), new Operation.Rest(20), new Operation.Burst("red", 10)));
		for (Trouble.Kind kind : kinds) {
			if (kind != first) {
				operations.addAll(List.of(new Operation.Converge("before " + kind), trouble(kind), again));
			}
			operations.addAll(
					List.of(new Operation.Played(kind, 1), new Operation.ClearFaults(), new Operation.Burst("red", 5)));
		}
		List<Long> seeds = LongStream.range(0, 72).boxed().filter((seed) -> {
			Setup setup = History.of(seed).setup();
			// each watch is to have events soon
			return setup.speed() > 1 && !setup.overlaps() && !setup.twoServers() && setup.namespaces().size() < 2
					&& (target == Operation.Target.STREAMS) == setup.streamsFirst();
		}).toList();
		long seed = seeds.get(first.ordinal() % seeds.size());
		return history(seed, History.of(seed).setup(), operations);
	}

	/** More than once: on a busy machine an answer may be given up before it comes. */
	private static Operation trouble(Trouble.Kind kind) {
		Operation.Target target = (kind.target() == Operation.Target.ALL) ? Operation.Target.WATCHES : kind.target();
		return new Operation.Fail(target, 3, Trouble.of(kind, new Random(0)).atEvent(kind.playsWhole() ? 0 : 1));
	}

	private static History history(long seed, Setup setup, List<Operation> operations) {
		return new History(seed, setup, List.copyOf(operations),
				IntStream.range(0, operations.size()).boxed().toList());
	}

	@Test
	void aSeedAlwaysGivesTheSameHistory() {
		assertThat(LongStream.range(0, 200))
			.allSatisfy((seed) -> assertThat(History.of(seed)).isEqualTo(History.of(seed)));
	}

	@Test
	void aHistoryIsShrunkToTheOperationsThatMakeItFail() {
		History history = History.of(7);
		List<Operation> guilty = history.operations()
			.stream()
			.filter((operation) -> Collections.frequency(history.operations(), operation) == 1)
			.skip(3)
			.limit(2)
			.toList();
		Shrinker shrinker = new Shrinker((candidate) -> candidate.script().containsAll(guilty), 1,
				Duration.ofSeconds(10));
		assertThat(shrinker.shrink(history).script()).containsExactlyElementsOf(guilty);
	}

	@Test
	void aBufferThatIsLostAgainIsNoticedAgain() {
		assertThat(leaks.found()).isEmpty();
		for (int i = 0; i < 2; i++) {
			leaks.begins("run " + i);
			loseBuffer();
			String run = "of run " + i;
			assertThat(leaks.found()).singleElement().asString().contains(run);
			assertThat(leaks.found()).isEmpty();
		}
	}

	/** Each look for a leak is a collection of all garbage, and it looks often. */
	@Test
	@LongFormOnly
	void aLeakIsReportedForItsOwnShrunkHistoryOnly() {
		Operation guilty = new Operation.Compact();
		Operation wrong = new Operation.Relist();
		History loses = history(1, History.of(1).setup(),
				List.of(new Operation.Start(), guilty, new Operation.Resume()));
		History fails = history(2, History.of(2).setup(), List.of(new Operation.Start(), wrong, new Operation.Pause()));
		Judge judge = new Judge((history) -> {
			leaks.begins(history.replay());
			if (history.script().contains(guilty)) {
				loseBuffer();
			}
			return history.script().contains(wrong) ? List.of("wrong") : List.of();
		}, leaks, 1);
		judge.judge(List.of(loses, fails));
		assertThat(judge.failures()).hasSize(2);
		assertThat(judge.failures().get(0)).contains("\nwrong", "seed=2 -Dreflector.model.only=1\n");
		assertThat(judge.failures().get(1)).contains("it has lost", "seed=1 -Dreflector.model.only=1\n");
	}

	private static void loseBuffer() {
		ByteBufAllocator.DEFAULT.heapBuffer(16).writeByte(1);
	}

}
