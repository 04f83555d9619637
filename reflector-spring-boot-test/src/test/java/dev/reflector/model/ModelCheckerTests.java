package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.reflector.cache.ReflectorOptions;
import dev.reflector.cache.SystemTimeSource;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
 * Random histories against the real stack over sockets: whatever happens, in the end the
 * mirror equals the server, the events add up to it, and on the way nothing was delivered
 * out of order, lost or twice, no server was asked more often than the back-off allows,
 * and nothing is left behind.
 * <p>
 * {@code -Dreflector.model.seeds=N} runs N histories instead of the usual number,
 * {@code -Dreflector.model.first=S} begins with another seed;
 * {@code -Dreflector.model.seed=S} runs one, {@code -Dreflector.model.only=0,3,4} only
 * these of its operations, {@code -Dreflector.model.times=N} that many times.
 */
class ModelCheckerTests {

	private static final Logger logger = LoggerFactory.getLogger(ModelCheckerTests.class);

	private static final int SEEDS = 40;

	private static final int FAILURES_AT_MOST = 3;

	/** After so many histories; when there are any, each of them is run once more. */
	private static final int LOOK_FOR_LEAKS = 8;

	private static final SystemTimeSource time = new SystemTimeSource();

	private static final Scheduler decoders = Schedulers.newParallel("model-decode", 2, true);

	/** How often each trouble has come to what it spoils. */
	private static final Map<Trouble.Kind, Integer> played = new EnumMap<>(Trouble.Kind.class);

	private static LeakWatch leaks;

	/** How many requests had to keep a distance. */
	private static int kept;

	@BeforeAll
	static void silenceWhatIsExpected() {
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
		leaks.close();
		time.close();
		decoders.dispose();
	}

	@BeforeEach
	void startCounting() {
		played.clear();
		kept = 0;
	}

	@AfterEach
	void lookForLeaks() {
		assertThat(leaks.found()).isEmpty();
	}

	@Test
	void everyHistoryConverges() {
		long from = System.nanoTime();
		List<String> failures = new ArrayList<>();
		List<History> histories = histories();
		for (int i = 0; i < histories.size() && failures.size() < FAILURES_AT_MOST; i += LOOK_FOR_LEAKS) {
			List<History> some = histories.subList(i, Math.min(i + LOOK_FOR_LEAKS, histories.size()));
			some.forEach((history) -> judge(history, play(history), failures));
			List<String> lost = leaks.found();
			if (!lost.isEmpty()) {
				int before = failures.size();
				some.forEach((history) -> judge(history, run(history), failures));
				if (failures.size() == before) {
					failures.add("One of " + some + " has lost " + lost);
				}
			}
		}
		assertThat(failures).isEmpty();
		if (histories.size() >= SEEDS) {
			assertThat(kept).isPositive();
			// which of them are, is not for the seeds alone to say
			assertThat(played).hasSizeGreaterThan(Trouble.Kind.values().length / 2);
		}
		logger.info("{} histories in {} ms, {} distances, played {}", histories.size(),
				(System.nanoTime() - from) / 1_000_000, kept, played);
	}

	private static void judge(History history, List<String> findings, List<String> failures) {
		if (!findings.isEmpty() && failures.size() < FAILURES_AT_MOST) {
			failures.add(report(history, findings));
		}
	}

	private static List<History> histories() {
		Long seed = Long.getLong("reflector.model.seed");
		if (seed == null) {
			long first = Long.getLong("reflector.model.first", 1);
			return LongStream.range(first, first + Long.getLong("reflector.model.seeds", SEEDS))
				.mapToObj(History::of)
				.toList();
		}
		History history = History.of(seed);
		String only = System.getProperty("reflector.model.only");
		History kept = (only != null) ? history.only(Stream.of(only.split(",")).map(Integer::valueOf).toList())
				: history;
		return Stream.generate(() -> kept).limit(Integer.getInteger("reflector.model.times", 1)).toList();
	}

	/** Also tells what was lost, which takes a while. */
	private static List<String> run(History history) {
		List<String> findings = play(history);
		leaks.found().forEach((leak) -> findings.add("it has lost " + leak));
		return findings;
	}

	private static List<String> play(History history) {
		try (ModelRun run = new ModelRun(history, time, decoders)) {
			List<String> findings = run.findings();
			if (!findings.isEmpty()) {
				findings.add(run.record());
			}
			run.played().forEach((kind) -> played.merge(kind, 1, Integer::sum));
			kept += run.kept();
			return findings;
		}
	}

	private static String report(History history, List<String> findings) {
		History shortest = new Shrinker((candidate) -> !run(candidate).isEmpty(), 3,
				Duration.ofSeconds(Integer.getInteger("reflector.model.shrink", 20)))
			.shrink(history);
		return "\n" + String.join("\n", findings) + "\nIn short: " + shortest + "\nIn full: " + history.replay() + "\n";
	}

	@Test
	void aRestartDoesNotOvertakeWhatIsStillDelivered() {
		List<Operation> operations = List.of(new Operation.Write("red", "w1", 1), new Operation.Start(),
				new Operation.Rest(40), new Operation.Slow(1000), new Operation.Burst("red", 40),
				new Operation.Rest(10), new Operation.Restart(), new Operation.Delete("red", "w1"),
				new Operation.Burst("red", 20));
		for (long seed = 0; seed < 18; seed++) {
			assertThat(play(history(seed, History.of(seed).setup(), operations))).isEmpty();
		}
	}

