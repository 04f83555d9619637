package dev.reflector.integration;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.Rounds;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that is killed at random moments while the server changes. After each
 * restart, all that its listeners have ever heard adds up to what the server holds,
 * deletions included. {@code -Dtests.full=true -Dtests.kills=200} kills 200 times in each
 * store.
 */
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableCrashIntegrationTests extends WidgetServer {

	private static final Duration PATIENCE = Duration.ofSeconds(180);

	/** From one look at a process to the next one: each look takes time of it. */
	private static final Duration LOOK = Duration.ofMillis(100);

	private static final int NAMES = 30;

	/** After so many lives, the server forgets its history. */
	private static final int COMPACTION = 2;

	/** One life in so many is killed while it starts. */
	private static final int KILLED_AT_START = 3;

	private final long seed = System.nanoTime();

	private final Random random = new Random(this.seed);

	private final DurableLedger ledger = new DurableLedger();

	/** Held while something is written, and to have nothing written. */
	private final ReentrantLock writing = new ReentrantLock(true);

	@TempDir
	Path directory;

	/** Remembers the whole history, so that each start can resume. */
	@Override
	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.historyWindow(1_000_000)
			.start();
		this.widgets = this.server.resources("widgets");
	}

	@Test
	void sqlite() throws Exception {
		killAgainAndAgain(this.directory.resolve("mirror.db").toString(),
				Rounds.of(Integer.getInteger("tests.kills", LongForm.times(3, 1))));
	}

	@Test
	@LongFormOnly
	void postgres() throws Exception {
		killAgainAndAgain(PostgresServer.get().newDatabase(), Rounds.of(Integer.getInteger("tests.kills", 2)));
	}

	private void killAgainAndAgain(String place, Rounds kills) throws Exception {
		AtomicBoolean goOn = new AtomicBoolean(true);
		Thread writer = new Thread(() -> write(goOn), "writer");
		writer.start();
		try {
			liveAgainAndAgain(place, kills);
		}
		finally {
			goOn.set(false);
			writer.join();
		}
	}

	private void liveAgainAndAgain(String place, Rounds kills) throws Exception {
		StoredMirror stored = StoredMirror.NOTHING;
		long history = 1;
		int resumes = 0;
		int mayList = 0;
		int life = 0;
		for (boolean last = false; !last; life++) {
			last = !kills.goOn(life);
			String name = "seed " + this.seed + ", life " + life;
			String cursor = Long.toString(stored.cursor());
			boolean mayResume = stored.cursor() >= history;
			if (!mayResume) {
				mayList++;
			}
			int watches = this.server.requests(RecordedRequest::isWatch).size();
			try (DurableProcess process = DurableProcess.start(this.server.url(), place)) {
				boolean inStep = last || life % KILLED_AT_START != KILLED_AT_START - 1;
				if (inStep) {
					awaitInStep(process, watches);
				}
				if (life == 0) {
					await().atMost(PATIENCE)
						.pollInterval(LOOK)
						.until(() -> StoredMirror.read(place, false).cursor() > 0);
				}
				TimeUnit.MILLISECONDS.sleep(this.random.nextInt(inStep ? 400 : 3000));
				process.kill();
				this.ledger.addUp(name, process.events, stored);
				if (inStep && mayResume) {
					resumes++;
					assertThat(this.server.requests(RecordedRequest::isWatch)).as(name)
						.anyMatch((watch) -> cursor.equals(watch.parameter("resourceVersion")));
				}
			}
			stored = StoredMirror.read(place, true);
			check(name, stored);
			if (life % COMPACTION == COMPACTION - 1) {
				this.server.compact();
				history = Long.parseLong(this.widgets.resourceVersion());
			}
		}
		List<RecordedRequest> lists = this.server.requests(DurableCrashIntegrationTests::isForEverything);
		System.out.printf("%s: %d kills, %d resumes, %d lists where %d starts could not resume, %s%n",
				place.replaceAll("[?].*", ""), life, resumes, lists.size(), mayList, this.ledger);
		assertThat(lists).hasSizeLessThanOrEqualTo(mayList);
	}

	/** While nothing is written, all that was ever told adds up to what is there. */
	private void awaitInStep(DurableProcess process, int watches) {
		// it starts while the server changes; that of the process before may still be
		// open
		await().atMost(PATIENCE)
			.pollInterval(LOOK)
			.until(() -> this.server.requests(RecordedRequest::isWatch).size() > watches);
		this.writing.lock();
		try {
			Map<String, String> content = MirrorApplication.contentOf(this.widgets);
			await().atMost(PATIENCE)
				.pollInterval(LOOK)
				.untilAsserted(() -> assertThat(this.ledger.heardWith(new ArrayList<>(process.events)))
					.as(() -> "seed " + this.seed + ": " + process.output())
					.isEqualTo(content));
		}
		finally {
			this.writing.unlock();
		}
	}

	/** Each write that the server has taken is in the ledger then. */
	private void check(String life, StoredMirror stored) {
		this.writing.lock();
		try {
			this.ledger.check(life, stored);
		}
		finally {
			this.writing.unlock();
		}
	}

	private static boolean isForEverything(RecordedRequest request) {
		return WidgetScenario.isListOfObjects(request) || "true".equals(request.parameter("sendInitialEvents"));
	}

	private void write(AtomicBoolean goOn) {
		Random random = new Random(this.seed);
		try {
			while (goOn.get()) {
				this.writing.lockInterruptibly();
				try {
					write("w" + random.nextInt(NAMES), random);
				}
				finally {
					this.writing.unlock();
				}
				TimeUnit.MILLISECONDS.sleep(random.nextInt(100));
			}
		}
		catch (InterruptedException ex) {
			// it ends
		}
	}

	private void write(String name, Random random) {
		String key = "default/" + name;
		if (this.widgets.get("default", name).isPresent() && random.nextInt(3) == 0) {
			this.widgets.delete("default", name);
			this.ledger.wrote(key, this.widgets.resourceVersion(), false);
		}
		else {
			this.ledger
				.wrote(key,
						this.widgets.apply(Map.of("metadata", Map.of("namespace", "default", "name", name), "spec",
								Map.of("size", random.nextInt(1000))))
							.at("/metadata/resourceVersion")
							.asString(),
						true);
		}
	}

}
