package dev.reflector.autoconfigure.internal.registration;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies the {@link Instrumentation} beans of a context and its parents.
 */
public final class InstrumentationChain {

	private final Supplier<List<Instrumentation>> all;

	/**
	 * Creates the chain.
	 * @param instrumentations supplies the beans; called when the first bean is needed
	 */
	public InstrumentationChain(ObjectProvider<Instrumentation> instrumentations) {
		this.all = SingletonSupplier.of(() -> instrumentations.orderedStream().toList());
	}

	/**
	 * Combines observers of a reflector. The result calls the observer that each bean has
	 * made, and then the given observer.
	 */
	ReflectorObserver observer(String name, ReflectorObserver other) {
		Stream<ReflectorObserver> observers = this.all.get()
			.stream()
			.map((instrumentation) -> instrumentation.observer(name));
		return ReflectorObserver.composite(Stream.concat(observers, Stream.of(other)).toList());
	}

	<T> ListerWatcher<T> source(String name, ResourceAccessor<T> accessor, ListerWatcher<T> source) {
		ListerWatcher<T> result = source;
		for (Instrumentation instrumentation : this.all.get()) {
			result = instrumentation.source(name, accessor, result);
		}
		return result;
	}

	public <T> ResourceEventHandler<T> handler(String name, ResourceAccessor<T> accessor,
			ResourceEventHandler<T> handler) {
		ResourceEventHandler<T> result = handler;
		for (Instrumentation instrumentation : this.all.get()) {
			result = instrumentation.handler(name, accessor, result);
		}
		return result;
	}

}
