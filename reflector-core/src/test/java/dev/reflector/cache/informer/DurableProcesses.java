package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotOptions.OnMismatch;
import dev.reflector.fixture.MemorySnapshots;
import org.junit.jupiter.api.AfterEach;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Informers that play processes one after the other, and a store that outlives them.
 */
abstract class DurableProcesses {

	final MemorySnapshots store = new MemorySnapshots();

	private final List<InformerFixture> fixtures = new ArrayList<>();

	String server = "uid:one";

	@AfterEach
	final void close() throws Exception {
		this.store.answer();
		for (InformerFixture fixture : this.fixtures) {
			fixture.recorder.hook = (change) -> {
			};
			fixture.close();
		}
	}

	/** An informer that plays one process. Only the store outlives it. */
	final InformerFixture process() {
		return process("shape", true, OnMismatch.RELIST);
	}

	final InformerFixture process(String shape, boolean resume, OnMismatch onMismatch) {
		InformerFixture fixture = new InformerFixture();
		fixture.snapshot = SnapshotOptions.builder(this.store, ThingCodec.of(shape))
			.resume(resume)
			.onMismatch(onMismatch)
			.commitInterval(Duration.ofMillis(1))
			.build();
		fixture.source.identity = Mono.fromSupplier(() -> this.server);
		this.fixtures.add(fixture);
		return fixture;
	}

	/** After its first commit, it commits no more before it is stopped. */
	final InformerFixture processThatCommitsOnce() {
		InformerFixture fixture = process();
		fixture.snapshot = SnapshotOptions.builder(this.store, ThingCodec.of("shape"))
			.commitInterval(Duration.ofHours(1))
			.build();
		return fixture;
	}

	/** Waits for the store longer than a machine under load may pause. */
	final InformerFixture patientProcess(SnapshotCodec<Thing> codec) {
		InformerFixture fixture = process();
		fixture.snapshot = SnapshotOptions.builder(this.store, codec)
			.commitInterval(Duration.ofMillis(1))
			.announceTimeout(Duration.ofMinutes(1))
			.build();
		return fixture;
	}

	/** A process of an application that has a name. */
	final InformerFixture process(String application) {
		InformerFixture fixture = process();
		fixture.snapshot = SnapshotOptions.builder(this.store, ThingCodec.of("shape"))
			.commitInterval(Duration.ofMillis(1))
			.application(application)
			.build();
		return fixture;
	}

	final ScriptedSource.Stream begin(InformerFixture process, String version, Thing... things) throws Exception {
		process.source.answer(version, things);
		process.start(InformerFixture.listing());
		return process.source.nextWatch();
	}

	/** Advances clocks that stand still, because a commit may have to wait. */
	final void awaitStored(String stored) {
		await().untilAsserted(() -> {
			if (!stored.equals(this.store.stored())) {
				this.fixtures.stream()
					.filter((fixture) -> !fixture.hurried)
					.forEach((fixture) -> fixture.time.advance(Duration.ofMillis(100)));
			}
			assertThat(this.store.stored()).isEqualTo(stored);
		});
	}

	/**
	 * Continues a process from an expired version, so that it lists these things.
	 */
	final void beginExpired(InformerFixture process, String version, Thing... things) throws Exception {
		process.source.failWatch(ScriptedSource.status(410, "Expired"));
		process.source.answer(version, things);
		process.start(InformerFixture.listing());
		process.passDelay(1);
	}

	/** Kills a process whose listener a latch blocks. */
	final void kill(InformerFixture fixture, CountDownLatch listener) throws Exception {
		this.store.failure = new SnapshotException("this process is dead", null);
		listener.countDown();
		kill(fixture);
	}

	/** Stops like a killed process: it stores nothing more. */
	final void kill(InformerFixture fixture) throws Exception {
		this.store.failure = new SnapshotException("this process is dead", null);
		fixture.stop();
		this.store.failure = null;
		this.store.release();
	}

	/** A process that has stored these things, and watches from there. */
	final InformerFixture stored(String version, Thing... things) throws Exception {
		InformerFixture first = process();
		givenStored(first, version, things);
		return first;
	}

	/**
	 * Makes a process store these things.
	 * @return its watch, which follows the stored state
	 */
	final ScriptedSource.Stream givenStored(InformerFixture process, String version, Thing... things) throws Exception {
		ScriptedSource.Stream watch = begin(process, version, things);
		awaitStored(List.of(things) + " {=" + version + "}");
		return watch;
	}

	/** A snapshot of these things, whose writer has stopped. */
	final void givenSnapshot(String version, Thing... things) throws Exception {
		stored(version, things).stop();
		this.store.release();
	}

}
