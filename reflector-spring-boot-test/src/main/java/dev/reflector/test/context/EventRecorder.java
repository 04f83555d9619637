package dev.reflector.test.context;

import java.time.Duration;
import java.util.function.Consumer;

import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.event.ReflectorStateChangedEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.Ordered;

/**
 * Records the events of reflectors after the listeners of the application have received
 * them. All events except changes are recorded by a listener that is called last. For a
 * change, an exception of another listener may prevent the call of the last listener.
 * Therefore, a change is noted by a listener that is called first, and is recorded by an
 * observer after it was handled. The listeners are added right before the first reflector
 * starts.
 */
final class EventRecorder implements SmartLifecycle, Instrumentation {

	private final RecordedEvents events;

	private final ConfigurableApplicationContext context;

	/**
	 * The change that listeners are handling on this thread. The change is recorded after
	 * the listeners have returned, together with whether a listener has thrown an
	 * exception.
	 */
	private final ThreadLocal<@Nullable ApplicationEvent> current = new ThreadLocal<>();

	private final Listener before = new Listener(Ordered.HIGHEST_PRECEDENCE, this::hearing);

	private final Listener after = new Listener(Ordered.LOWEST_PRECEDENCE, this::heard);

	private volatile boolean running;

	EventRecorder(RecordedEvents events, ConfigurableApplicationContext context) {
		this.events = events;
		this.context = context;
	}

	private void hearing(ApplicationEvent event) {
		if (event instanceof ResourceEvent) {
			this.current.set(event);
		}
	}

	private void heard(ApplicationEvent event) {
		if (!(event instanceof ResourceEvent)) {
			this.events.add(event, false);
		}
	}

	@Override
	public ReflectorObserver observer(String reflector) {
		return new ReflectorObserver() {

			@Override
			public void handled(String handler, Duration duration, boolean failed) {
				ApplicationEvent event = EventRecorder.this.current.get();
				if (event != null) {
					EventRecorder.this.current.remove();
					EventRecorder.this.events.add(event, failed);
				}
			}

		};
	}

	@Override
	public void start() {
		this.context.addApplicationListener(this.before);
		this.context.addApplicationListener(this.after);
		this.running = true;
	}

	@Override
	public void stop() {
		// the listeners stay registered, because reflectors that stop later still publish
		// events
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

	/**
	 * A listener that receives only events of reflectors.
	 *
	 * @param order position among the listeners
	 * @param action what to do with an event
	 */
	private record Listener(int order, Consumer<ApplicationEvent> action) implements SmartApplicationListener {

		@Override
		public boolean supportsEventType(Class<? extends ApplicationEvent> eventType) {
			return ResourceEvent.class.isAssignableFrom(eventType)
					|| ReflectorSyncedEvent.class.isAssignableFrom(eventType)
					|| ReflectorStateChangedEvent.class.isAssignableFrom(eventType);
		}

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			this.action.accept(event);
		}

		/**
		 * Returns {@code false}: this listener is called on the publishing thread, even
		 * if an executor calls the listeners of the application.
		 */
		@Override
		public boolean supportsAsyncExecution() {
			return false;
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

}
