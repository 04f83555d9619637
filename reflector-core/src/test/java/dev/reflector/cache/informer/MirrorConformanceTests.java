package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.TransformingSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The test cases of client-go for the path from the queue to the mirror and to handlers.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class MirrorConformanceTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	/** Version and objects of the mirror at each call of the handler. */
	private final List<String> seen = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	private String mirrorVersion() {
		return ((Indexer<Thing>) this.fixture.informer.lister()).resourceVersion();
	}

	private void noteWhatIsMirrored() {
		this.fixture.recorder.hook = (change) -> this.seen.add(mirrorVersion() + " " + this.fixture.mirror());
	}

	@ParameterizedTest
	@EnumSource
	void c176_c177_theMirrorFollowsThreeWritersAndNoThreadIsLeft(Ordering ordering) throws Exception {
		TestInformer things = TestInformer.with(TestInformer.options(ordering, 20));
		assertThat(things.informer.hasSynced()).isFalse();
		Recorder recorder = new Recorder();
		things.informer.addEventHandler(recorder);
		Server server = new Server(things.startWith("1"));
		await().until(things.informer::hasSynced);
		List<CompletableFuture<Void>> writers = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Random random = new Random(i);
			writers.add(CompletableFuture.runAsync(() -> {
				for (int k = 0; k < 100; k++) {
					server.change(random);
					if (k % 20 == 0) {
						things.informer.resync();
					}
				}
			}));
		}
		CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
		await().untilAsserted(() -> assertThat(things.mirror()).isEqualTo(server.objects()));
		things.stop();
		assertThat(recorder.folded()).isEqualTo(things.mirror());
		await().until(() -> ((ThreadPoolExecutor) things.threads).getActiveCount() == 0);
		things.close();
	}

	@ParameterizedTest
	@EnumSource
	void c178_onlyTransitionsThatTheServerMadeAreSeenAndEveryDeletionArrives(Ordering ordering) throws Exception {
		this.source.answer("3", Thing.of("default", "a", "1", "FROM"), Thing.of("default", "b", "2", "FROM"),
				Thing.of("default", "c", "3", "FROM"));
		CompletableFuture<Server> server = new CompletableFuture<>();
		List<String> transitions = new CopyOnWriteArrayList<>();
		this.fixture.recorder.hook = (change) -> {
			if (change.type() == Change.Type.UPDATED) {
				transitions.add(change.previous().payload() + ">" + change.object().payload());
			}
			if (change.type() != Change.Type.DELETED && change.object().payload().equals("TO")) {
				server.join().delete(change.object().name());
			}
		};
		this.fixture.start(InformerFixture.listing().ordering(ordering));
		Server started = new Server(this.source.nextWatch());
		List.of("a", "b", "c").forEach((name) -> started.names.add(name + "@listed"));
		server.complete(started);
		for (String payload : List.of("FROM", "TO", "TO")) {
			List.of("a", "b", "c").forEach((name) -> started.modify(name, payload));
		}
		await().until(() -> this.fixture.recorder.changes.stream().filter((note) -> note.startsWith("-")).count() == 3);
		assertThat(transitions).contains("FROM>TO").isSubsetOf("FROM>FROM", "FROM>TO", "TO>TO");
		this.fixture.awaitMirror();
	}

	private static Thing marked(Thing thing) {
		return Thing.of(thing.metadata().namespace(), thing.name(), thing.version(), thing.payload() + " as read");
	}

	/** While one write is blocked, later changes wait, and are then written together. */
	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void c280_theVersionIsThatOfTheLastOfSeveralChangesWrittenTogether() throws Exception {
		CountDownLatch gate = new CountDownLatch(1);
		this.source.answer("1");
		this.fixture.start(InformerFixture.clientGo(InformerFixture.listing().ordering(Ordering.ARRIVAL)));
		ScriptedSource.Stream watch = this.source.nextWatch();
		await().until(this.fixture.informer::hasSynced);
		this.fixture.informer.addIndexers(Map.of("gate", (thing) -> {
			if (thing.name().equals("gate")) {
				waitFor(gate);
			}
			return List.of();
		}));
		try {
			watch.added(Thing.of("gate", "2"));
			watch.added(Thing.of("a", "40")).added(Thing.of("b", "50")).added(Thing.of("c", "30"));
			await().until(() -> this.fixture.informer.lastSyncResourceVersion().equals("30"));
			assertThat(mirrorVersion()).isEqualTo("1");
		}
		finally {
			gate.countDown();
		}
		this.fixture.awaitMirror("a@40", "b@50", "c@30", "gate@2");
		assertThat(mirrorVersion()).isEqualTo("30");
		watch.modified(Thing.of("a", "60")).modified(Thing.of("b", "20")).modified(Thing.of("c", "55"));
		this.fixture.awaitMirror("a@60", "b@20", "c@55", "gate@2");
		assertThat(mirrorVersion()).isEqualTo("55");
	}

	private static void waitFor(CountDownLatch gate) {
		try {
			gate.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@ParameterizedTest
	@EnumSource
	void c180_theMirrorAndHandlersGetTransformedObjects(Ordering ordering) throws Exception {
		TransformingSource transforming = new TransformingSource(this.source, MirrorConformanceTests::marked);
		this.fixture.listerWatcher = transforming;
		List<Thing> told = new CopyOnWriteArrayList<>();
		this.fixture.recorder.hook = (change) -> {
			told.add(change.object());
			if (change.previous() != null) {
				told.add(change.previous());
			}
		};
		this.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing().ordering(ordering));
		ScriptedSource.Stream watch = this.source.nextWatch().added(Thing.of("b", "2")).added(Thing.of("c", "3"));
		this.fixture.awaitMirror("a@1", "b@2", "c@3");
		watch.modified(Thing.of("b", "4")).deleted(Thing.of("a", "5"));
		this.fixture.recorder.awaitChanges("+a@1 initial", "+b@2", "+c@3", "~b@2>b@4", "-a@5");
		assertThat(told).hasSize(7).allMatch((thing) -> thing.payload().equals(" as read"));
		assertThat(this.fixture.informer.lister().list()).hasSize(2)
			.allMatch((thing) -> thing.payload().equals(" as read"));
		assertThat(transforming.transformed.values()).extracting(AtomicInteger::get).containsOnly(1);
	}

	@Test
	void c181_resyncsDoNotTransformAgainAndReadersSeeTheSameInstances() throws Exception {
		TransformingSource transforming = new TransformingSource(this.source, MirrorConformanceTests::marked);
		this.fixture.listerWatcher = transforming;
		this.source.answer("1", InformerFixture.things(5, "1"));
		this.fixture.start(InformerFixture.listing());
		await().until(this.fixture.informer::hasSynced);
		List<Thing> mirrored = this.fixture.informer.lister().list();
		AtomicInteger wrong = new AtomicInteger();
		CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
			while (this.fixture.recorder.changes.size() < 5 + 50 * 5) {
				boolean right = this.fixture.informer.lister()
					.list()
					.stream()
					.allMatch((thing) -> mirrored.stream().anyMatch((first) -> first == thing));
				wrong.addAndGet(right ? 0 : 1);
			}
		});
		for (int i = 1; i <= 50; i++) {
			int resyncs = i;
			this.fixture.informer.resync();
			await().pollInterval(Duration.ofMillis(1))
				.until(() -> this.fixture.recorder.changes.size() == 5 + resyncs * 5);
		}
		reading.get(30, TimeUnit.SECONDS);
		assertThat(wrong).hasValue(0);
		assertThat(transforming.transformed).hasSize(5)
			.allSatisfy((thing, times) -> assertThat(times).as(thing).hasValue(1));
	}

	@Test
	void c182_c183_c184_everyKindOfDeletionHasAKeyAndAnObject() throws Exception {
		List<Change<Thing>> deletions = new CopyOnWriteArrayList<>();
		this.fixture.recorder.hook = (change) -> {
			if (change.type() == Change.Type.DELETED) {
				deletions.add(change);
			}
		};
		this.source.answer("1", InformerFixture.things(4, "1"));
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch().deleted(Thing.of("t0", "2"));
		watch.send(new WatchEvent.Skipped<>("DELETED",
				new SkippedObject(ResourceKey.of("default", "t1"), "3", "has no readable content")));
		watch.deleted(Thing.of("unknown", "4"));
		watch.send(new WatchEvent.Skipped<>("DELETED",
				new SkippedObject(ResourceKey.of("default", "unknown"), "4", "has no readable content")));
		watch.send(new WatchEvent.Skipped<>("DELETED", new SkippedObject(null, "", "has nothing readable at all")));
		this.source.answer("5", Thing.of("t3", "1"));
		this.fixture.passDelay(1);
		await().until(() -> deletions.size() == 3);
		assertThat(deletions).extracting((change) -> change.key().toString())
			.containsExactly("default/t0", "default/t1", "default/t2");
		assertThat(deletions).extracting((change) -> change.object().toString())
			.containsExactly("t0@2", "t1@1", "t2@1");
		assertThat(deletions).extracting(Change::finalStateUnknown).containsExactly(false, true, true);
		assertThat(deletions).extracting((change) -> change.previous().toString())
			.containsExactly("t0@1", "t1@1", "t2@1");
	}

	/** Makes the mirror fail to store some objects. */
	private void failAtBadOnes() {
		this.fixture.onVersionRead((object) -> {
			if (object.payload().equals("bad") && MirrorWrites.isWriting()) {
				throw new IllegalStateException("cannot be stored");
			}
		});
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static boolean isWriterHeldUp() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.anyMatch((thread) -> thread.getKey().getName().equals("reflector-things-store")
					&& Arrays.stream(thread.getValue())
						.anyMatch((frame) -> frame.getClassName().equals(Handlers.class.getName())));
	}

	/** Makes the objects reach the mirror in one batch. */
	private void batch(Compatibility compatibility, String... payloads) throws Exception {
		failAtBadOnes();
		CountDownLatch reached = new CountDownLatch(1);
		CountDownLatch gate = new CountDownLatch(1);
		this.source.answer("2", Thing.of("gate", "2"));
		this.fixture.start(InformerFixture.listing().compatibility(compatibility));
		ScriptedSource.Stream watch = this.source.nextWatch();
		this.fixture.recorder.awaitChanges("+gate@2 initial");
		// the writer also takes the lock of the handlers to sync them
		await().until(() -> !this.fixture.recorder.synced.isEmpty());
		// while an index is made, nothing is written
		Thread indexing = new Thread(() -> this.fixture.informer.addIndexers(Map.of("gate", (thing) -> {
			reached.countDown();
			awaitUninterruptibly(gate);
			return List.of();
		})));
		indexing.start();
		assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
		watch.deleted(Thing.of("other", "2"));
		// otherwise it would be in the same batch
		await().until(MirrorConformanceTests::isWriterHeldUp);
		for (int i = 0; i < payloads.length; i++) {
			watch.added(Thing.of("default", "t" + i, "" + (i + 3), payloads[i]));
		}
		await().until(() -> this.fixture.informer.status().queueDepth() == 1 + payloads.length);
		gate.countDown();
		indexing.join();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ok | +t0@3 | 0", "bad | '' | 1", "ok bad | +t0@3 | 1",
			"ok bad ok | +t0@3 +t2@5 | 1", "bad ok bad ok | +t1@4 +t3@6 | 2" })
	void c185_c186_c187_c188_onlyTheChangesThatCannotBeStoredAreMissingFromABatch(String payloads, String told,
			int failures, CapturedOutput output) throws Exception {
		batch(Compatibility.CLIENT_GO, payloads.split(" "));
		List<String> expected = new ArrayList<>(List.of("+gate@2 initial"));
		expected.addAll(List.of(told.split(" ")));
		expected.remove("");
		await().until(() -> this.fixture.informer.status().queueDepth() == 0);
		this.fixture.recorder.awaitChanges(expected.toArray(String[]::new));
		assertThat(this.fixture.informer.status().counts().errors()).isEqualTo(failures);
		assertThat(this.fixture.ends).isEmpty();
		// all messages have been logged when the stop has completed
		this.fixture.stop();
		String message = failures + " of " + payloads.split(" ").length + " changes could not be applied";
		assertThat(output.getOut().contains(message)).isEqualTo(failures > 0);
	}

	@Test
	void c188_aChangeThatCouldNotBeStoredIsBroughtBackByAList() throws Exception {
		batch(Compatibility.NONE, "ok", "bad", "ok");
		this.fixture.recorder.awaitChanges("+gate@2 initial", "+t0@3", "+t2@5");
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.WATCH_ERROR)));
		this.source.answer("6", Thing.of("gate", "2"), Thing.of("t0", "3"), Thing.of("t1", "4"), Thing.of("t2", "5"));
		this.fixture.passDelay(1);
		this.fixture.recorder.awaitChanges("+gate@2 initial", "+t0@3", "+t2@5", "+t1@4");
	}

	@ParameterizedTest
	@EnumSource
	void c189_theFirstListIsInTheMirrorBeforeItIsDelivered(Ordering ordering) throws Exception {
		noteWhatIsMirrored();
		this.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing().ordering(ordering));
		this.fixture.recorder.awaitChanges("+a@1 initial");
		assertThat(this.seen).containsExactly("1 [a@1]");
	}

	private void relist(Ordering ordering, Thing[] before, String version, Thing... after) throws Exception {
		this.source.answer("3", before);
		this.fixture.start(InformerFixture.listing().ordering(ordering));
		ScriptedSource.Stream watch = this.source.nextWatch();
		await().until(() -> this.fixture.recorder.changes.size() == before.length);
		noteWhatIsMirrored();
		watch.error(410, "Expired");
		this.source.answer(version, after);
		this.fixture.passDelay(1);
	}

	@ParameterizedTest
	@EnumSource
	void c190_objectsMissingInAListAreRemovedBeforeTheirDeletionIsDelivered(Ordering ordering) throws Exception {
		relist(ordering, new Thing[] { Thing.of("a", "1"), Thing.of("c", "2") }, "4");
		await().until(() -> this.fixture.recorder.changes.size() == 4);
		assertThat(this.fixture.recorder.changes.subList(2, 4)).containsExactlyInAnyOrder("-a@1 unseen", "-c@2 unseen");
		if (ordering == Ordering.ARRIVAL) {
			assertThat(this.seen).containsExactly("4 []", "4 []");
		}
		else {
			String first = this.fixture.recorder.changes.get(2).substring(1, 4);
			assertThat(this.seen.get(0)).doesNotContain(first);
			assertThat(this.seen.get(1)).endsWith("[]");
		}
	}

	@Test
	void c191_duringEveryCallTheMirrorIsTheWholeNewList() throws Exception {
		relist(Ordering.ARRIVAL, new Thing[] { Thing.of("a", "1"), Thing.of("b", "2"), Thing.of("c", "3") }, "6",
				Thing.of("a", "4"), Thing.of("b", "5"), Thing.of("d", "6"));
		await().until(() -> this.seen.size() == 4);
		await().untilAsserted(() -> assertThat(this.fixture.recorder.changes).endsWith("-c@3 unseen", "~a@1>a@4",
				"~b@2>b@5", "+d@6"));
		assertThat(this.seen).containsOnly("6 [a@4, b@5, d@6]");
	}

	@Test
	void c193_theVersionOfTheMirrorIsThatOfTheDeliveredChange() throws Exception {
		noteWhatIsMirrored();
		this.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch();
		this.fixture.recorder.awaitChanges("+a@1 initial");
		watch.modified(Thing.of("a", "2"));
		this.fixture.recorder.awaitChanges("+a@1 initial", "~a@1>a@2");
		watch.deleted(Thing.of("a", "3"));
		this.fixture.recorder.awaitChanges("+a@1 initial", "~a@1>a@2", "-a@3");
		assertThat(this.seen).containsExactly("1 [a@1]", "2 [a@2]", "3 []");
	}

	@Test
	void c194_objectsWithoutAVersionDoNotChangeTheVersionOfTheMirror() throws Exception {
		ResourceAccessor<Thing> plain = this.fixture.accessor;
		this.fixture.accessor = new ResourceAccessor<>() {

			@Override
			public ResourceKey key(Thing object) {
				return plain.key(object);
			}

			@Override
			public String resourceVersion(Thing object) {
				return "";
			}

		};
		noteWhatIsMirrored();
		relist(Ordering.ARRIVAL, new Thing[] { Thing.of("a", "1") }, "9", Thing.of("a", "9"));
		ScriptedSource.Stream watch = this.source.nextWatch();
		await().untilAsserted(() -> assertThat(this.seen).containsExactly("3 [a@1]", "9 [a@9]"));
		watch.modified(Thing.of("a", "10"));
		await().until(() -> this.seen.size() == 3);
		assertThat(this.seen).containsExactly("3 [a@1]", "9 [a@9]", "9 [a@10]");
	}

	/** Makes consistent changes, from several threads. */
	private static final class Server {

		private final ScriptedSource.Stream watch;

		private final TreeSet<String> names = new TreeSet<>();

		private int version = 3;

		Server(ScriptedSource.Stream watch) {
			this.watch = watch;
		}

		private boolean take(String name) {
			return this.names.removeIf((object) -> object.startsWith(name + "@"));
		}

		private Thing put(String name, String payload) {
			Thing thing = Thing.of("default", name, "" + ++this.version, payload);
			this.names.add(thing.toString());
			return thing;
		}

		synchronized void change(Random random) {
			String name = "t" + random.nextInt(20);
			if (!take(name)) {
				this.watch.added(put(name, ""));
			}
			else if (random.nextBoolean()) {
				this.watch.modified(put(name, ""));
			}
			else {
				this.watch.deleted(Thing.of(name, "" + ++this.version));
			}
		}

		synchronized void modify(String name, String payload) {
			if (take(name)) {
				this.watch.modified(put(name, payload));
			}
		}

		synchronized void delete(String name) {
			if (take(name)) {
				this.watch.deleted(Thing.of(name, "" + ++this.version));
			}
		}

		synchronized List<String> objects() {
			return List.copyOf(this.names);
		}

	}

}
