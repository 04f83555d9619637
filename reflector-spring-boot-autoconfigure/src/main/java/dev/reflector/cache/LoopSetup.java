package dev.reflector.cache;

import java.util.random.RandomGenerator;

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
record LoopSetup<T>(ListerWatcher<T> listerWatcher, ResourceAccessor<T> accessor, ReflectorOptions options,
		ReflectorObserver observer, TimeSource time, RandomGenerator random) {

	boolean clientGo() {
		return this.options.compatibility() == ReflectorOptions.Compatibility.CLIENT_GO;
	}

}
