package dev.reflector.integration;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.event.ResourceEvent;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the spans that a tracer makes of the observations, with a real socket in between.
 * Like real tracers, the tracer opens a span's scope with that of an observation, and the
 * log shows the identifiers of the span in scope.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TracingIntegrationTests extends WidgetServer {

	private final Tracer tracer = new Tracer();

	@BeforeEach
	void createWidget() {
		create("a");
	}

	@Test
	void listenerLogsAndCallsWithinTheTraceOfItsDelivery() {
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> {
			context.registerBean(Tracer.class, () -> this.tracer);
			context.registerBean(Listener.class,
					() -> new Listener(context.getBeanProvider(ObservationRegistry.class).getObject()));
		};
		try (MirrorApplication application = MirrorApplication.start(beans,
				"reflector.api-server.url=" + this.server.url())) {
			application.awaitEqualTo(this.widgets);
			create("b");
			create("c");
			Listener listener = application.context.getBean(Listener.class);
			await().until(() -> listener.heard.size() == 3);
			await().until(() -> this.tracer.finished("reflector.delivery").size() == 2);
			List<Span> deliveries = this.tracer.finished("reflector.delivery");
			assertThat(deliveries).extracting(Span::trace).doesNotHaveDuplicates();
			assertThat(listener.heard).containsExactly("a in null", "b in " + deliveries.get(0).trace(),
					"c in " + deliveries.get(1).trace());
			assertThat(this.tracer.finished("call")).extracting(Span::trace)
				.as("the first call begins its own trace")
				.hasSize(3)
				.endsWith(deliveries.get(0).trace(), deliveries.get(1).trace());
		}
	}

	static class Listener {

		private final ObservationRegistry registry;

		private final List<String> heard = new CopyOnWriteArrayList<>();

		Listener(ObservationRegistry registry) {
			this.registry = registry;
		}

		@EventListener
		void on(ResourceEvent<Widget> event) {
			String trace = MDC.get("traceId");
			Observation.createNotStarted("call", this.registry).observe(() -> {
			});
			this.heard.add(event.resource().name() + " in " + trace);
		}

	}

	/** Part of a trace. */
	record Span(String name, String trace) {

	}

	/** Makes spans of observations, and remembers those that are finished. */
	static class Tracer implements ObservationHandler<Observation.Context> {

		private final AtomicInteger traces = new AtomicInteger();

		private final List<Span> finished = new CopyOnWriteArrayList<>();

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStart(Observation.Context context) {
			ObservationView parent = context.getParentObservation();
			Span above = (parent != null) ? parent.getContextView().get(Span.class) : null;
			context.put(Span.class, new Span(String.valueOf(context.getName()),
					(above != null) ? above.trace() : "trace-" + this.traces.incrementAndGet()));
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			context.put("before", new Before(MDC.get("traceId")));
			MDC.put("traceId", context.<Span>getRequired(Span.class).trace());
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			String before = context.<Before>getRequired("before").trace();
			if (before != null) {
				MDC.put("traceId", before);
			}
			else {
				MDC.remove("traceId");
			}
		}

		@Override
		public void onStop(Observation.Context context) {
			this.finished.add(context.getRequired(Span.class));
		}

		List<Span> finished(String name) {
			return this.finished.stream().filter((span) -> span.name().equals(name)).toList();
		}

	}

	/** The identifier in the log before a scope. */
	record Before(@Nullable String trace) {

	}

}
