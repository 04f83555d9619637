package dev.reflector.console;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * Keeps a journal for each reflector, and records the reflector's actions in it.
 */
final class ConsoleInstrumentation implements Instrumentation {

	private final Masking masking;

	private final Supplier<TimeSource> time;

	private final Map<String, Journal> journals = new ConcurrentHashMap<>();

	/**
	 * Creates the instrumentation.
	 * @param masking hides values that must not be shown
	 * @param time supplies the source of time; called when the first reflector is made
	 */
	ConsoleInstrumentation(Masking masking, Supplier<TimeSource> time) {
		this.masking = masking;
		this.time = time;
	}

	Masking masking() {
		return this.masking;
	}

	Journal journal(String reflector) {
		return this.journals.computeIfAbsent(reflector, (name) -> new Journal(name, this.masking, this.time.get()));
	}

	@Override
	public ReflectorObserver observer(String reflector) {
		return journal(reflector);
	}

	/** Returns the handler unchanged, and begins to count its calls and failures. */
	@Override
	public <T> ResourceEventHandler<T> handler(String reflector, ResourceAccessor<T> accessor,
			ResourceEventHandler<T> handler) {
		Journal journal = journal(reflector);
		journal.accessor(accessor);
		journal.handler(handler.name());
		return handler;
	}

}
