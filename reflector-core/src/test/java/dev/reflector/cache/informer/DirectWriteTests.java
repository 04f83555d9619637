package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A few events that come alone are written by the thread that brings them. In these tests
 * that is the one of the test, which must never wait.
 */
@Timeout(60)
class DirectWriteTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	private final BlockingQueue<RequestListener> listeners = new LinkedBlockingQueue<>();

	/** The thread that has last written an object, by its version. */
	private final Map<String, Thread> writers = new ConcurrentHashMap<>();

	private ScriptedSource.@Nullable Stream watch;

	private RequestListener listener = RequestListener.NONE;

	private int version = 1;

	@BeforeEach
	void announceBursts() {
		this.fixture.listerWatcher = new DelegatingListerWatcher<>(this.source) {

			@Override
			public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
				return Flux.deferContextual((context) -> {
					DirectWriteTests.this.listeners.add(RequestListener.of(context));
					return super.watch(options);
				});
			}

		};
	}

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	private void start(ReflectorOptions.Builder options) throws Exception {
		this.source.answer("1", Thing.of("a", "1"));
		noteWriters();
		this.fixture.build(options.build());
		this.fixture.informer.start();
		await().until(this.fixture.informer::hasSynced);
		nextWatch();
	}

	private void noteWriters() {
		this.fixture.onVersionRead((object) -> {
			if (MirrorWrites.isWriting()) {
				this.writers.put(object.version(), Thread.currentThread());
			}
		});
	}

	private void nextWatch() throws Exception {
		this.watch = this.source.nextWatch();
		RequestListener next = this.listeners.poll(30, TimeUnit.SECONDS);
		assertThat(next).isNotNull();
		this.listener = next;
	}

	private ScriptedSource.Stream watch() {
		ScriptedSource.Stream watch = this.watch;
		assertThat(watch).isNotNull();
		return watch;
	}

	/** Sends changes of things in one burst. */
	private void burst(String... names) {
		this.listener.burstBegins();
		send(names);
		this.listener.burstEnds();
	}

	private void send(String... names) {
		for (String name : names) {
			watch().modified(Thing.of(name, Integer.toString(++this.version)));
		}
	}

	/** Sends lone events until one is written on this thread. */
	private void awaitDirect() {
		await().until(() -> {
			burst("a");
			return isDirect();
		});
	}

	private boolean isDirect() {
		return this.writers.get(Integer.toString(this.version)) == Thread.currentThread();
	}

	private void awaitTold() {
		String last = Integer.toString(this.version);
		await()
			.until(() -> this.fixture.recorder.state.values().stream().anyMatch((thing) -> thing.endsWith("@" + last)));
	}

	@Test
	void aLoneEventIsInTheMirrorWhenItsBurstHasEnded() throws Exception {
		start(InformerFixture.listing());
		awaitDirect();
		assertThat(this.fixture.mirror()).containsExactly("a@" + this.version);
		assertThat(this.fixture.informer.lastSyncResourceVersion()).isEqualTo(Integer.toString(this.version));
		assertThat(this.fixture.informer.lister().hasReached(Integer.toString(this.version))).isTrue();
		awaitTold();
	}

	@Test
	void listenersAreNeverCalledOnTheThreadThatBringsEvents() throws Exception {
		List<Thread> callers = new CopyOnWriteArrayList<>();
		this.fixture.recorder.hook = (change) -> callers.add(Thread.currentThread());
		start(InformerFixture.listing());
		awaitDirect();
		awaitTold();
		assertThat(callers).isNotEmpty()
			.allSatisfy((caller) -> assertThat(caller.getName()).isEqualTo("reflector-things-events"));
	}

	@Test
	void aDeletionIsWrittenDirectly() throws Exception {
		start(InformerFixture.listing());
		awaitDirect();
		await().until(() -> {
			burst("a");
			this.listener.burstBegins();
			watch().deleted(Thing.of("a", Integer.toString(++this.version)));
			this.listener.burstEnds();
			return this.fixture.mirror().isEmpty();
		});
		await().until(() -> this.fixture.recorder.state.isEmpty());
	}

	@ParameterizedTest
	@EnumSource
	void theOrderOfEachObjectIsKeptWhicheverWayItsChangesTake(Ordering ordering) throws Exception {
		Map<ResourceKey, List<Integer>> told = new ConcurrentHashMap<>();
		this.fixture.recorder.hook = (change) -> told
			.computeIfAbsent(change.key(), (key) -> new CopyOnWriteArrayList<>())
			.add(Integer.parseInt(change.object().version()));
		start(InformerFixture.listing().ordering(ordering).overflow(Overflow.BLOCK).queueCapacity(20));
		Random random = new Random(7);
		Map<String, Integer> last = new TreeMap<>();
		int direct = 0;
		for (int i = 0; i < 1500; i++) {
			int count = (i % 50 == 0) ? 40 : 1 + random.nextInt(4);
			String[] names = new String[count];
			for (int j = 0; j < count; j++) {
				names[j] = "t" + random.nextInt(5);
				last.put(names[j], this.version + 1 + j);
			}
			if (random.nextInt(10) == 0) {
				// each wakes the loop
				send(names);
			}
			else {
				burst(names);
			}
			direct += isDirect() ? 1 : 0;
			if (random.nextInt(20) == 0) {
				// the loop's thread comes to rest, so that the next burst is direct
				awaitTold();
			}
		}
		awaitTold();
		assertThat(told.get(ResourceKey.of("default", "a"))).containsExactly(1);
		last.forEach((name, version) -> {
			List<Integer> versions = told.get(ResourceKey.of("default", name));
			assertThat(versions).isSorted().doesNotHaveDuplicates();
			assertThat(versions.get(versions.size() - 1)).isEqualTo(version);
		});
		assertThat(told.values().stream().mapToInt(List::size).sum()).isEqualTo(this.version);
		if (ordering == Ordering.ARRIVAL) {
			assertThat(direct).isPositive();
		}
		else {
			assertThat(direct).isZero();
		}
	}

	@Test
	void aListenerThatDoesNotReturnHoldsUpNeitherTheThreadNorTheMirror() throws Exception {
		CountDownLatch gate = new CountDownLatch(1);
		start(InformerFixture.listing().overflow(Overflow.COALESCE));
		awaitDirect();
		awaitTold();
		this.fixture.recorder.hook = (change) -> awaitUninterruptibly(gate);
		try {
			for (int i = 0; i < 100; i++) {
				burst("a", "b", "c");
			}
			this.fixture.awaitVersion(Integer.toString(this.version));
			await().until(() -> this.fixture.mirror().contains("c@" + this.version));
		}
		finally {
			gate.countDown();
		}
		awaitTold();
	}

	@Test
	void whatAFullListenerHasNoRoomForIsLeftToTheWriterInOrder() throws Exception {
		CountDownLatch gate = new CountDownLatch(1);
		List<String> told = new CopyOnWriteArrayList<>();
		start(InformerFixture.listing().overflow(Overflow.BLOCK).queueCapacity(30));
		awaitDirect();
		awaitTold();
		this.fixture.recorder.hook = (change) -> {
			awaitUninterruptibly(gate);
			told.add(change.object().version());
		};
		int first = this.version + 1;
		try {
			// room for 30 changes in each of the two queues, and 64 frames on the way
			for (int i = 0; i < 20; i++) {
				burst("a", "b", "c", "d", "e");
			}
			assertThat(told).isEmpty();
		}
		finally {
			gate.countDown();
		}
		awaitTold();
		List<String> expected = new ArrayList<>();
		for (int i = first; i <= this.version; i++) {
			expected.add(Integer.toString(i));
		}
		assertThat(told).isEqualTo(expected);
	}

	@Test
	void aStopDeliversWhatTheMirrorShows() throws Exception {
		CountDownLatch gate = new CountDownLatch(1);
		start(InformerFixture.listing().overflow(Overflow.BLOCK).queueCapacity(30));
		awaitDirect();
		awaitTold();
		this.fixture.recorder.hook = (change) -> awaitUninterruptibly(gate);
		for (int i = 0; i < 20; i++) {
			burst("a", "b", "c", "d", "e");
		}
		CompletableFuture<Void> stopped = this.fixture.informer.stop().toCompletableFuture();
		gate.countDown();
		stopped.get(30, TimeUnit.SECONDS);
		List<String> mirror = this.fixture.mirror();
		assertThat(mirror).isNotEmpty();
		assertThat(this.fixture.recorder.state.values()).containsExactlyInAnyOrderElementsOf(mirror);
	}

	@Test
	void eventsThatComeWhileItStopsAndStartsAreNeverHalfTold() throws Exception {
		start(InformerFixture.listing());
		for (int round = 0; round < 30; round++) {
			awaitDirect();
			CountDownLatch begun = new CountDownLatch(1);
			ScriptedSource.Stream watch = watch();
			RequestListener listener = this.listener;
			int from = this.version;
			Thread bringing = new Thread(() -> {
				for (int i = 1; i <= 50; i++) {
					listener.burstBegins();
					watch.sink.tryEmitNext(new WatchEvent.Modified<>(Thing.of("a", Integer.toString(from + i))));
					listener.burstEnds();
					begun.countDown();
				}
			});
			bringing.start();
			begun.await();
			this.fixture.stop();
			assertThat(this.fixture.recorder.state.values()).containsExactlyElementsOf(this.fixture.mirror());
			bringing.join();
			assertThat(this.fixture.recorder.state.values()).containsExactlyElementsOf(this.fixture.mirror());
			this.version += 60;
			this.source.answer(Integer.toString(this.version), Thing.of("a", Integer.toString(this.version)));
			this.fixture.informer.start();
			await().until(this.fixture.informer::hasSynced);
			nextWatch();
		}
	}

	@Test
	void aChangeThatCannotBeStoredCausesAList() throws Exception {
		fail((thing) -> thing.payload().equals("poison") && MirrorWrites.isWriting());
		start(InformerFixture.listing());
		awaitDirect();
		this.listener.burstBegins();
		watch().modified(Thing.of("default", "a", Integer.toString(++this.version), "poison"));
		this.listener.burstEnds();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.WATCH_ERROR)));
		this.source.answer("100000", Thing.of("a", "100000"));
		this.fixture.passDelay(1);
		this.fixture.awaitMirror("a@100000");
	}

	@Test
	void aDeletionThatCannotBeReadCausesAList() throws Exception {
		fail((thing) -> thing.payload().equals("poison"));
		start(InformerFixture.listing());
		awaitDirect();
		this.listener.burstBegins();
		watch().deleted(Thing.of("default", "a", Integer.toString(++this.version), "poison"));
		// not handled before the end of the pass
		send("b");
		this.listener.burstEnds();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.WATCH_ERROR)));
		assertThat(this.fixture.mirror()).containsExactly("a@" + (this.version - 2));
		this.source.answer("100000", Thing.of("a", "100000"));
		this.fixture.passDelay(1);
		this.fixture.awaitMirror("a@100000");
	}

	@Test
	void anErrorBehindAnEventEndsThePassAfterTheEvent() throws Exception {
		start(InformerFixture.listing());
		awaitDirect();
		this.listener.burstBegins();
		send("b");
		watch().error(410, "Expired");
		this.listener.burstEnds();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.EXPIRED)));
		await().until(() -> this.fixture.mirror().contains("b@" + this.version));
		assertThat(this.fixture.informer.lastSyncResourceVersion()).isEqualTo(Integer.toString(this.version));
	}

	@Test
	void listenersMayReadTheMirrorAndAddAndRemoveHandlers() throws Exception {
		AtomicInteger joined = new AtomicInteger();
		List<String> behind = new CopyOnWriteArrayList<>();
		this.fixture.recorder.hook = (change) -> {
			Thing present = this.fixture.informer.lister().find(change.key()).orElseThrow();
			if (Integer.parseInt(present.version()) < Integer.parseInt(change.object().version())) {
				behind.add(present + " behind " + change.object());
			}
			HandlerRegistration registration = this.fixture.informer.addEventHandler(new ResourceEventHandler<>() {

				@Override
				public void onChange(Change<Thing> change) {
					joined.incrementAndGet();
				}

			});
			registration.remove();
		};
		start(InformerFixture.listing());
		awaitDirect();
		for (int i = 0; i < 500; i++) {
			burst("a", "b");
		}
		awaitTold();
		assertThat(behind).isEmpty();
		await().until(() -> this.fixture.mirror().size() == 2);
	}

	@Test
	void handlersThatJoinMeanwhileMissNothingAndHearNothingTwice() throws Exception {
		start(InformerFixture.listing());
		awaitDirect();
		List<Versions> handlers = new CopyOnWriteArrayList<>();
		Thread joining = new Thread(() -> {
			for (int i = 0; i < 50; i++) {
				Versions handler = new Versions();
				this.fixture.informer.addEventHandler(handler);
				handlers.add(handler);
			}
		});
		joining.start();
		for (int i = 0; i < 300; i++) {
			burst("a", "b", "c");
		}
		joining.join();
		burst("c");
		this.fixture.awaitVersion(Integer.toString(this.version));
		Map<ResourceKey, Integer> last = Map.of(ResourceKey.of("default", "a"), this.version - 3,
				ResourceKey.of("default", "b"), this.version - 2, ResourceKey.of("default", "c"), this.version);
		await().until(() -> handlers.stream().allMatch((handler) -> handler.last.equals(last)));
		assertThat(handlers).hasSize(50).allSatisfy((handler) -> assertThat(handler.disorder).isEmpty());
	}

	@Test
	void severalNamespacesAreWrittenByThreadsOfTheReflector() throws Exception {
		this.source.answerInNamespace("1", "a").answerInNamespace("1", "a");
		noteWriters();
		this.fixture.build(InformerFixture.listing().build(), "one", "two");
		this.fixture.informer.start();
		await().until(this.fixture.informer::hasSynced);
		nextWatch();
		for (int i = 2; i < 50; i++) {
			this.listener.burstBegins();
			watch().modified(Thing.of(String.valueOf(watch().options.namespace()), "a", Integer.toString(i), ""));
			this.listener.burstEnds();
			String version = Integer.toString(i);
			await().until(() -> this.writers.containsKey(version));
		}
		assertThat(this.writers.values()).noneMatch((writer) -> writer == Thread.currentThread());
	}

	@Test
	void anIndexFunctionNeverHoldsUpTheThreadThatBringsEvents() throws Exception {
		start(InformerFixture.listing());
		awaitDirect();
		CountDownLatch released = new CountDownLatch(1);
		List<Thread> callers = new CopyOnWriteArrayList<>();
		this.fixture.informer.addIndexers(Map.of("slow", (thing) -> {
			if (thing.name().equals("b")) {
				callers.add(Thread.currentThread());
				waitFor(released);
			}
			return List.of();
		}));
		try {
			burst("b");
			await().until(() -> !callers.isEmpty());
			burst("c");
			// nor the loop
			await().until(() -> this.fixture.informer.lastSyncResourceVersion().equals(Integer.toString(this.version)));
			assertThat(this.fixture.mirror()).hasSize(1);
		}
		finally {
			released.countDown();
		}
		awaitTold();
		assertThat(callers).extracting(Thread::getName).containsOnly("reflector-things-store");
	}

	@ParameterizedTest
	@EnumSource
	void anIndexFunctionThatDoesNotReturnHoldsUpNeitherStatusNorEnd(Ordering ordering) throws Exception {
		start(InformerFixture.listing().ordering(ordering));
		SharedInformer<Thing> informer = this.fixture.informer;
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		informer.addIndexers(Map.of("slow", (thing) -> {
			if (thing.name().equals("b")) {
				entered.countDown();
				awaitUninterruptibly(released);
			}
			return List.of();
		}));
		CompletableFuture<Void> ended = new CompletableFuture<>();
		try {
			burst("b");
			entered.await();
			Thread joining = new Thread(() -> informer.changes().subscribe((change) -> {
			}, ended::completeExceptionally, () -> ended.complete(null)), "joining");
			joining.start();
			await().until(() -> joining.getState() == Thread.State.WAITING);
			CompletableFuture<Void> calls = CompletableFuture.runAsync(() -> {
				assertThat(informer.isStandby()).isFalse();
				assertThat(informer.status().synced()).isTrue();
				informer.resume();
				informer.stop();
				informer.close();
			});
			assertThat(calls).succeedsWithin(Duration.ofSeconds(10));
		}
		finally {
			released.countDown();
		}
		assertThat(ended).succeedsWithin(Duration.ofSeconds(30));
	}

	private static void waitFor(CountDownLatch released) {
		try {
			released.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void byKeyNobodyWaitsForAWriterThatWaitsForAnIndex() throws Exception {
		start(InformerFixture.listing().ordering(Ordering.PER_KEY));
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		Thread joining = new Thread(() -> this.fixture.informer.addIndexers(Map.of("slow", (thing) -> {
			entered.countDown();
			awaitUninterruptibly(released);
			return List.of();
		})));
		joining.start();
		try {
			entered.await();
			burst("b");
			await().until(DirectWriteTests::isWriterWithinTheQueue);
			burst("c");
		}
		finally {
			released.countDown();
		}
		joining.join();
		await().until(() -> this.fixture.mirror().contains("c@" + this.version));
	}

	private static boolean isWriterWithinTheQueue() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((thread) -> thread.getKey().getName().equals("reflector-things-store"))
			.flatMap((thread) -> Stream.of(thread.getValue()))
			.anyMatch((call) -> call.getClassName().endsWith(".PerKeyFifo") && call.getMethodName().equals("take"));
	}

	/** Makes the versions of some objects unreadable. */
	private void fail(Predicate<Thing> which) {
		this.fixture.onVersionRead((object) -> {
			if (which.test(object)) {
				throw new IllegalStateException("cannot be read");
			}
		});
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean interrupted = false;
		while (true) {
			try {
				latch.await();
				break;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Remembers the last version of each object, and each that was not newer. */
	private static final class Versions implements ResourceEventHandler<Thing> {

		private final Map<ResourceKey, Integer> last = new ConcurrentHashMap<>();

		private final List<String> disorder = new CopyOnWriteArrayList<>();

		@Override
		public void onChange(Change<Thing> change) {
			int version = Integer.parseInt(change.object().version());
			Integer before = this.last.put(change.key(), version);
			if (before != null && version <= before) {
				this.disorder.add(before + " before " + version);
			}
		}

	}

}
