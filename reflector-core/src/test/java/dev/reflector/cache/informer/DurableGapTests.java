package dev.reflector.cache.informer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.snapshot.SnapshotException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a store that is put back to an earlier state under a running process, and what is
 * stored after a store has failed.
 */
class DurableGapTests extends DurableProcesses {

	private ScriptedSource.Stream started(InformerFixture process, String version, Thing... things) throws Exception {
		ScriptedSource.Stream watch = begin(process, version, things);
		awaitStored(List.of(things) + " {=" + version + "}");
		return watch;
	}

	@Test
	void lostAdditionsUpdatesAndDeletionsAreStoredAgain() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = started(first, "5", Thing.of("a", "3"), Thing.of("b", "4"), Thing.of("c", "5"));
		Runnable restore = this.store.dump();
		watch.added(Thing.of("lost", "6")).modified(Thing.of("a", "7")).deleted(Thing.of("b", "8"));
		awaitStored("[a@7, c@5, lost@6] {=8}");
		restore.run();
		assertThat(this.store.stored()).isEqualTo("[a@3, b@4, c@5] {=5}");
		watch.added(Thing.of("d", "9"));
		awaitStored("[a@7, c@5, d@9, lost@6] {=9}");
		kill(first);
		// the server no longer has the history
		InformerFixture second = process();
		beginExpired(second, "12", Thing.of("a", "7"), Thing.of("c", "5"), Thing.of("d", "9"));
		second.recorder.awaitChanges("-lost@6 unseen");
	}

	/**
	 * Like a database that fails over: it cannot be reached, and returns without the last
	 * commits.
	 */
	@Test
	void aStoreThatIsPutBackWhileItFailsIsToldSo() throws Exception {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger("dev.reflector.Reflector");
		log.start();
		logger.addAppender(log);
		try {
			InformerFixture first = process();
			ScriptedSource.Stream watch = started(first, "5", Thing.of("a", "3"));
			Runnable restore = this.store.dump();
			watch.added(Thing.of("lost", "6"));
			awaitStored("[a@3, lost@6] {=6}");
			failOnce(first, watch, Thing.of("b", "7"), restore);
			awaitStored("[a@3, b@7, lost@6] {=7}");
			assertThat(gaps(log)).hasSize(1)
				.allSatisfy((line) -> assertThat(line).contains("is not the one that this process stored last"));
			failOnce(first, watch, Thing.of("c", "8"), () -> {
			});
			awaitStored("[a@3, b@7, c@8, lost@6] {=8}");
			assertThat(gaps(log)).hasSize(1);
		}
		finally {
			logger.detachAppender(log);
		}
	}

	private void failOnce(InformerFixture process, ScriptedSource.Stream watch, Thing added, Runnable meanwhile) {
		int before = process.failedCommits.get();
		this.store.failure = new SnapshotException("no connection", null);
		watch.added(added);
		await().until(() -> process.failedCommits.get() > before);
		meanwhile.run();
		this.store.failure = null;
	}

	private static List<String> gaps(ListAppender<ILoggingEvent> log) {
		return List.copyOf(log.list)
			.stream()
			.map(ILoggingEvent::getFormattedMessage)
			.filter((line) -> line.contains("Everything that differs is written again"))
			.toList();
	}

	@Test
	void aLostAnnouncementIsStoredAgain() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = started(first, "5", Thing.of("a", "3"));
		Runnable restore = this.store.dump();
		CompletableFuture<Void> work = new CompletableFuture<>();
		first.recorder.work = work;
		watch.added(Thing.of("slow", "6"));
		awaitStored("[a@3, slow@6?] {=5}");
		restore.run();
		watch.added(Thing.of("d", "7"));
		await().until(() -> first.failedCommits.get() > 0);
		first.recorder.work = CompletableFuture.completedFuture(null);
		work.complete(null);
		awaitStored("[a@3, d@7, slow@6] {=7}");
	}

	/**
	 * Only the namespace with a change has a commit, which finds that the store was
	 * restored.
	 */
	@Test
	void eachNamespaceIsStoredAgain() throws Exception {
		InformerFixture first = process();
		first.source.answerInNamespace("5", "a").answerInNamespace("5", "a");
		first.start(InformerFixture.listing().build(), "one", "two");
		Map<String, ScriptedSource.Stream> watches = new HashMap<>();
		for (ScriptedSource.Stream watch : List.of(first.source.nextWatch(), first.source.nextWatch())) {
			watches.put(watch.options.namespace(), watch);
		}
		awaitStored("[a@5, a@5] {one=5, two=5}");
		Runnable restore = this.store.dump();
		watches.get("one").modified(Thing.of("one", "a", "6", ""));
		watches.get("two").modified(Thing.of("two", "a", "7", ""));
		awaitStored("[a@6, a@7] {one=6, two=7}");
		restore.run();
		watches.get("one").modified(Thing.of("one", "a", "8", ""));
		awaitStored("[a@8, a@7] {one=8, two=7}");
	}

	@Test
	void aStoreThatIsEmptiedIsFilledAgain() throws Exception {
		Runnable empty = this.store.dump();
		ScriptedSource.Stream watch = started(process(), "5", Thing.of("a", "3"));
		empty.run();
		watch.added(Thing.of("b", "6"));
		awaitStored("[a@3, b@6] {=6}");
	}

	@Test
	void anAnnouncementAfterAFailureKeepsTheCursors() throws Exception {
		InformerFixture first = process();
		ScriptedSource.Stream watch = started(first, "5", Thing.of("a", "3"));
		this.store.failure = new SnapshotException("the disk is full", null);
		watch.modified(Thing.of("a", "6"));
		await().until(() -> first.failedCommits.get() > 0);
		CompletableFuture<Void> work = new CompletableFuture<>();
		first.recorder.work = work;
		watch.added(Thing.of("slow", "7"));
		first.recorder.awaitChanges("+a@3 initial", "~a@3>a@6", "+slow@7");
		int loads = this.store.loads.get();
		this.store.failure = null;
		// the stored state has been loaded again, and nothing can be committed yet
		await().until(() -> this.store.loads.get() > loads && isStoreIdle());
		watch.added(Thing.of("d", "8"));
		awaitStored("[a@3, d@8?] {=5}");
		// the end of the process
		this.store.failure = new SnapshotException("this process is dead", null);
		work.complete(null);
		kill(first);
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		assertThat(second.source.lists).isEmpty();
	}

	/** Whether the thread that calls the store waits for its next call. */
	private static boolean isStoreIdle() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("reflector-things-snapshot-io"))
			.allMatch((thread) -> thread.getState() == Thread.State.TIMED_WAITING);
	}

}
