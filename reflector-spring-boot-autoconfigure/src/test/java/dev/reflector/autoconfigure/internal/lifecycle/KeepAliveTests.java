package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.reflector.ReflectorState;
import dev.reflector.fixture.FakeReflector;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class KeepAliveTests {

	/** Threads of other tests, which may be about to end: only new threads count. */
	private final Set<Thread> before = Thread.getAllStackTraces().keySet();

	private Thread keepAlive() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("reflector-keep-alive") && !this.before.contains(thread))
			.findFirst()
			.orElse(null);
	}

	private static ReflectorLifecycle lifecycle(boolean keepAlive, ManagedReflector... reflectors) {
		return new ReflectorLifecycle(() -> List.of(reflectors), () -> keepAlive, ReflectorLifecycleTests.LENIENT,
				() -> {
				});
	}

	private static ManagedReflector reflector() {
		return new ManagedReflector(
				new FakeReflector<>("widgets", FakeReflector.status(ReflectorState.STARTING, false, null, null)),
				() -> {
				}, () -> CompletableFuture.completedFuture(null));
	}

	@Test
	void aThreadThatIsNoDaemonRunsUntilTheContextIsClosed() {
		ReflectorLifecycle lifecycle = lifecycle(true, reflector());
		lifecycle.start();
		Thread keepAlive = keepAlive();
		assertThat(keepAlive).isNotNull().satisfies((thread) -> assertThat(thread.isDaemon()).isFalse());
		lifecycle.stop();
		lifecycle.start();
		assertThat(keepAlive()).isSameAs(keepAlive);
		lifecycle.stop();
		lifecycle.destroy();
		await().until(() -> keepAlive() == null);
	}

	@Test
	void thereIsNoneWithoutReflectorsOrWhenNotWanted() {
		ReflectorLifecycle without = lifecycle(true);
		ReflectorLifecycle unwanted = lifecycle(false, reflector());
		without.start();
		unwanted.start();
		assertThat(keepAlive()).isNull();
		without.destroy();
		unwanted.destroy();
	}

}