	@Test
	void aDeletionThatCannotBeReadIsNotLost() {
		for (Trouble.Kind kind : List.of(Trouble.Kind.MISFIT, Trouble.Kind.NO_METADATA)) {
			List<Operation> operations = List.of(new Operation.Write("red", "w1", 1),
					new Operation.Write("red", "w2", 1), new Operation.Start(), new Operation.Rest(40),
					new Operation.Fail(Operation.Target.ALL, 1, new Trouble(kind, 1, 0)), new Operation.CloseWatches(),
					new Operation.Rest(40), new Operation.Delete("red", "w1"), new Operation.Rest(20));
			for (long seed = 0; seed < 18; seed += 5) {
				assertThat(play(history(seed, History.of(seed).setup(), operations))).isEmpty();
			}
		}
	}

	@Test
	void aServerThatAsksForTimeIsGivenTime() {
		Trouble trouble = new Trouble(Trouble.Kind.RETRY_AFTER, 0, 503);
		List<Operation> operations = List.of(new Operation.Write("red", "w1", 1), new Operation.Start(),
				new Operation.Rest(20), new Operation.Fail(Operation.Target.ALL, 2, trouble),
				new Operation.CloseWatches(), new Operation.Rest(60));
		for (long seed = 0; seed < 18; seed += 5) {
			assertThat(play(history(seed, History.of(seed).setup(), operations))).isEmpty();
		}
	}

	@Test
	void aServerThatAsksForTimeBesideAWatchIsGivenTimeAfterIt() {
		Trouble trouble = new Trouble(Trouble.Kind.RETRY_AFTER, 0, 429);
		List<Operation> operations = new ArrayList<>(
				List.of(new Operation.Write("red", "w1", 1), new Operation.Start(), new Operation.Rest(30)));
		for (int round = 1; round <= 3; round++) {
			operations
				.addAll(List.of(new Operation.Fail(Operation.Target.WATCHES, 1, trouble), new Operation.Played(round),
						new Operation.Rest(5), new Operation.CloseWatches(), new Operation.Rest(60)));
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

	@ParameterizedTest
	@EnumSource(names = { "LISTS", "STREAMS", "WATCHES" })
	void aRequestThatNobodyAnswersIsGivenUp(Operation.Target target) {
		List<Operation> operations = List.of(new Operation.Start(), new Operation.Played(1), new Operation.Stop(true));
		keepSilent(target, operations, (setup) -> switch (target) {
			case LISTS -> setup.initialList() == ReflectorOptions.InitialList.LIST;
			case STREAMS -> setup.initialList() == ReflectorOptions.InitialList.STREAM;
			// beside the present one
			default -> setup.overlaps() && !setup.clientGo();
		});
	}

	@Test
	void aWatchThatNobodyAnswersIsGivenUp() {
		List<Operation> operations = List.of(new Operation.Start(), new Operation.Played(1), new Operation.Stop(true));
		keepSilent(Operation.Target.WATCHES, operations,
				(setup) -> !setup.overlaps() && setup.initialList() == ReflectorOptions.InitialList.LIST);
	}

	private static void keepSilent(Operation.Target silent, List<Operation> operations, Predicate<Setup> setups) {
		List<Operation> script = new ArrayList<>(operations);
		script.add(0, new Operation.Fail(silent, 1, new Trouble(Trouble.Kind.SILENCE, 0, 0)));
		LongStream.range(0, 72)
			.filter((seed) -> setups.test(History.of(seed).setup()))
			.limit(3)
			.forEach((seed) -> assertThat(play(history(seed, History.of(seed).setup().patient(), script))).isEmpty());
		assertThat(played).containsOnlyKeys(Trouble.Kind.SILENCE);
	}

	@Test
	void everyTroubleIsPlayed() {
		for (Trouble.Kind kind : Trouble.Kind.values()) {
			assertThat(play(troubled(kind))).as("%s", kind).isEmpty();
		}
		assertThat(played).containsOnlyKeys(Trouble.Kind.values());
	}

	private static History troubled(Trouble.Kind kind) {
		boolean stream = kind.ofEndMarkers();
		Trouble trouble = Trouble.of(kind, new Random(0)).atEvent(kind.playsWhole() ? 0 : 1);
		Operation.Target target = stream ? Operation.Target.STREAMS : Operation.Target.WATCHES;
		List<Operation> operations = List.of(new Operation.Burst("red", 10), new Operation.Fail(target, 1, trouble),
				new Operation.Start(), new Operation.Rest(20), new Operation.Burst("red", 10), new Operation.Played(1),
				new Operation.Burst("red", 5));
		List<Long> seeds = LongStream.range(0, 72).boxed().filter((seed) -> {
			Setup setup = History.of(seed).setup();
			// each watch is to have events soon
			return setup.speed() > 1 && !setup.overlaps() && !setup.twoServers() && setup.namespaces().size() < 2
					&& stream == setup.streamsFirst();
		}).toList();
		long seed = seeds.get(kind.ordinal() % seeds.size());
		return history(seed, History.of(seed).setup(), operations);
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
	void aHistoryIsShrunkToWhatMakesItFail() {
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
	void aLostBufferIsNoticed() {
		assertThat(leaks.found()).isEmpty();
		loseBuffer();
		assertThat(leaks.found()).isNotEmpty();
		assertThat(leaks.found()).isEmpty();
	}

	private static void loseBuffer() {
		ByteBufAllocator.DEFAULT.heapBuffer(16).writeByte(1);
	}

}
