package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * The test cases of client-go for informers with several handlers.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class HandlerConformanceTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private TestInformer things = TestInformer.with(TestInformer.options());

	@AfterEach
	void close() throws Exception {
		this.things.close();
	}

	private void use(ReflectorOptions options) throws Exception {
		this.things.close();
		this.things = TestInformer.with(options);
	}

	private static Recorder add(SharedInformer<Thing> informer, Duration resyncPeriod) {
		Recorder recorder = new Recorder();
		informer.addEventHandler(recorder, resyncPeriod);
		return recorder;
	}

	private int activeThreads() {
		return ((ThreadPoolExecutor) this.things.threads).getActiveCount();
	}

	/** Lets one second pass, and waits until the next resync is scheduled. */
	private void tick() {
		await().until(() -> this.things.time.waiting().contains(SECOND));
		this.things.time.advance(SECOND);
		await().until(() -> this.things.time.waiting().contains(SECOND));
	}

	/**
	 * Lets three seconds pass. After each, an object is added, which all handlers must
	 * get.
	 */
	private void hearResyncs(ScriptedSource.Stream watch, Recorder never, Recorder two, Recorder three) {
		List<Recorder> all = List.of(never, two, three);
		List<String> resyncs = List.of("~a@1>a@1 resync", "~b@2>b@2 resync");
		await().until(() -> all.stream().allMatch((recorder) -> recorder.changes.size() == 2));
		for (int i = 1; i <= 3; i++) {
			all.forEach((recorder) -> recorder.changes.clear());
			tick();
			Thing mark = Thing.of("mark" + i, "" + (i + 2));
			watch.added(mark);
			await().until(() -> all.stream().allMatch((recorder) -> recorder.changes.contains("+" + mark)));
			assertThat(never.changes).containsExactly("+" + mark);
			assertThat(two.changes.containsAll(resyncs)).as("period of two, second %d", i).isEqualTo(i == 2);
			assertThat(three.changes.containsAll(resyncs)).as("period of three, second %d", i).isEqualTo(i == 3);
			assertThat(two.changes).hasSize((i == 2) ? 1 + i + 1 : 1);
			assertThat(three.changes).hasSize((i == 3) ? 1 + i + 1 : 1);
		}
	}

	@ParameterizedTest
	@EnumSource
	void c198_c199_c200_eachHandlerGetsResyncsInItsOwnPeriod(Ordering ordering) throws Exception {
		use(TestInformer.listing(ordering, 100).resyncPeriod(SECOND).build());
		Recorder never = add(this.things.informer, Duration.ZERO);
		Recorder two = add(this.things.informer, Duration.ofSeconds(2));
		Recorder three = add(this.things.informer, Duration.ofSeconds(3));
		hearResyncs(this.things.startWith("2", Thing.of("a", "1"), Thing.of("b", "2")), never, two, three);
	}

	@Test
	void c201_eachHandlerGetsResyncsInItsOwnPeriodWhenItsThreadStartsLate() throws Exception {
		CountDownLatch late = new CountDownLatch(1);
		AtomicInteger tasks = new AtomicInteger();
		Executor threads = (task) -> {
			boolean ofHandler = tasks.incrementAndGet() <= 3;
			this.things.threads.execute(() -> {
				if (ofHandler) {
					awaitUninterruptibly(late);
				}
				task.run();
			});
		};
		SharedInformer<Thing> informer = SharedInformer
			.builder("things", this.things.source, MetadataAccessor.forType(Thing.class))
			.resourceType(ResourceType.of("example.com/v1", "Thing", "things"))
			.options(TestInformer.listing().resyncPeriod(SECOND).build())
			.time(this.things.time)
			.random(new Random(1))
			.threads(threads)
			.build();
		Recorder never = add(informer, Duration.ZERO);
		Recorder two = add(informer, Duration.ofSeconds(2));
		Recorder three = add(informer, Duration.ofSeconds(3));
		this.things.source.answer("2", Thing.of("a", "1"), Thing.of("b", "2"));
		informer.start();
		ScriptedSource.Stream watch = this.things.source.nextWatch();
		await().until(informer::hasSynced);
		assertThat(never.changes).isEmpty();
		late.countDown();
		hearResyncs(watch, never, two, three);
		informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
	}

	private static Thing[] things(int count) {
		return IntStream.rangeClosed(1, count).mapToObj((i) -> Thing.of("t" + i, "" + i)).toArray(Thing[]::new);
	}

	@Test
	void aHandlerWithRoomInItsQueueDoesNotWaitForAFullOne() throws Exception {
		use(TestInformer.options(Ordering.ARRIVAL, 40));
		CountDownLatch late = new CountDownLatch(1);
		List<Thing> slow = new CopyOnWriteArrayList<>();
		List<Thing> quick = new CopyOnWriteArrayList<>();
		this.things.informer.addEventHandler((change) -> {
			awaitUninterruptibly(late);
			slow.add(change.object());
		});
		this.things.informer.addEventHandler((change) -> quick.add(change.object()));
		try {
			ScriptedSource.Stream watch = this.things.startWith("40", things(40));
			await().until(() -> quick.size() == 40);
			// the queue of the blocked handler has room for at most one of the new
			// objects
			this.things.source.answer("70", things(70));
			watch.error(410, "Expired");
			await().until(() -> this.things.informer.state() == ReflectorState.BACKING_OFF
					&& !this.things.time.waiting().isEmpty());
			this.things.time.advance(Duration.ofSeconds(60));
			await().until(() -> quick.size() == 70);
			assertThat(slow).isEmpty();
		}
		finally {
			late.countDown();
		}
		await().until(() -> slow.size() == 70);
		assertThat(slow).isEqualTo(quick);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@ParameterizedTest
	@EnumSource
	void c204_c205_c206_x19_afterAnInterruptionMissedChangesAreDelivered(Compatibility compatibility) throws Exception {
		use(TestInformer.listing().resyncPeriod(SECOND).compatibility(compatibility).build());
		Recorder never = add(this.things.informer, Duration.ZERO);
		Recorder due = add(this.things.informer, SECOND);
		Recorder notDue = add(this.things.informer, Duration.ofSeconds(30));
		List<Recorder> all = List.of(never, due, notDue);
		ScriptedSource.Stream watch = this.things.startWith("2", Thing.of("p1", "1"), Thing.of("p2", "2"));
		all.forEach((recorder) -> recorder.awaitChanges("+p1@1 initial", "+p2@2 initial"));
		tick();
		await().until(() -> due.changes.size() == 4);
		all.forEach((recorder) -> recorder.changes.clear());
		// the watch ends before it delivers the new p3 and the changed p2
		watch.error(410, "Expired");
		this.things.source.answer("9", Thing.of("p1", "1"), Thing.of("p2", "8"), Thing.of("p3", "9"));
		await().until(() -> this.things.informer.state() == ReflectorState.BACKING_OFF
				&& !this.things.time.waiting().isEmpty());
		this.things.time.advance(Duration.ofSeconds(2));
		never.awaitChanges("~p2@2>p2@8", "+p3@9");
		notDue.awaitChanges("~p2@2>p2@8", "+p3@9");
		if (compatibility == Compatibility.CLIENT_GO) {
			due.awaitChanges("~p1@1>p1@1 resync", "~p2@2>p2@8", "+p3@9");
		}
		else {
			due.awaitChanges("~p2@2>p2@8", "+p3@9");
		}
	}

	@ParameterizedTest
	@EnumSource
	void x19_withoutResyncClientGoDeliversUnchangedObjectsOfANewListToAllHandlers(Compatibility compatibility)
			throws Exception {
		use(TestInformer.listing().compatibility(compatibility).build());
		Recorder first = add(this.things.informer, Duration.ZERO);
		Recorder second = add(this.things.informer, Duration.ofMinutes(1));
		this.things.startWith("1", Thing.of("a", "1")).error(410, "Expired");
		this.things.source.answer("9", Thing.of("a", "1"), Thing.of("b", "9"));
		await().until(() -> this.things.informer.state() == ReflectorState.BACKING_OFF
				&& !this.things.time.waiting().isEmpty());
		this.things.time.advance(Duration.ofSeconds(2));
		if (compatibility == Compatibility.CLIENT_GO) {
			first.awaitChanges("+a@1 initial", "~a@1>a@1 resync", "+b@9");
		}
		else {
			first.awaitChanges("+a@1 initial", "+b@9");
		}
		second.awaitChanges(first.changes.toArray(String[]::new));
	}

	@Test
	void c210_c211_c218_aRemovedHandlerGetsNothingMoreAndTheOthersDo() throws Exception {
		Recorder first = new Recorder();
		Recorder second = new Recorder();
		HandlerRegistration firstRegistration = this.things.informer.addEventHandler(first);
		HandlerRegistration secondRegistration = this.things.informer.addEventHandler(second);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("p1", "1"));
		first.awaitChanges("+p1@1 initial");
		second.awaitChanges("+p1@1 initial");
		firstRegistration.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		watch.added(Thing.of("p2", "2"));
		second.awaitChanges("+p1@1 initial", "+p2@2");
		secondRegistration.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		watch.added(Thing.of("p3", "3"));
		await().until(() -> this.things.mirror().size() == 3);
		this.things.stop();
		assertThat(first.changes).containsExactly("+p1@1 initial");
		assertThat(second.changes).containsExactly("+p1@1 initial", "+p2@2");
	}

	@Test
	void c215_c216_c217_theStateShowsWhetherItRunsAndHandlersAreAcceptedUntilClose() throws Exception {
		SharedInformer<Thing> informer = this.things.informer;
		HandlerRegistration registration = informer.addEventHandler(new Recorder());
		assertThat(informer.state()).isEqualTo(ReflectorState.STOPPED);
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(registration::hasSynced);
		assertThat(informer.state()).isNotEqualTo(ReflectorState.STOPPED);
		this.things.stop();
		assertThat(informer.state()).isEqualTo(ReflectorState.STOPPED);
		assertThat(registration.remove().toCompletableFuture()).isCompleted();
		HandlerRegistration next = informer.addEventHandler(new Recorder());
		informer.close();
		assertThat(next.remove().toCompletableFuture()).isCompleted();
		assertThatIllegalStateException().isThrownBy(() -> informer.addEventHandler(new Recorder()))
			.withMessage("the reflector 'things' is closed");
	}

	@Test
	void c222_c223_c224_noThreadIsLeft() throws Exception {
		HandlerRegistration before = this.things.informer.addEventHandler(new Recorder());
		assertThat(((ThreadPoolExecutor) this.things.threads).getPoolSize()).as("never run").isZero();
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(before::hasSynced);
		HandlerRegistration later = this.things.informer.addEventHandler(new Recorder());
		await().until(later::hasSynced);
		assertThat(activeThreads()).as("loop, mirror and two handlers").isEqualTo(4);
		later.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		await().until(() -> activeThreads() == 3);
		this.things.stop();
		before.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		await().until(() -> activeThreads() == 0);
	}

	@Test
	void c225_c226_everyFailureOfAHandlerIsLoggedAndItSyncsWithoutAPause(CapturedOutput output) throws Exception {
		List<HandlerRegistration> registrations = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			Recorder recorder = new Recorder();
			recorder.hook = (change) -> {
				throw new IllegalStateException("Just panic.");
			};
			registrations.add(this.things.informer.addEventHandler(recorder));
		}
		this.things.startWith("1", InformerFixture.things(5, "1"));
		await().until(() -> registrations.stream().allMatch(HandlerRegistration::hasSynced));
		assertThat(this.things.informer.hasSynced()).isTrue();
		assertThat(this.things.informer.status().counts().errors()).isEqualTo(10);
		for (int i = 0; i < 3; i++) {
			assertThat(output.getOut().split("a listener failed on ADDED default/t" + i, -1)).hasSize(3);
		}
		this.things.time.advance(Duration.ofMinutes(1));
		await()
			.untilAsserted(() -> assertThat(output.getOut().split("2 such failures within a minute", -1)).hasSize(3));
		assertThat(output.getOut()).contains("Just panic.").contains("at " + getClass().getName());
	}

	@Test
	void c228_theResourcesOfAHandlerMayBeFreedWhenItsRemovalHasCompleted() throws Exception {
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		List<String> resource = new CopyOnWriteArrayList<>(List.of("open"));
		List<String> used = new CopyOnWriteArrayList<>();
		HandlerRegistration registration = this.things.informer.addEventHandler((change) -> {
			called.countDown();
			awaitUninterruptibly(goOn);
			used.add(resource.get(0));
		});
		this.things.startWith("1", Thing.of("a", "1"));
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> freed = registration.remove().toCompletableFuture().thenRun(resource::clear);
		assertThat(resource).containsExactly("open");
		goOn.countDown();
		freed.get(30, TimeUnit.SECONDS);
		assertThat(used).containsExactly("open");
		assertThat(this.things.informer.status().counts().errors()).isZero();
	}

	@Test
	void c229_c230_c231_removalEndsInEveryPhase() throws Exception {
		SharedInformer<Thing> informer = this.things.informer;
		assertThat(informer.addEventHandler(new Recorder()).remove().toCompletableFuture()).as("never started")
			.isCompleted();
		HandlerRegistration before = informer.addEventHandler(new Recorder());
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(before::hasSynced);
		HandlerRegistration after = informer.addEventHandler(new Recorder());
		after.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		before.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		await().until(() -> activeThreads() == 2);
	}

	@Test
	void c232_c244_aHandlerNeedsOneMethodAndAPeriodThatIsNotNegative() throws Exception {
		List<String> heard = new CopyOnWriteArrayList<>();
		HandlerRegistration registration = this.things.informer
			.addEventHandler((change) -> heard.add(change.type() + " " + change.previous() + ">" + change.object()));
		assertThatIllegalArgumentException().isThrownBy(() -> this.things.informer
			.addEventHandler((change) -> heard.add("never registered"), Duration.ofNanos(-1)));
		this.things.startWith("1", Thing.of("a", "1"))
			.modified(Thing.of("a", "2"))
			.deleted(Thing.of("a", "3"))
			.error(410, "Expired");
		await().until(() -> heard.size() == 3);
		assertThat(heard).containsExactly("ADDED null>a@1", "UPDATED a@1>a@2", "DELETED a@2>a@3");
		await().until(registration::hasSynced);
		assertThat(registration.resyncPeriod()).isZero();
		await().until(() -> this.things.informer.state() == ReflectorState.BACKING_OFF);
		this.things.stop();
		assertThat(this.things.informer.status().counts().errors()).as("the 410").isOne();
	}

	@Test
	void x20_withADrainTimeoutOfZeroNothingIsDeliveredAfterAStop() throws Exception {
		use(TestInformer.listing().drainTimeout(Duration.ZERO).build());
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		Recorder recorder = new Recorder();
		recorder.hook = (change) -> {
			busy.countDown();
			awaitUninterruptibly(goOn);
		};
		this.things.informer.addEventHandler(recorder);
		this.things.startWith("1", InformerFixture.things(5, "1"));
		await().until(() -> this.things.informer.status().queueDepth() == 5 && busy.getCount() == 0);
		CompletableFuture<Void> stopped = this.things.informer.stop().toCompletableFuture();
		this.things.time.advance(Duration.ofNanos(1));
		goOn.countDown();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(recorder.changes).hasSize(1);
		this.things.informer.close();
		assertThat(recorder.changes).hasSize(1);
	}

}
