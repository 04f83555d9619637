package dev.reflector.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.reflector.Lister;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Applications that start only with full mirrors, or not at all.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrictStartIntegrationTests extends WidgetScenario {

	/** Contexts of other tests may still be there. */
	private final Set<Thread> before = Thread.getAllStackTraces().keySet();

	@Test
	void beansStartedAfterTheReflectorsFindFullMirrors() {
		List<List<String>> found = new ArrayList<>();
		refuse(3);
		try (MirrorApplication application = MirrorApplication
			.start((context) -> ((GenericApplicationContext) context).registerBean(Door.class,
					() -> new Door(context.getBeanProvider(new ParameterizedTypeReference<Lister<Widget>>() {
					}), found)), strict("1h"))) {
			assertThat(found).containsExactly(List.of("a", "b"));

			application.context.pause();
			create("c");
			refuse(3);
			application.context.restart();
			assertThat(found).containsExactly(List.of("a", "b"), List.of("a", "b", "c"));
		}
	}

	@Test
	void anApplicationWhoseMirrorsStayEmptyDoesNotStartAndLeavesNothing() {
		refuse(Integer.MAX_VALUE);
		assertThatExceptionOfType(ApplicationContextException.class)
			.isThrownBy(() -> MirrorApplication.start(strict("500ms")))
			.havingRootCause()
			.withMessageStartingWith("'reflector.startup.strict' is set, and these reflectors have not synced within "
					+ "0.5s ('reflector.startup.timeout'): widgets (");
		nothingIsLeft();
	}

	@Test
	void anApplicationCanBeClosedWhileItWaits() {
		refuse(Integer.MAX_VALUE);
		CompletableFuture<ConfigurableApplicationContext> context = new CompletableFuture<>();
		CompletableFuture<Thread> starting = new CompletableFuture<>();
		CompletableFuture<MirrorApplication> start = CompletableFuture.supplyAsync(() -> {
			starting.complete(Thread.currentThread());
			return MirrorApplication.start(context::complete, strict("1h"));
		});
		// Spring interrupts a start only in this state when the context is closed
		await().until(() -> !this.server.requests(StrictStartIntegrationTests::isForWidgets).isEmpty()
				&& starting.join().getState() == Thread.State.WAITING);
		context.join().close();
		assertThatException().isThrownBy(start::join)
			.withStackTraceContaining("The start was interrupted before the reflectors had synced");
		nothingIsLeft();
	}

	private void refuse(int times) {
		this.server.fail(StrictStartIntegrationTests::isForWidgets, times, Fault.status(403));
	}

	private static boolean isForWidgets(RecordedRequest request) {
		return request.isList() || request.isWatch();
	}

	private String[] strict(String timeout) {
		return new String[] { "reflector.api-server.url=" + this.server.url(), "reflector.startup.wait-for-sync=true",
				"reflector.startup.strict=true", "reflector.startup.timeout=" + timeout,
				// after a refusal, which looks permanent, the delay is long
				"reflector.backoff.initial=20ms", "reflector.backoff.max=60ms" };
	}

	private void nothingIsLeft() {
		await().untilAsserted(() -> assertThat(this.server.activeConnections()).isZero());
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.filteredOn((thread) -> !this.before.contains(thread))
			.extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("reflector-")));
	}

	/** Opens when a web server would. */
	private static final class Door implements SmartLifecycle {

		private final ObjectProvider<Lister<Widget>> widgets;

		private final List<List<String>> found;

		private boolean open;

		Door(ObjectProvider<Lister<Widget>> widgets, List<List<String>> found) {
			this.widgets = widgets;
			this.found = found;
		}

		@Override
		public void start() {
			this.open = true;
			this.found.add(this.widgets.getObject().list().stream().map(Widget::name).sorted().toList());
		}

		@Override
		public void stop() {
			this.open = false;
		}

		@Override
		public boolean isRunning() {
			return this.open;
		}

		@Override
		public int getPhase() {
			return DEFAULT_PHASE - 2048;
		}

	}

}
