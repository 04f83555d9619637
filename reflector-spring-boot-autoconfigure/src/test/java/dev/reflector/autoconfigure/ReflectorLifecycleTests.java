package dev.reflector.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.reflector.ReflectorState;
import dev.reflector.actuate.FakeReflector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorLifecycle}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorLifecycleTests {

	private final List<String> started = new ArrayList<>();

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

	private ReflectorLifecycle lifecycle(Supplier<CompletionStage<Void>> stopPods) {
		List<ManagedReflector> reflectors = List.of(reflector("pods", stopPods),
				reflector("nodes", () -> this.nodesStopped));
		return new ReflectorLifecycle(() -> reflectors, () -> false, () -> {
		});
	}

	private ManagedReflector reflector(String name, Supplier<CompletionStage<Void>> stopper) {
		return new ManagedReflector(
				new FakeReflector<>(name, FakeReflector.status(ReflectorState.STARTING, false, null, null)),
				() -> this.started.add(name), stopper);
	}

}
