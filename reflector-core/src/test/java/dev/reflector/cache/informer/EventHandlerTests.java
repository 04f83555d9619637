package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.reflector.ReflectorState;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.InformerHarness;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of handlers that come and go while a {@link SharedInformer} runs.
 */
@Timeout(60)
class EventHandlerTests {

	private final AtomicInteger merged = new AtomicInteger();

	private TestInformer things = TestInformer.with(TestInformer.options());

	@AfterEach
	void close() throws Exception {
		this.things.close();
	}

	private void use(ReflectorOptions options) throws Exception {
		this.things.close();
		this.things = new TestInformer(options, new ReflectorObserver() {

			@Override
			public void merged() {
				EventHandlerTests.this.merged.incrementAndGet();
			}

		}, List.of());
	}

	private static Consumer<Change<Thing>> takingOneFor(Semaphore permits) {
		return (change) -> permits.acquireUninterruptibly();
	}

	private static Consumer<Change<Thing>> waitingFor(Semaphore permits, CountDownLatch called) {
		return (change) -> {
			called.countDown();
			permits.acquireUninterruptibly();
		};
	}

	private HandlerRegistration add(Recorder recorder) {
		return this.things.informer.addEventHandler(recorder);
	}

	@Test
	void theInterruptFlagIsClearedBeforeTheNextChange() throws Exception {
		Recorder recorder = new Recorder();
		List<Boolean> interrupted = new CopyOnWriteArrayList<>();
		recorder.hook = (change) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			Thread.currentThread().interrupt();
		};
		add(recorder);
		this.things.startWith("2", Thing.of("a", "1"), Thing.of("b", "2"));
		await().until(() -> recorder.synced.size() == 1);
		assertThat(interrupted).containsExactly(false, false);
	}

	@Test
	void c219_aHandlerAddedBeforeTheStartSyncsWithTheFirstList() throws Exception {
		Recorder recorder = new Recorder();
		HandlerRegistration registration = add(recorder);
		assertThat(registration.hasSynced()).isFalse();
		this.things.startWith("1", Thing.of("a", "1"));
		registration.synced().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(registration.hasSynced()).isTrue();
		recorder.awaitChanges("+a@1 initial");
	}

	@Test
	void c221_aLateHandlerGetsTheStoredObjectsAndThenTheChanges() throws Exception {
		Recorder early = new Recorder();
		add(early);
		ScriptedSource.Stream watch = this.things.startWith("2", Thing.of("a", "1"), Thing.of("b", "2"));
		await().until(() -> early.synced.size() == 1);
		Recorder late = new Recorder();
		Semaphore permits = new Semaphore(0);
		late.hook = takingOneFor(permits);
		HandlerRegistration registration = add(late);
		watch.modified(Thing.of("a", "3")).deleted(Thing.of("b", "4")).added(Thing.of("c", "5"));
		early.awaitChanges("+a@1 initial", "+b@2 initial", "~a@1>a@3", "-b@4", "+c@5");
		assertThat(registration.hasSynced()).isFalse();
		permits.release(100);
		await().until(() -> late.changes.size() == 5);
		assertThat(late.changes.subList(0, 2)).containsExactlyInAnyOrder("+a@1 initial", "+b@2 initial");
		assertThat(late.changes.subList(2, 5)).containsExactly("~a@1>a@3", "-b@4", "+c@5");
		await().until(registration::hasSynced);
		assertThat(late.synced).containsExactly("2");
	}

	@Test
	void i40_addingAHandlerWaitsNeitherForASlowHandlerNorForTheBlockedWriter() throws Exception {
		use(TestInformer.options(Ordering.ARRIVAL, 2));
		Recorder stuck = new Recorder();
		Semaphore permits = new Semaphore(0);
		stuck.hook = takingOneFor(permits);
		add(stuck);
		ScriptedSource.Stream watch = this.things.startWith("1");
		for (int i = 2; i < 20; i++) {
			watch.added(Thing.of("t" + i, "" + i));
		}
		// the handler holds one change, its queue two, and the writer waits with the
		// fourth
		await().until(() -> this.things.informer.status().queueDepth() >= 5 && this.things.mirror().size() == 4);
		Recorder late = new Recorder();
		HandlerRegistration registration = add(late);
		await().until(registration::hasSynced);
		assertThat(late.folded()).isEqualTo(this.things.mirror());
		permits.release(100);
		await().untilAsserted(() -> assertThat(late.changes).doesNotHaveDuplicates().hasSize(18));
		assertThat(late.folded()).hasSize(18).isEqualTo(this.things.mirror());
	}

	@Test
	void i42_theSameHandlerMayBeRegisteredTwiceAndRemovedOnce() throws Exception {
		Recorder recorder = new Recorder();
		HandlerRegistration first = add(recorder);
		HandlerRegistration second = add(recorder);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		recorder.awaitChanges("+a@1 initial", "+a@1 initial");
		first.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		first.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		watch.modified(Thing.of("a", "2"));
		recorder.awaitChanges("+a@1 initial", "+a@1 initial", "~a@1>a@2");
		await().until(second::hasSynced);
	}

	@Test
	void c227_removalDropsWaitingChangesAndTheRunningCallCompletes() throws Exception {
		Recorder recorder = new Recorder();
		Semaphore permits = new Semaphore(0);
		CountDownLatch called = new CountDownLatch(1);
		recorder.hook = waitingFor(permits, called);
		HandlerRegistration registration = add(recorder);
		this.things.startWith("1", Thing.of("a", "1"), Thing.of("b", "1"));
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> removed = registration.remove().toCompletableFuture();
		assertThat(removed).isNotDone();
		permits.release(10);
		removed.get(30, TimeUnit.SECONDS);
		assertThat(recorder.changes).hasSize(1);
		assertThat(registration.synced().toCompletableFuture()).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withRootCauseInstanceOf(CancellationException.class);
		assertThat(registration.hasSynced()).isFalse();
	}

	@Test
	void drainingDeliversWaitingChangesAndNoNewOnes() throws Exception {
		Recorder recorder = new Recorder();
		Semaphore permits = new Semaphore(0);
		CountDownLatch called = new CountDownLatch(1);
		recorder.hook = waitingFor(permits, called);
		HandlerRegistration registration = add(recorder);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"), Thing.of("b", "1"));
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		await().until(() -> this.things.informer.status().queueDepth() == 2);
		CompletableFuture<Void> drained = registration.drain().toCompletableFuture();
		watch.added(Thing.of("c", "2"));
		await().until(() -> this.things.mirror().size() == 3);
		assertThat(drained).isNotDone();
		permits.release(10);
		drained.get(30, TimeUnit.SECONDS);
		assertThat(recorder.changes).hasSize(2);
	}

	/** {@code onStop} wakes a handler that waits, for example for its next attempt. */
	@Test
	void drainingCallsOnStopOnce() throws Exception {
		CountDownLatch called = new CountDownLatch(1);
		Semaphore told = new Semaphore(0);
		AtomicInteger ends = new AtomicInteger();
		HandlerRegistration registration = this.things.informer.addEventHandler(new ResourceEventHandler<Thing>() {

			@Override
			public void onChange(Change<Thing> change) {
				called.countDown();
				told.acquireUninterruptibly();
			}

			@Override
			public void onStop() {
				ends.incrementAndGet();
				told.release();
			}

		});
		this.things.startWith("1", Thing.of("a", "1"));
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> drained = registration.drain().toCompletableFuture();
		assertThat(ends).hasValue(1);
		registration.drain();
		this.things.stop();
		drained.get(30, TimeUnit.SECONDS);
		registration.remove();
		assertThat(ends).hasValue(1);
	}

	@Test
	void drainingAgainDoesNotCallOnStopTwice() throws Exception {
		this.things.startWith("1", Thing.of("a", "1"));
		for (int i = 0; i < 1000; i++) {
			AtomicInteger ends = new AtomicInteger();
			HandlerRegistration registration = this.things.informer.addEventHandler(new ResourceEventHandler<Thing>() {

				@Override
				public void onChange(Change<Thing> change) {
				}

				@Override
				public void onStop() {
					ends.incrementAndGet();
				}

			});
			CompletableFuture<Void> drained = registration.drain().toCompletableFuture();
			while (!drained.isDone()) {
				registration.drain();
			}
			assertThat(ends).hasValue(1);
		}
	}

	@Test
	void drainingEndsAtItsTimeout() throws Exception {
		Recorder recorder = new Recorder();
		Semaphore permits = new Semaphore(0);
		CountDownLatch called = new CountDownLatch(1);
		recorder.hook = waitingFor(permits, called);
		HandlerRegistration registration = add(recorder);
		this.things.startWith("1", Thing.of("a", "1"), Thing.of("b", "1"));
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		await().until(() -> this.things.informer.status().queueDepth() == 2);
		CompletableFuture<Void> drained = registration.drain().toCompletableFuture();
		this.things.time.advance(ReflectorOptions.DEFAULT.delivery().drainTimeout().plusNanos(1));
		permits.release(10);
		drained.get(30, TimeUnit.SECONDS);
		assertThat(recorder.changes).hasSize(1);
	}

	@Test
	void drainingEndsInEveryPhase() throws Exception {
		assertThat(add(new Recorder()).drain().toCompletableFuture()).as("never started").isCompleted();
		HandlerRegistration idle = add(new Recorder());
		HandlerRegistration last = add(new Recorder());
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(() -> idle.hasSynced() && last.hasSynced());
		idle.drain().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(idle.drain().toCompletableFuture()).as("again").isCompleted();
		this.things.stop();
		assertThat(last.drain().toCompletableFuture()).as("stopped").isCompleted();
	}

	@Test
	void drainingCompletesWhenTheReflectorStops() throws Exception {
		Recorder recorder = new Recorder();
		Semaphore permits = new Semaphore(0);
		recorder.hook = takingOneFor(permits);
		HandlerRegistration registration = add(recorder);
		this.things.startWith("1", Thing.of("a", "1"), Thing.of("b", "1"));
		// the depth counts objects that are still on their way to the handler, too
		await().until(permits::hasQueuedThreads);
		CompletableFuture<Void> drained = registration.drain().toCompletableFuture();
		CompletableFuture<Void> stopped = this.things.informer.stop().toCompletableFuture();
		permits.release(10);
		stopped.get(30, TimeUnit.SECONDS);
		drained.get(30, TimeUnit.SECONDS);
		assertThat(recorder.changes).hasSize(2);
	}

	@Test
	void i43_removingAStuckHandlerUnblocksTheMirror() throws Exception {
		use(TestInformer.options(Ordering.ARRIVAL, 2));
		Recorder stuck = new Recorder();
		Semaphore permits = new Semaphore(0);
		stuck.hook = takingOneFor(permits);
		HandlerRegistration registration = add(stuck);
		ScriptedSource.Stream watch = this.things.startWith("1");
		for (int i = 2; i < 20; i++) {
			watch.added(Thing.of("t" + i, "" + i));
		}
		await().until(() -> this.things.informer.status().queueDepth() >= 5);
		registration.remove();
		await().until(() -> this.things.mirror().size() == 18);
		permits.release();
	}

	@Test
	void aHandlerMayRemoveItself() throws Exception {
		CompletableFuture<HandlerRegistration> registration = new CompletableFuture<>();
		Recorder recorder = new Recorder();
		recorder.hook = (change) -> registration.join().remove();
		registration.complete(add(recorder));
		this.things.startWith("1", Thing.of("a", "1"), Thing.of("b", "1"));
		registration.get().remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		await().until(this.things.informer::hasSynced);
		assertThat(recorder.changes).hasSizeLessThan(2);
	}

	@Test
	void aHandlerAddedWhileStoppedBeginsWithTheStoredObjects() throws Exception {
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(this.things.informer::hasSynced);
		this.things.stop();
		Recorder recorder = new Recorder();
		HandlerRegistration registration = add(recorder);
		this.things.startWith("3", Thing.of("a", "1"), Thing.of("b", "3"));
		await().until(registration::hasSynced);
		recorder.awaitChanges("+a@1 initial", "+b@3 initial");
	}

	@Test
	void e33_changesNotDeliveredInTimeAreDeliveredAfterTheNextStart() throws Exception {
		Recorder recorder = new Recorder();
		Semaphore permits = new Semaphore(0);
		recorder.hook = takingOneFor(permits);
		add(recorder);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		watch.added(Thing.of("b", "2")).modified(Thing.of("a", "3"));
		await().until(() -> this.things.mirror().equals(List.of("a@3", "b@2")));
		await().until(() -> this.things.informer.status().queueDepth() == 3 && permits.hasQueuedThreads());
		var stopped = this.things.informer.stop().toCompletableFuture();
		this.things.time.advance(Duration.ofMinutes(1));
		permits.release();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(recorder.changes).containsExactly("+a@1 initial");
		permits.release(10);
		this.things.startWith("9", Thing.of("a", "9"));
		// the interrupted call counts as not delivered
		recorder.awaitChanges("+a@1 initial", "+a@1 initial", "+b@2", "~a@1>a@3", "-b@2 unseen", "~a@3>a@9");
	}

	@Test
	void everyHandlerGetsChangesAfterTwoStopsAndAnImmediateStart() throws Exception {
		Recorder recorder = new Recorder();
		add(recorder);
		add(recorder);
		this.things.startWith("1", Thing.of("a", "1"));
		recorder.awaitChanges("+a@1 initial", "+a@1 initial");
		for (int i = 2; i < 100; i++) {
			Thing thing = Thing.of("a", "" + i);
			this.things.source.answer("" + i, thing);
			this.things.informer.stop();
			this.things.informer.stop();
			this.things.informer.start();
			this.things.source.nextWatch();
			String version = thing.toString();
			InformerHarness.soon().untilAsserted(() -> {
				List<String> told = recorder.changes.stream().filter((change) -> change.endsWith(version)).toList();
				assertThat(told).as("among %s, of %s", recorder.changes, this.things.informer.status()).hasSize(2);
			});
		}
		assertThat(recorder.changes).hasSize(2 * 99);
	}

	@Test
	void i47_aHandlerThatThrowsOnEveryAdditionSyncs() throws Exception {
		Recorder recorder = new Recorder();
		recorder.hook = (change) -> {
			throw new IllegalStateException("thrown by a test");
		};
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(this.things.informer::hasSynced);
		HandlerRegistration registration = add(recorder);
		await().until(registration::hasSynced);
		assertThat(this.things.informer.status().counts().errors()).isOne();
	}

	@Test
	void c263_aNullHandlerIsRejected() throws Exception {
		assertThatNullPointerException().isThrownBy(() -> this.things.informer.addEventHandler(null))
			.withMessage("'handler' must not be null");
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(this.things.informer::hasSynced);
	}

	@Test
	void aClosedInformerRefusesHandlersAndStarts() throws Exception {
		Recorder recorder = new Recorder();
		HandlerRegistration registration = add(recorder);
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(registration::hasSynced);
		this.things.informer.close();
		registration.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThatIllegalStateException().isThrownBy(() -> add(recorder));
		assertThatIllegalStateException().isThrownBy(this.things.informer::start);
	}

	@Test
	void c202_theSmallestPeriodAskedForBeforeTheStartIsTheCheckPeriod() throws Exception {
		use(TestInformer.listing().resyncPeriod(Duration.ofHours(12)).build());
		HandlerRegistration never = this.things.informer.addEventHandler(new Recorder(), Duration.ZERO);
		HandlerRegistration standard = add(new Recorder());
		HandlerRegistration minute = this.things.informer.addEventHandler(new Recorder(), Duration.ofMinutes(1));
		HandlerRegistration often = this.things.informer.addEventHandler(new Recorder(), Duration.ofSeconds(55));
		HandlerRegistration hasty = this.things.informer.addEventHandler(new Recorder(), Duration.ofMillis(1));
		assertThat(never.resyncPeriod()).isZero();
		assertThat(standard.resyncPeriod()).hasHours(12);
		assertThat(minute.resyncPeriod()).hasMinutes(1);
		assertThat(often.resyncPeriod()).hasSeconds(55);
		assertThat(hasty.resyncPeriod()).hasSeconds(1);
		this.things.startWith("1");
		await().until(() -> this.things.time.waiting().contains(Duration.ofSeconds(1)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.things.informer.addEventHandler(new Recorder(), Duration.ofSeconds(-1)));
	}

	@Test
	void i31_afterTheStartTheCheckPeriodIsFixedAndZeroMeansNever() throws Exception {
		use(TestInformer.listing().resyncPeriod(Duration.ofMinutes(10)).build());
		this.things.startWith("1");
		assertThat(this.things.informer.addEventHandler(new Recorder(), Duration.ofMinutes(1)).resyncPeriod())
			.hasMinutes(10);
		use(TestInformer.options());
		assertThat(this.things.informer.addEventHandler(new Recorder(), Duration.ofMinutes(1)).resyncPeriod()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void c199_onlyHandlersThatAreDueGetAResync(Ordering ordering) throws Exception {
		use(TestInformer.listing(ordering, 100).resyncPeriod(Duration.ofSeconds(10)).build());
		Recorder never = new Recorder();
		Recorder late = new Recorder();
		Recorder ten = new Recorder();
		Recorder twenty = new Recorder();
		this.things.informer.addEventHandler(never, Duration.ZERO);
		this.things.informer.addEventHandler(late, Duration.ofSeconds(Long.MAX_VALUE));
		add(ten);
		this.things.informer.addEventHandler(twenty, Duration.ofSeconds(20));
		this.things.startWith("1", Thing.of("a", "1"));
		for (int i = 0; i <= 4; i++) {
			int times = i;
			if (ordering == Ordering.PER_KEY) {
				// handlers are chosen when a resync is queued, so the previous resync
				// must have been handed out
				await().until(() -> ten.changes.size() == 1 + times);
				await().until(() -> this.things.informer.status().queueDepth() == 0);
			}
			if (i < 4) {
				await().until(() -> this.things.time.waiting().contains(Duration.ofSeconds(10)));
				this.things.time.advance(Duration.ofSeconds(10));
			}
		}
		await().until(() -> twenty.changes.size() == 3);
		assertThat(never.changes).containsExactly("+a@1 initial");
		assertThat(late.changes).containsExactly("+a@1 initial");
		this.things.informer.resync();
		await().until(() -> never.changes.size() == 2 && ten.changes.size() == 6 && twenty.changes.size() == 4);
	}

	@Test
	void i32_aSlowHandlerGetsItsWholeResyncAlthoughTheTimerFiresMeanwhile() throws Exception {
		use(TestInformer.listing(Ordering.ARRIVAL, 2).resyncPeriod(Duration.ofSeconds(10)).build());
		Recorder ten = new Recorder();
		Recorder twenty = new Recorder();
		Semaphore permits = new Semaphore(6);
		twenty.hook = takingOneFor(permits);
		add(ten);
		this.things.informer.addEventHandler(twenty, Duration.ofSeconds(20));
		this.things.startWith("1", InformerFixture.things(6, "1"));
		await().until(() -> ten.changes.size() == 6 && twenty.changes.size() == 6);
		for (int i = 1; i <= 4; i++) {
			await().until(() -> this.things.time.waiting().contains(Duration.ofSeconds(10)));
			this.things.time.advance(Duration.ofSeconds(10));
		}
		await().until(() -> this.things.time.waiting().contains(Duration.ofSeconds(10)));
		permits.release(100);
		await().until(() -> ten.changes.size() == 30 && twenty.changes.size() == 18);
	}

	@Test
	void aHandlerWithoutAThreadHoldsUpNothing() throws Exception {
		use(TestInformer.options(Ordering.ARRIVAL, 3));
		Recorder recorder = new Recorder();
		add(recorder);
		ScriptedSource.Stream watch = this.things.startWith("1");
		await().until(() -> recorder.synced.size() == 1);
		Recorder late = new Recorder();
		List<Throwable> errors = new CopyOnWriteArrayList<>();
		this.things.noThread = new Error("unable to create native thread");
		assertThatExceptionOfType(Error.class).isThrownBy(() -> add(late));
		this.things.informer.changes().subscribe((change) -> {
		}, errors::add);
		assertThat(errors).containsExactly(this.things.noThread);
		this.things.noThread = null;
		for (int i = 2; i < 12; i++) {
			watch.added(Thing.of("t" + i, "" + i));
			int added = i - 1;
			await().until(() -> recorder.changes.size() == added);
		}
		this.things.stop();
		this.things.startWith("12", Thing.of("t12", "12"));
		await().until(() -> recorder.changes.contains("+t12@12 initial"));
		assertThat(late.changes).isEmpty();
		this.things.stop();
		this.things.noThread = new Error("unable to create native thread");
		assertThatExceptionOfType(Error.class).isThrownBy(() -> this.things.startWith("13"));
		assertThat(this.things.informer.status().state()).isEqualTo(ReflectorState.STOPPED);
	}

	@Test
	void theNameOfAHandlerIsReadOnceAndItsExceptionIsThrownToTheCaller() throws Exception {
		List<String> changes = new CopyOnWriteArrayList<>();
		AtomicInteger names = new AtomicInteger();
		ResourceEventHandler<Thing> handler = new ResourceEventHandler<>() {

			@Override
			public String name() {
				if (names.getAndIncrement() > 0) {
					throw new IllegalStateException("no second name");
				}
				return "the first name";
			}

			@Override
			public void onChange(Change<Thing> change) {
				changes.add(change.object().toString());
			}

		};
		HandlerRegistration registration = this.things.informer.addEventHandler(handler, Duration.ofMillis(1));
		assertThatIllegalStateException().isThrownBy(() -> this.things.informer.addEventHandler(handler))
			.withMessage("no second name");
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		watch.added(Thing.of("b", "2"));
		await().untilAsserted(() -> assertThat(changes).containsExactly("a@1", "b@2"));
		registration.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(this.things.informer.state()).isNotEqualTo(ReflectorState.STOPPED);
		assertThat(names).hasValue(2);
	}

	@Test
	void aReflectorWithoutOneOfItsThreadsStopsEvenIfThatCannotBeLogged() throws Exception {
		AppenderBase<ILoggingEvent> full = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent line) {
				// the first error ends the thread of the handler
				if (line.getMessage().contains("a listener failed on")
						|| line.getMessage().contains("its thread {} has failed")) {
					throw new Error("no room for the line");
				}
			}

		};
		Logger logger = (Logger) LoggerFactory.getLogger("dev.reflector.Reflector");
		full.start();
		logger.addAppender(full);
		try {
			this.things.informer.addEventHandler((change) -> {
				throw new IllegalStateException("it has failed");
			});
			this.things.source.answer("1", Thing.of("a", "1"));
			this.things.informer.start();
			await().dontCatchUncaughtExceptions().until(() -> this.things.informer.state() == ReflectorState.STOPPED);
		}
		finally {
			logger.detachAppender(full);
		}
	}

	@Test
	void e09_aFullQueueMergesChangesOfOneObjectAndDoesNotBlock() throws Exception {
		use(TestInformer.options(Ordering.ARRIVAL, 3));
		Recorder recorder = new Recorder();
		Semaphore permits = new Semaphore(0);
		recorder.hook = takingOneFor(permits);
		add(recorder);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"), Thing.of("b", "1"));
		for (int i = 2; i < 500; i++) {
			watch.modified(Thing.of("a", "" + i));
		}
		await().untilAsserted(() -> assertThat(this.things.mirror()).containsExactly("a@499", "b@1"));
		await().until(() -> this.merged.get() > 490);
		permits.release(1000);
		await().untilAsserted(() -> assertThat(recorder.folded()).isEqualTo(this.things.mirror()));
		assertThat(recorder.changes).hasSizeLessThan(10);
	}

	@Test
	void e09_withBlockEveryChangeIsDelivered() throws Exception {
		use(TestInformer.listing(Ordering.ARRIVAL, 3).overflow(Overflow.BLOCK).build());
		Recorder recorder = new Recorder();
		Semaphore permits = new Semaphore(0);
		recorder.hook = takingOneFor(permits);
		add(recorder);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		for (int i = 2; i < 100; i++) {
			watch.modified(Thing.of("a", "" + i));
		}
		await().until(() -> this.things.informer.status().queueDepth() >= 7);
		permits.release(1000);
		await().until(() -> recorder.changes.size() == 99);
		assertThat(this.merged).hasValue(0);
	}

}
