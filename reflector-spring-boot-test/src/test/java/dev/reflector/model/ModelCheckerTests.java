package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.reflector.cache.SystemTimeSource;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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

	private static final SystemTimeSource time = new SystemTimeSource();

	private static final Scheduler decoders = Schedulers.newParallel("model-decode", 2, true);

	@BeforeAll
	static void silenceWhatIsExpected() {
		LoggingSystem logging = LoggingSystem.get(ModelCheckerTests.class.getClassLoader());
		Stream.of("reactor.netty", "dev.reflector.Reflector", "dev.reflector.cache", "dev.reflector.client")
			.forEach((name) -> logging.setLogLevel(name, level()));
	}

	private static LogLevel level() {
		return LogLevel.valueOf(System.getProperty("reflector.model.log", "OFF"));
	}

	@AfterAll
	static void endThreads() {
		LoggingSystem logging = LoggingSystem.get(ModelCheckerTests.class.getClassLoader());
		Stream.of("reactor.netty", "dev.reflector.Reflector", "dev.reflector.cache", "dev.reflector.client")
			.forEach((name) -> logging.setLogLevel(name, null));
		time.close();
		decoders.dispose();
	}

	@Test
	void everyHistoryConverges() throws Exception {
		long from = System.nanoTime();
		List<String> failures = new ArrayList<>();
		List<History> histories = histories();
		try (LeakWatch leaks = new LeakWatch()) {
			leaks.forget();
			for (History history : histories) {
				List<String> findings = run(history);
				if (!findings.isEmpty()) {
					failures.add(report(history, findings));
				}
				if (failures.size() == FAILURES_AT_MOST) {
					break;
				}
			}
			assertThat(failures).isEmpty();
			assertThat(leaks.reports()).isEmpty();
		}
		logger.info("{} histories in {} ms", histories.size(), (System.nanoTime() - from) / 1_000_000);
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

	private static List<String> run(History history) {
		try (ModelRun run = new ModelRun(history, time, decoders)) {
			List<String> findings = run.findings();
			if (!findings.isEmpty()) {
				findings.add(run.record());
			}
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
			History history = new History(seed, History.of(seed).setup(), operations,
					IntStream.range(0, operations.size()).boxed().toList());
			assertThat(run(history)).isEmpty();
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
				History history = new History(seed, History.of(seed).setup(), operations,
						IntStream.range(0, operations.size()).boxed().toList());
				assertThat(run(history)).isEmpty();
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
			History history = new History(seed, History.of(seed).setup(), operations,
					IntStream.range(0, operations.size()).boxed().toList());
			assertThat(run(history)).isEmpty();
		}
	}

	@Test
	void aSeedAlwaysGivesTheSameHistory() {
		assertThat(LongStream.range(0, 200))
			.allSatisfy((seed) -> assertThat(History.of(seed)).isEqualTo(History.of(seed)));
	}

	@Test
	void everyTroubleIsPlayedByTheUsualSeeds() {
		assertThat(LongStream.rangeClosed(1, SEEDS).mapToObj(History::of)).flatMap(History::operations)
			.filteredOn(Operation.Fail.class::isInstance)
			.extracting((operation) -> ((Operation.Fail) operation).trouble().kind())
			.contains(Trouble.Kind.values());
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
	@SuppressWarnings("ResultOfMethodCallIgnored")
	void aLostBufferIsNoticed() throws Exception {
		try (LeakWatch leaks = new LeakWatch()) {
			loseBuffer();
			assertThat(leaks.reports()).isNotEmpty();
		}
	}

	private static void loseBuffer() {
		ByteBufAllocator.DEFAULT.heapBuffer(16).writeByte(1);
	}

}
