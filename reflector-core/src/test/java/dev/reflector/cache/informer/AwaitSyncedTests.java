package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.fixture.FakeReflector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Reflector#awaitSynced(Duration)}.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwaitSyncedTests {

	/** Longer than any of these tests may take. */
	private static final Duration LONG = Duration.ofDays(200_000);

	private final TestInformer server = TestInformer.with(TestInformer.options());

	private final SharedInformer<Thing> informer = this.server.informer;

	@AfterEach
	void close() throws Exception {
		this.server.stop();
		this.server.threads.shutdownNow();
	}

	private void startFailing() {
		this.server.source.failList(ScriptedSource.status(503, "ServiceUnavailable"));
		this.informer.start();
		await().until(() -> this.informer.state() == ReflectorState.BACKING_OFF);
	}

	private void recover(String version, Thing... things) {
		this.server.source.answer(version, things);
		await().until(() -> !this.server.time.waiting().isEmpty());
		this.server.time.advance(Duration.ofMinutes(1));
	}

	@Test
	void i26_returnsAtOnceWhenAlreadySynced() throws Exception {
		this.server.startWith("1", Thing.of("a", "1"));
		await().until(this.informer::hasSynced);
		assertThat(this.informer.awaitSynced(Duration.ZERO)).isTrue();
		assertThat(this.informer.awaitSynced(Duration.ofSeconds(-1))).isTrue();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
	}

	@Test
	void aTimeoutMayBeLongerThanAnyClockCounts() throws Exception {
		Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			// a bean that waits while Spring creates it is warned of
			context.registerBean("waiting", Object.class, () -> {
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(InterruptedException.class)
					.isThrownBy(() -> this.informer.awaitSynced(forever));
				return new Object();
			});
			context.refresh();
		}
		this.server.startWith("1", Thing.of("a", "1"));
		assertThat(this.informer.awaitSynced(forever)).isTrue();
	}

	@Test
	void i26_returnsFalseWhenTheTimeHasPassed() throws Exception {
		assertThat(this.informer.awaitSynced(Duration.ZERO)).isFalse();
		this.informer.start();
		assertThat(this.informer.awaitSynced(Duration.ofMillis(20))).isFalse();
	}

	@Test
	void i26_returnsWhenTheFirstListIsInTheMirror() throws Exception {
		startFailing();
		Waiting waiting = new Waiting(() -> this.informer.awaitSynced(LONG));
		recover("1", Thing.of("a", "1"));
		assertThat(waiting.result()).isTrue();
		assertThat(this.informer.lister().size()).isEqualTo(1);
	}

	@Test
	void aNamespaceThatIsNamedTwiceIsListedOnce() throws Exception {
		TestInformer twice = TestInformer.with(TestInformer.options(), "default", "default");
		try {
			twice.startWith("1", Thing.of("a", "1"));
			await().until(twice.informer::hasSynced);
			assertThat(twice.informer.namespaces()).containsExactly("default");
		}
		finally {
			twice.close();
		}
	}

	@Test
	void allWaitingThreadsAreWoken() throws Exception {
		startFailing();
		Waiting one = new Waiting(() -> this.informer.awaitSynced(LONG));
		Waiting other = new Waiting(() -> this.informer.awaitSynced(LONG));
		recover("1");
		assertThat(one.result()).isTrue();
		assertThat(other.result()).isTrue();
	}

	@Test
	void waitsForAReflectorThatIsNotStartedYet() throws Exception {
		Waiting waiting = new Waiting(() -> this.informer.awaitSynced(LONG));
		this.server.startWith("1", Thing.of("a", "1"));
		assertThat(waiting.result()).isTrue();
	}

	@Test
	void waitsWhilePaused() throws Exception {
		this.informer.start();
		this.informer.pause();
		await().until(() -> this.informer.state() == ReflectorState.PAUSED);
		Waiting waiting = new Waiting(() -> this.informer.awaitSynced(LONG));
		this.server.source.answer("1", Thing.of("a", "1"));
		assertThat(waiting.isOver()).isFalse();
		this.informer.resume();
		assertThat(waiting.result()).isTrue();
	}

	@Test
	void aPauseAfterTheFirstListChangesNothing() throws Exception {
		this.server.startWith("1", Thing.of("a", "1"));
		await().until(this.informer::hasSynced);
		this.informer.pause();
		await().until(() -> this.informer.state() == ReflectorState.PAUSED);
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
	}

	@Test
	void waitsForTheListOfTheNextStart() throws Exception {
		this.server.startWith("1", Thing.of("a", "1"));
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
		this.server.stop();
		startFailing();
		assertThat(this.informer.awaitSynced(Duration.ZERO)).isFalse();
		Waiting waiting = new Waiting(() -> this.informer.awaitSynced(LONG));
		recover("2", Thing.of("b", "2"));
		assertThat(waiting.result()).isTrue();
		assertThat(this.informer.lister().get("default", "b")).isNotNull();
	}

	@Test
	void waitsThroughAStopUntilTheNextStartHasSynced() throws Exception {
		this.informer.start();
		Waiting waiting = new Waiting(() -> this.informer.awaitSynced(LONG));
		this.server.stop();
		assertThat(waiting.isOver()).isFalse();
		this.server.source.forget();
		this.server.startWith("1", Thing.of("a", "1"));
		assertThat(waiting.result()).isTrue();
	}

	@Test
	void returnsFalseWhenTheReflectorIsClosed() throws Exception {
		this.informer.start();
		Waiting waiting = new Waiting(() -> this.informer.awaitSynced(LONG));
		this.informer.close();
		assertThat(waiting.result()).isFalse();
		assertThat(this.informer.awaitSynced(LONG)).isFalse();
	}

	@Test
	void anInterruptEndsTheWait() throws Exception {
		Waiting waiting = new Waiting(() -> this.informer.awaitSynced(LONG));
		waiting.thread.interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(waiting::result)
			.withCauseInstanceOf(InterruptedException.class);
	}

	@Test
	void c252_returnsTrueToAnInterruptedThreadWhenAlreadySynced() throws Exception {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.informer.awaitSynced(LONG));
		this.server.startWith("1", Thing.of("a", "1"));
		await().until(this.informer::hasSynced);
		Thread.currentThread().interrupt();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void aReflectorThatTheApplicationImplementsIsPolled() throws Exception {
		boolean[] synced = new boolean[1];
		Reflector<Thing> reflector = new FakeReflector<>("things",
				FakeReflector.status(ReflectorState.LISTING, false, null, null)) {

			@Override
			public boolean hasSynced() {
				boolean now = synced[0];
				synced[0] = true;
				return now;
			}

		};
		assertThat(reflector.awaitSynced(Duration.ZERO)).isFalse();
		synced[0] = false;
		assertThat(reflector.awaitSynced(LONG)).isTrue();
	}

	/** Waits on a separate thread. */
	private static final class Waiting {

		private final FutureTask<Boolean> task;

		private final Thread thread;

		Waiting(Callable<Boolean> wait) {
			this.task = new FutureTask<>(wait);
			this.thread = new Thread(this.task, "waiting");
			this.thread.setDaemon(true);
			this.thread.start();
			await().until(() -> this.thread.getState() == Thread.State.TIMED_WAITING);
		}

		boolean isOver() {
			return this.task.isDone();
		}

		boolean result() throws Exception {
			return this.task.get(30, TimeUnit.SECONDS);
		}

	}

}
