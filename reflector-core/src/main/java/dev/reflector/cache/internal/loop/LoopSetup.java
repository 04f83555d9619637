package dev.reflector.cache.internal.loop;

import java.util.random.RandomGenerator;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * What a loop works with.
 *
 * @param <T> the type of the objects
 * @param listerWatcher source of lists and watches
 * @param accessor reads metadata
 * @param options behaviour
 * @param observer is told of the work
 * @param time source of time
 * @param random source of jitter
 */
public record LoopSetup<T>(ListerWatcher<T> listerWatcher, ResourceAccessor<T> accessor, ReflectorOptions options,
		ReflectorObserver observer, TimeSource time, RandomGenerator random) {

	boolean clientGo() {
		return this.options.compatibility() == ReflectorOptions.Compatibility.CLIENT_GO;
	}

}
