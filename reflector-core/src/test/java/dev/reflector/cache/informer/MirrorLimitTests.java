package dev.reflector.cache.informer;

import java.net.ConnectException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.ConsistencyReport;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.fixture.MemorySnapshots;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for mirrors that may hold so many objects or bytes.
 */
class MirrorLimitTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void stop() throws Exception {
		this.fixture.close();
	}

	private static Thing thing(String name, int version) {
		return Thing.of(name, String.valueOf(version));
	}

	/** The mirror is as it was, and the request has ended. */
	private void refused(int delay, String message, String... mirror) {
		// the delay is known before the state shows it
		await().until(
				() -> this.fixture.delays.size() == delay && this.fixture.informer.state() == ReflectorState.BACKING_OFF
						&& this.fixture.informer.status().contact().nextAttemptAt() != null);
		this.fixture.awaitMirror(mirror);
		assertThat(this.fixture.informer.status().failingSince()).isNotNull();
		assertThat(Objects.requireNonNull(this.fixture.informer.status().lastError()).message()).contains(message);
	}

	@ParameterizedTest
	@EnumSource(names = { "ARRIVAL", "PER_KEY" })
	void anAdditionTooManyEndsTheWatchAndListsFailUntilThereIsRoom(Ordering ordering) throws Exception {
		this.source.answer("3", thing("a", 1), thing("b", 2));
		this.fixture.start(InformerFixture.listing().maxObjects(3).ordering(ordering));
		ScriptedSource.Stream watch = this.source.nextWatch();
		watch.added(thing("c", 4)).deleted(thing("c", 5)).added(thing("d", 6)).modified(thing("a", 7));
		this.fixture.awaitMirror("a@7", "b@2", "d@6");
		this.source.answer("8", thing("a", 7), thing("b", 2), thing("d", 6), thing("e", 8));
		watch.added(thing("e", 8));
		String message = "more than 3 objects, and 'reflector.resources.things.max-objects' is 3";
		refused(1, message, "a@7", "b@2", "d@6");
		assertThat(watch.cancelled).isTrue();
		this.fixture.passDelay(1);
		refused(2, message, "a@7", "b@2", "d@6");
		assertThat(this.fixture.delays).as("delays grow").isSorted().doesNotHaveDuplicates();
		this.source.answer("9", thing("a", 7), thing("b", 9), thing("e", 8));
		this.fixture.passDelay(2);
		this.fixture.awaitMirror("a@7", "b@9", "e@8");
		this.source.nextWatch().deleted(thing("e", 10)).added(thing("f", 11));
		this.fixture.awaitMirror("a@7", "b@9", "f@11");
	}

	@Test
	void noPageOfAListThatIsTooLongReachesTheMirror() throws Exception {
		this.source.answerPage("3", "more", thing("a", 1), thing("b", 2)).answerPage("3", "even more", thing("c", 3));
		this.fixture.start(InformerFixture.listing().maxObjects(2));
		refused(1, "more than 2 objects");
		assertThat(this.source.lists).as("the third page is not asked for").hasSize(2);
		assertThat(this.fixture.informer.hasSynced()).isFalse();
	}

	/** Each unreadable object counts once until the list is complete. */
	@ParameterizedTest
	@CsvSource({ "true, more than 100 objects", "false, more than 100 bytes" })
	void pagesOfEverNewUnreadableObjectsEnd(boolean objects, String message) throws Exception {
		for (int page = 0; page < 200; page++) {
			SkippedObject skipped = new SkippedObject(new ResourceKey("default", "w" + page), "3", "broken");
			String token = "token " + page;
			this.source.answerWith((options) -> Mono
				.just(new ListPage<>(List.of(thing("w0", 1)), "3", token, List.of(skipped, skipped))));
		}
		ReflectorOptions.Builder options = InformerFixture.listing();
		this.fixture.start(objects ? options.maxObjects(100) : options.maxSize(100));
		refused(1, message);
		assertThat(this.source.lists).hasSize(objects ? 101 : 100 / "defaultw1".length() + 1);
	}

	@Test
	void aStreamedListThatIsTooLongIsNotListedAtOnce() throws Exception {
		this.fixture.start(InformerFixture.streaming().maxObjects(2));
		ScriptedSource.Stream stream = this.source.nextWatch();
		stream.added(thing("a", 1)).added(thing("b", 2)).added(thing("b", 3)).added(thing("c", 4));
		refused(1, "more than 2 objects");
		assertThat(this.source.lists).isEmpty();
		this.fixture.passDelay(1);
		this.source.nextWatch().added(thing("a", 1)).added(thing("b", 3)).endMarker("5").added(thing("c", 6));
		refused(2, "more than 2 objects", "a@1", "b@3");
	}

	@Test
	void namespacesShareTheLimit() throws Exception {
		this.source.answerInNamespace("3", "a", "b").answerInNamespace("3", "c");
		this.fixture.start(InformerFixture.listing().maxObjects(3).build(), "blue", "green");
		ScriptedSource.Stream first = this.source.nextWatch();
		this.source.nextWatch();
		await().until(() -> this.fixture.mirror().size() == 3);
		first.added(Thing.of(first.options.namespace(), "d", "4", ""));
		await().until(() -> this.fixture.delays.size() == 1);
		assertThat(this.fixture.mirror()).containsExactly("a@3", "b@3", "c@3");
	}

	@Test
	void whatWasRestoredCounts() throws Exception {
		MemorySnapshots store = new MemorySnapshots();
		this.fixture.snapshot = SnapshotOptions.builder(store, ThingCodec.of("shape"))
			.commitInterval(Duration.ofMillis(1))
			.build();
		this.source.answer("3", thing("a", 1), thing("b", 2));
		this.fixture.start(InformerFixture.listing().maxObjects(2));
		this.source.nextWatch();
		await().until(() -> store.stored().equals("[a@1, b@2] {=3}"));
		this.fixture.stop();
		store.release();
		this.fixture.build(InformerFixture.listing().maxObjects(2).build());
		this.fixture.informer.start();
		ScriptedSource.Stream watch = this.source.nextWatch();
		assertThat(watch.options.resourceVersion()).isEqualTo("3");
		watch.modified(thing("a", 4)).added(thing("c", 5));
		refused(1, "more than 2 objects", "a@4", "b@2");
	}

	/**
	 * The limit counts the sizes of additions and changes, but not those of deletions.
	 */
	@Test
	void anObjectThatMakesTheMirrorTooLargeEndsTheRequest() throws Exception {
		this.source.answerSized("3", List.of(400, 300), thing("a", 1), thing("b", 2));
		this.fixture.start(InformerFixture.listing().maxSize(1000));
		ScriptedSource.Stream watch = this.source.nextWatch();
		watch.send(new WatchEvent.Added<>(thing("c", 4), 300))
			.send(new WatchEvent.Modified<>(thing("c", 5), 300))
			.deleted(thing("a", 6))
			.send(new WatchEvent.Modified<>(thing("b", 7), 700));
		this.fixture.awaitMirror("b@7", "c@5");
		watch.send(new WatchEvent.Modified<>(thing("c", 8), 301));
		String message = "more than 1000 bytes, and 'reflector.resources.things.max-size' is 1000B";
		refused(1, message, "b@7", "c@5");
		this.source.answerSized("8", List.of(700, 301), thing("b", 7), thing("c", 8));
		this.fixture.passDelay(1);
		refused(2, message, "b@7", "c@5");
		this.source.answerSized("9", List.of(699, 301), thing("b", 9), thing("c", 8));
		this.fixture.passDelay(2);
		this.fixture.awaitMirror("b@9", "c@8");
	}

	/** The mirror keeps the last state of an object that could not be read. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anObjectThatCouldNotBeReadCountsWithItsLastState(boolean named) throws Exception {
		this.source.answer("3", thing("a", 1), thing("b", 2));
		this.fixture.start(InformerFixture.listing().maxObjects(2));
		this.source.nextWatch();
		ResourceKey key = named ? new ResourceKey("default", "a") : null;
		this.source.answerSkipping("4", new SkippedObject(key, "4", "broken"), thing("b", 2));
		this.fixture.informer.relist();
		ScriptedSource.Stream watch = this.source.nextWatch();
		this.fixture.awaitMirror("a@1", "b@2");
		watch.added(thing("c", 5));
		refused(1, "more than 2 objects", "a@1", "b@2");
	}

	@Test
	void aTransformationKeepsSizes() throws Exception {
		this.fixture.listerWatcher = ListerWatcher.transformed(this.source,
				(thing) -> Thing.of(thing.name(), thing.version()), MetadataAccessor.forType(Thing.class));
		this.source.answerSized("3", List.of(400), thing("a", 1));
		this.fixture.start(InformerFixture.listing().maxSize(1000));
		this.source.nextWatch().send(new WatchEvent.Added<>(thing("b", 4), 601));
		refused(1, "more than 1000 bytes", "a@1");
	}

	/**
	 * The bound holds for all pages together, whether or not the source reports sizes.
	 */
	@ParameterizedTest
	@CsvSource({ "true, false, more than 10 objects", "true, true, more than 10 objects",
			"false, true, more than 1000 bytes" })
	void aComparisonIsBoundedAsAList(boolean objects, boolean sizes, String message) throws Exception {
		ReflectorOptions.Builder options = InformerFixture.listing();
		this.source.answer("3", thing("a", 1));
		this.fixture.start(objects ? options.maxObjects(10) : options.maxSize(1000));
		this.fixture.awaitMirror("a@1");
		for (int page = 0; page < 30; page++) {
			ListPage<Thing> next = new ListPage<>(List.of(thing("w" + page, 1)), "3",
					(page < 29) ? "token " + page : "", List.of());
			this.source.answerWith((list) -> Mono.deferContextual((context) -> {
				if (sizes) {
					RequestListener.of(context).listed(100);
				}
				return Mono.just(next);
			}));
		}
		ConsistencyReport report = this.fixture.informer.verify().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(report.result()).isEqualTo(ConsistencyReport.Result.NOT_COMPARABLE);
		assertThat(report.scopes().get(0).message()).contains(message);
		assertThat(this.source.lists).as("with the first one").hasSize(12);
	}

	/** The keys of unreadable objects are kept, too, each once. */
	@ParameterizedTest
	@CsvSource({ "true, more than 10 objects", "false, more than 100 bytes" })
	void everNewUnreadableObjectsEndTheWatch(boolean objects, String message) throws Exception {
		ReflectorOptions.Builder options = InformerFixture.listing();
		this.source.answer("3", thing("a", 1));
		this.fixture.start(objects ? options.maxObjects(10) : options.maxSize(100));
		ScriptedSource.Stream watch = this.source.nextWatch();
		for (int i = 4; i < 50; i++) {
			watch.send(unreadable("MODIFIED", "w0", i)).send(unreadable("DELETED", "w1", i));
		}
		watch.send(unreadable("ADDED", "a", 50)).added(thing("b", 51));
		this.fixture.awaitMirror("a@1", "b@51");
		for (int i = 52; i < 100; i++) {
			watch.sink.tryEmitNext(unreadable("ADDED", "w" + i, i));
		}
		refused(1, message, "a@1", "b@51");
		assertThat(watch.cancelled).isTrue();
	}

	private static WatchEvent<Thing> unreadable(String type, String name, int version) {
		return new WatchEvent.Skipped<>(type,
				new SkippedObject(new ResourceKey("default", name), String.valueOf(version), "broken"));
	}

	/** A server may answer with all objects, although one is asked for. */
	@Test
	void theRequestThatAsksForTheVersionIsBoundedAsAList() throws Exception {
		AtomicInteger read = new AtomicInteger();
		CountDownLatch ended = new CountDownLatch(1);
		this.fixture.listerWatcher = new DelegatingListerWatcher<>(this.source) {

			@Override
			public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
				Mono<ListPage<ObjectVersion>> answer = Mono.deferContextual((context) -> {
					while (read.get() < 100) {
						read.incrementAndGet();
						RequestListener.of(context).listed(1);
					}
					return Mono.just(new ListPage<>(List.of(), "3", "", List.of()));
				});
				return answer.doFinally((signal) -> ended.countDown());
			}

		};
		this.source.answer("3", thing("a", 1)).failWatch(new ConnectException("refused"));
		this.fixture.start(InformerFixture.listing().maxObjects(10));
		this.fixture.passDelay(1);
		this.source.nextWatch().send(new WatchEvent.Opened<>());
		assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(read).hasValue(11);
	}

	/** An object that is repeated on each page is not new. */
	@Test
	void pagesThatBringNothingNewAndNeverEndAreAnError() throws Exception {
		for (int page = 0; page < 1100; page++) {
			String token = "token " + page;
			List<SkippedObject> skipped = (page % 2 == 0) ? List.of()
					: Collections.nCopies(2, new SkippedObject(null, "", "unreadable"));
			this.source.answerWith((options) -> Mono.just(new ListPage<>(List.of(thing("a", 1)), "3", token, skipped)));
		}
		this.fixture.start(InformerFixture.listing());
		refused(1, "1000 pages in a row without an object that is new");
		assertThat(this.source.lists).hasSize(1001);
	}

	@Test
	void limitsAreAtLeastOne() {
		assertThatIllegalArgumentException().isThrownBy(() -> ReflectorOptions.builder().maxObjects(0).build())
			.withMessage("'maxObjects' must be at least 1");
		assertThatIllegalArgumentException().isThrownBy(() -> ReflectorOptions.builder().maxSize(0).build())
			.withMessage("'maxSize' must be at least 1");
	}

}
