package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.ReflectorState;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * E-21: the reflector waits for a type that is not served, and does not list it again and
 * again.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwaitingTypeTests {

	private static final TypeNotServedException NOT_SERVED = new TypeNotServedException(
			"the server does not serve example.com/v1 Thing");

	private final InformerFixture things = new InformerFixture();

	private final List<Sinks.Empty<Void>> waits = new CopyOnWriteArrayList<>();

	private final AtomicInteger givenUp = new AtomicInteger();

	@BeforeEach
	void waitForTypes() {
		this.things.listerWatcher = new ListerWatcher<>() {

			@Override
			public Mono<ListPage<Thing>> list(ListOptions options) {
				return AwaitingTypeTests.this.things.source.list(options);
			}

			@Override
			public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
				return AwaitingTypeTests.this.things.source.watch(options);
			}

			@Override
			public Mono<Void> awaitType() {
				Sinks.Empty<Void> wait = Sinks.empty();
				AwaitingTypeTests.this.waits.add(wait);
				return wait.asMono().doOnCancel(AwaitingTypeTests.this.givenUp::incrementAndGet);
			}

		};
	}

	@AfterEach
	void stop() throws Exception {
		this.things.stop();
	}

	private void awaitAwaiting(int times) {
		await().until(() -> this.waits.size() == times && this.things.informer.state() == ReflectorState.AWAITING_TYPE);
	}

	@Test
	void waitsUntilTheTypeAppearsAndLogsItOnce(CapturedOutput output) throws Exception {
		this.things.source.failList(NOT_SERVED).failList(NOT_SERVED).answer("5", Thing.of("a", "4"));
		this.things.start(InformerFixture.listing());
		awaitAwaiting(1);
		assertThat(this.things.informer.status()).satisfies((status) -> {
			assertThat(status.failingSince()).isNotNull();
			assertThat(status.lastError().reason()).isEqualTo("TypeNotServed");
			assertThat(status.synced()).isFalse();
		});
		assertThat(this.things.ends).containsExactly(RelistReason.LIST_FAILED);
		// the signal that the type is served may be wrong, so a delay comes first
		this.waits.get(0).tryEmitEmpty();
		await().until(() -> this.things.time.waiting().equals(List.of(Duration.ofMillis(800))));
		assertThat(this.things.source.lists).hasSize(1);
		this.things.time.advance(Duration.ofMillis(800));
		awaitAwaiting(2);
		assertThat(this.things.source.lists).hasSize(2);
		this.waits.get(1).tryEmitEmpty();
		await().until(() -> this.things.time.waiting().equals(List.of(Duration.ofMillis(800))));
		this.things.time.advance(Duration.ofMillis(800));
		this.things.awaitMirror("a@4");
		this.things.source.nextWatch();
		await().until(() -> this.things.informer.state() == ReflectorState.WATCHING);
		assertThat(this.things.informer.status().failingSince()).isNull();
		assertThat(output).containsOnlyOnce(
				"waiting until the server serves this type: the server does not serve " + "example.com/v1 Thing");
	}

	@Test
	void listsAgainAfterTheLongestDelay() {
		this.things.source.failList(NOT_SERVED).answer("5");
		this.things.start(InformerFixture.listing());
		awaitAwaiting(1);
		await().until(() -> this.things.time.waiting().equals(List.of(Duration.ofSeconds(30))));
		this.things.time.advance(Duration.ofSeconds(30));
		this.things.awaitVersion("5");
		assertThat(this.givenUp).hasValue(1);
	}

	@Test
	void afterAFailedWaitTheLongestDelayStillApplies() {
		this.things.source.failList(NOT_SERVED).answer("5");
		this.things.start(InformerFixture.listing());
		awaitAwaiting(1);
		this.waits.get(0).tryEmitError(new IllegalStateException("no idea"));
		await().until(() -> this.things.time.waiting().equals(List.of(Duration.ofSeconds(30))));
		assertThat(this.things.informer.state()).isEqualTo(ReflectorState.AWAITING_TYPE);
	}

	@Test
	void keepsTheMirrorOfATypeThatIsTakenAway() throws Exception {
		this.things.source.answer("5", Thing.of("a", "4")).failWatch(NOT_SERVED).answer("9", Thing.of("b", "8"));
		this.things.start(InformerFixture.listing());
		awaitAwaiting(1);
		assertThat(this.things.ends).containsExactly(RelistReason.WATCH_FAILED);
		this.things.awaitMirror("a@4");
		this.things.informer.relist();
		this.things.awaitMirror("b@8");
		assertThat(this.givenUp).hasValue(1);
	}

	@Test
	void anotherFailureLeadsToBackOff() {
		this.things.source.failList(NOT_SERVED).failList(ScriptedSource.status(500, "InternalError"));
		this.things.start(InformerFixture.listing());
		awaitAwaiting(1);
		this.things.informer.relist();
		await().until(() -> this.things.informer.state() == ReflectorState.BACKING_OFF);
	}

	@Test
	void pausingEndsTheWait() {
		this.things.source.failList(NOT_SERVED).answer("5");
		this.things.start(InformerFixture.listing());
		awaitAwaiting(1);
		this.things.informer.pause();
		await().until(() -> this.things.informer.state() == ReflectorState.PAUSED);
		assertThat(this.givenUp).hasValue(1);
		this.things.informer.resume();
		this.things.awaitVersion("5");
	}

}
