package dev.reflector.integration;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Contexts that are paused and used again, as in the test framework's cache or around a
 * checkpoint. A paused context must have nothing open.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContextPauseIntegrationTests extends WidgetScenario {

	private final Set<Thread> others = Thread.getAllStackTraces().keySet();

	@Test
	void aPausedContextHasNoConnectionsAndThreadsAndCatchesUpAfterwards() {
		try (MirrorApplication application = MirrorApplication.on(this.server)) {
			application.awaitEqualTo(this.widgets);
			application.context.pause();
			await().untilAsserted(() -> assertThat(this.server.activeConnections()).isZero());
			await().untilAsserted(() -> assertThat(threads()).isEmpty());
			int requests = this.server.requests().size();
			List<String> before = List.copyOf(application.heard.events);
			create("c");
			this.widgets.delete("default", "a");
			// the mirror can be read all the time, and stays as it was
			assertThat(application.mirror()).containsOnlyKeys("default/a", "default/b");
			assertThat(application.heard.events).isEqualTo(before);
			assertThat(this.server.requests()).hasSize(requests);

			application.context.restart();
			application.awaitEqualTo(this.widgets);
			create("d");
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
			// unchanged objects are not delivered
			assertThat(heardSince(application, before)).contains("-a", "+c@4 initial", "synced", "+d@6")
				.noneMatch((event) -> event.contains("b@"));
			assertThat(this.server.activeWatches()).isEqualTo(1);
		}
		await().untilAsserted(() -> assertThat(this.server.activeConnections()).isZero());
	}

	@Test
	void aContextThatIsPausedCanBeClosed() {
		MirrorApplication application = MirrorApplication.on(this.server);
		application.awaitEqualTo(this.widgets);
		application.context.pause();
		application.close();
		await().untilAsserted(() -> assertThat(this.server.activeConnections()).isZero());
		await().untilAsserted(() -> assertThat(threads()).isEmpty());
		Map<String, String> mirror = application.mirror();
		assertThat(mirror).containsOnlyKeys("default/a", "default/b");
	}

	private static List<String> heardSince(MirrorApplication application, List<String> before) {
		List<String> all = List.copyOf(application.heard.events);
		return all.subList(before.size(), all.size());
	}

	/**
	 * Returns the threads of the reflector. Decoding workers wait for the next reflector,
	 * and other tests may have cached contexts.
	 */
	private List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.isAlive() && !this.others.contains(thread))
			.map(Thread::getName)
			.filter((name) -> name.startsWith("reflector-widgets"))
			.toList();
	}

}
