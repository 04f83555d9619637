package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.FakeReflector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.metrics.ApplicationStartup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ReflectorLifecycle}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorLifecycleTests {

	static final StrictStart LENIENT = strictStart(null);

	private static final ReflectorStatus SYNCED = FakeReflector.status(ReflectorState.WATCHING, true, null, null);

	private static final ReflectorStatus STARTING = FakeReflector.status(ReflectorState.STARTING, false, null, null);

	private static final ReflectorStatus FORBIDDEN = FakeReflector.status(ReflectorState.BACKING_OFF, false,
			FakeReflector.NOW, FakeReflector.forbidden());

	private final List<String> started = new CopyOnWriteArrayList<>();

	private final List<String> stopped = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> podsStopped = new CompletableFuture<>();

	private final CompletableFuture<Void> nodesStopped = new CompletableFuture<>();

	private final AtomicInteger callbacks = new AtomicInteger();

	@Test
	void startsBeforeTheWebServer() {
		assertThat(lifecycle(() -> this.podsStopped).getPhase()).isEqualTo(SmartLifecycle.DEFAULT_PHASE - 4096);
	}

	@Test
	void stopsInParallelAndCallsBackOnceWhenAllHaveStopped() {
		ReflectorLifecycle lifecycle = lifecycle(() -> this.podsStopped);
		lifecycle.start();
		assertThat(lifecycle.isRunning()).isTrue();
		assertThat(this.started).containsExactly("pods", "nodes");
		lifecycle.stop(this.callbacks::incrementAndGet);
		assertThat(lifecycle.isRunning()).isFalse();
		this.nodesStopped.complete(null);
		assertThat(this.callbacks).hasValue(0);
		this.podsStopped.complete(null);
		assertThat(this.callbacks).hasValue(1);
	}

	@Test
	void callsBackAtOnceWhenNotRunning() {
		lifecycle(() -> this.podsStopped).stop(this.callbacks::incrementAndGet);
		assertThat(this.callbacks).hasValue(1);
	}

	@Test
	void callsBackOnceWhenStoppingFails(CapturedOutput output) {
		ReflectorLifecycle lifecycle = lifecycle(() -> {
			throw new IllegalStateException("stop");
		});
		lifecycle.start();
		lifecycle.stop(this.callbacks::incrementAndGet);
		this.nodesStopped.completeExceptionally(new IllegalStateException("late"));
		assertThat(this.callbacks).hasValue(1);
		assertThat(output).contains("Reflector 'pods' could not be stopped")
			.contains("Reflector 'nodes' could not be stopped");
	}

	@Test
	void startsAgain() {
		this.podsStopped.complete(null);
		this.nodesStopped.complete(null);
		ReflectorLifecycle lifecycle = lifecycle(() -> this.podsStopped);
		lifecycle.start();
		lifecycle.start();
		lifecycle.stop();
		lifecycle.start();
		assertThat(lifecycle.isRunning()).isTrue();
		assertThat(this.started).containsExactly("pods", "nodes", "pods", "nodes");
	}

	@Test
	void strictStartTakesUntilAllHaveSynced() {
		AtomicInteger asked = new AtomicInteger();
		FakeReflector<?> slow = new FakeReflector<>("slow", STARTING) {
			@Override
			public boolean hasSynced() {
				return asked.incrementAndGet() > 3;
			}
		};
		ReflectorLifecycle lifecycle = strict(List.of(reflector("pods", SYNCED), managed(slow)));
		lifecycle.start();
		assertThat(asked).hasValue(4);
		assertThat(lifecycle.isRunning()).isTrue();
		assertThat(this.started).containsExactly("pods", "slow");
	}

	@Test
	void strictStartFailsAfterTheTimeoutAndStopsWhatItHasStarted() {
		ReflectorLifecycle lifecycle = strict(Duration.ofMillis(50),
				() -> List.of(reflector("pods", FORBIDDEN), reflector("nodes", SYNCED), reflector("jobs", STARTING)));
		assertThatExceptionOfType(ReflectorSyncTimeoutException.class).isThrownBy(lifecycle::start)
			.withMessage("'reflector.startup.strict' is set, and these reflectors have not synced within 0.05s "
					+ "('reflector.startup.timeout'): jobs (STARTING, no error), "
					+ "pods (BACKING_OFF, last error: 403 Forbidden: pods is forbidden)");
		assertThat(lifecycle.isRunning()).isFalse();
		assertThat(lifecycle.started()).isEmpty();
		assertThat(this.stopped).containsExactly("pods", "nodes", "jobs", "all");
	}

	@Test
	void strictStartThatHasFailedCanBeRepeated() {
		Deque<ManagedReflector> reflectors = new ArrayDeque<>(
				List.of(reflector("pods", FORBIDDEN), reflector("pods", SYNCED)));
		ReflectorLifecycle lifecycle = strict(Duration.ofMillis(50), () -> List.of(reflectors.remove()));
		assertThatExceptionOfType(ReflectorSyncTimeoutException.class).isThrownBy(lifecycle::start);
		lifecycle.start();
		assertThat(lifecycle.isRunning()).isTrue();
		assertThat(lifecycle.started()).hasSize(1);
	}

	@Test
	void strictStartThatIsInterruptedStopsWhatItHasStarted() throws Exception {
		ReflectorLifecycle lifecycle = strict(List.of(reflector("pods", STARTING)));
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				assertThatIllegalStateException().isThrownBy(lifecycle::start)
					.withMessage("The start was interrupted before the reflectors had synced");
				interrupted.complete(Thread.currentThread().isInterrupted());
			}
			catch (Throwable ex) {
				interrupted.completeExceptionally(ex);
			}
		});
		thread.start();
		// Spring interrupts a start only in this state when the context is closed
		await().until(() -> this.started.size() == 1 && thread.getState() == Thread.State.WAITING);
		thread.interrupt();
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isFalse();
		assertThat(lifecycle.isRunning()).isFalse();
		assertThat(this.stopped).containsExactly("pods", "all");
	}

	private static StrictStart strictStart(@Nullable Duration timeout) {
		return new StrictStart(() -> timeout, ApplicationStartup.DEFAULT);
	}

	private ReflectorLifecycle strict(List<ManagedReflector> reflectors) {
		return strict(Duration.ofDays(1), () -> reflectors);
	}

	private ReflectorLifecycle strict(Duration timeout, Supplier<List<ManagedReflector>> reflectors) {
		return new ReflectorLifecycle(reflectors, () -> false, strictStart(timeout), () -> this.stopped.add("all"));
	}

	private ReflectorLifecycle lifecycle(Supplier<CompletionStage<Void>> stopPods) {
		List<ManagedReflector> reflectors = List.of(reflector("pods", stopPods),
				reflector("nodes", () -> this.nodesStopped));
		return new ReflectorLifecycle(() -> reflectors, () -> false, LENIENT, () -> {
		});
	}

	private ManagedReflector reflector(String name, Supplier<CompletionStage<Void>> stopper) {
		return new ManagedReflector(new FakeReflector<>(name, STARTING), () -> this.started.add(name), stopper);
	}

	private ManagedReflector reflector(String name, ReflectorStatus status) {
		return managed(new FakeReflector<>(name, status));
	}

	private ManagedReflector managed(FakeReflector<?> reflector) {
		return new ManagedReflector(reflector, () -> this.started.add(reflector.name()), () -> {
			this.stopped.add(reflector.name());
			return CompletableFuture.completedFuture(null);
		});
	}

}
