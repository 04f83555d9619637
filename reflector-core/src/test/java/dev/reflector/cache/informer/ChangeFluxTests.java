package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link SharedInformer#changes()}.
 */
@Timeout(60)
class ChangeFluxTests {

	private final TestInformer things = TestInformer.with(TestInformer.options(Ordering.ARRIVAL, 3));

	@AfterEach
	void close() throws Exception {
		this.things.close();
	}

	private Flux<String> changes() {
		return this.things.informer.changes()
			.map((change) -> change.type() + " " + change.object() + (change.initialList() ? " initial" : ""));
	}

	private static boolean hasStreamThread() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals("reflector-things-stream"));
	}

	@Test
	void beginsWithTheStateAndGoesOnWithChanges() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		await().until(this.things.informer::hasSynced);
		await().until(() -> !hasStreamThread());
		StepVerifier.create(changes())
			.expectNext("ADDED a@1 initial")
			.then(() -> watch.modified(Thing.of("a", "2")).deleted(Thing.of("a", "3")))
			.expectNext("UPDATED a@2", "DELETED a@3")
			.thenCancel()
			.verify();
		await().until(() -> !hasStreamThread());
	}

	@Test
	void aSubscriptionBeforeTheStartBeginsWithTheFirstCompleteState() throws Exception {
		CompletableFuture<List<String>> first = changes().take(20).collectList().toFuture();
		Thing[] many = new Thing[20];
		for (int i = 0; i < many.length; i++) {
			many[i] = Thing.of("t" + i, "" + (i + 1));
		}
		this.things.startWith("30", many);
		assertThat(first.get(30, TimeUnit.SECONDS)).hasSize(20).allMatch((change) -> change.endsWith(" initial"));
	}

	@Test
	void aSubscriberGetsNoMoreThanItRequested() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("2", Thing.of("a", "1"), Thing.of("b", "2"));
		await().until(this.things.informer::hasSynced);
		StepVerifier.create(changes(), 0)
			.thenRequest(1)
			.expectNextCount(1)
			.then(() -> watch.added(Thing.of("c", "3")))
			.thenAwait()
			.thenRequest(1)
			.expectNextCount(1)
			.thenRequest(1)
			.expectNext("ADDED c@3")
			.thenCancel()
			.verify();
	}

	@Test
	void aSubscriberWithoutRequestsDoesNotBlockAndLaterGetsTheLastState() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("1");
		await().until(this.things.informer::hasSynced);
		StepVerifier.create(changes(), 0).then(() -> {
			watch.added(Thing.of("a", "2")).added(Thing.of("b", "3")).added(Thing.of("c", "4"));
			for (int i = 5; i < 100; i++) {
				watch.modified(Thing.of("a", "" + i));
			}
			await().until(() -> this.things.mirror().contains("a@99"));
			// all changes have reached the queue of the subscriber
			await().until(() -> this.things.informer.status().queueDepth() == 3);
		}).thenRequest(3).expectNext("ADDED a@99", "ADDED b@3", "ADDED c@4").thenCancel().verify();
	}

	@Test
	void aFullStreamWhoseChangesCannotBeMergedEndsWithAnError() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("1");
		await().until(this.things.informer::hasSynced);
		StepVerifier.create(changes(), 0).then(() -> {
			for (int i = 2; i < 100; i++) {
				watch.added(Thing.of("t" + i, "" + i));
			}
			await().until(() -> this.things.mirror().size() == 98);
		}).expectErrorMatches(Exceptions::isOverflow).verify();
		StepVerifier.create(changes()).expectNextCount(98).thenCancel().verify();
	}

	@Test
	void aResyncDoesNotOverflowAStream() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("z", "1"), Thing.of("y", "1"),
				Thing.of("x", "1"), Thing.of("w", "1"), Thing.of("v", "1"));
		await().until(this.things.informer::hasSynced);
		StepVerifier.create(changes(), 5).expectNextCount(5).then(() -> {
			this.things.informer.resync();
			watch.bookmark("9");
			await().until(() -> this.things.informer.lister().hasReached("9"));
		}).thenRequest(3).expectNextCount(3).thenCancel().verify();
	}

	@Test
	void survivesARestartAndCompletesOnClose() throws Exception {
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(this.things.informer::hasSynced);
		StepVerifier.create(changes()).expectNext("ADDED a@1 initial").then(() -> {
			try {
				this.things.stop();
				this.things.startWith("5", Thing.of("b", "5"));
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}).expectNext("DELETED a@1", "ADDED b@5 initial").then(this.things.informer::close).verifyComplete();
		StepVerifier.create(changes()).verifyComplete();
	}

	@Test
	void completesWhenClosedAfterAStop() throws Exception {
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(this.things.informer::hasSynced);
		CompletableFuture<List<String>> all = changes().collectList().toFuture();
		Disposable cancelled = changes().subscribe();
		cancelled.dispose();
		this.things.stop();
		this.things.informer.close();
		assertThat(all.get(30, TimeUnit.SECONDS)).containsExactly("ADDED a@1 initial");
	}

	@Test
	void completesOnlyAfterACallThatTheCloseNoLongerAwaits() throws Exception {
		CountDownLatch called = new CountDownLatch(1);
		CompletableFuture<Void> go = new CompletableFuture<>();
		List<String> signals = new CopyOnWriteArrayList<>();
		BaseSubscriber<String> subscriber = new BaseSubscriber<>() {

			@Override
			protected void hookOnNext(String value) {
				called.countDown();
				// ignores the interrupt
				go.join();
				signals.add(value);
			}

			@Override
			protected void hookOnComplete() {
				signals.add("complete");
			}

		};
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(this.things.informer::hasSynced);
		changes().subscribe(subscriber);
		called.await();
		CompletableFuture<Void> stopped = this.things.informer.stop().toCompletableFuture();
		this.things.informer.close();
		this.things.time.advance(ReflectorOptions.DEFAULT.delivery().drainTimeout());
		this.things.time.advance(Duration.ofSeconds(2));
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(signals).isEmpty();
		go.complete(null);
		await().untilAsserted(() -> assertThat(signals).containsExactly("ADDED a@1 initial", "complete"));
	}

	@Test
	void deliversNothingWhenCancelledDuringSubscription() throws Exception {
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(this.things.informer::hasSynced);
		BaseSubscriber<String> subscriber = new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
				subscription.request(1);
				cancel();
			}

			@Override
			protected void hookOnNext(String value) {
				throw new IllegalStateException("must not be called");
			}

		};
		changes().subscribe(subscriber);
		assertThat(subscriber.isDisposed()).isTrue();
		await().until(() -> !hasStreamThread());
		assertThat(this.things.informer.status().counts().errors()).isZero();
	}

}
