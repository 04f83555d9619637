package dev.reflector.cache.internal.loop;

import java.util.random.RandomGenerator;

import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * The source, the settings and the tools of a loop.
 *
 * @param <T> the type of the objects
 * @param listerWatcher source of lists and watches
 * @param accessor reads metadata
 * @param options how the loop behaves
 * @param observer observes the work
 * @param time source of time
 * @param random source of jitter
 * @param part the part of the collection that is mirrored
 */
public record LoopSetup<T>(ListerWatcher<T> listerWatcher, ResourceAccessor<T> accessor, ReflectorOptions options,
		ReflectorObserver observer, TimeSource time, RandomGenerator random, MirroredPart part) {

	/** Whether the loop is in client-go's mode, which keeps the defects of client-go. */
	public boolean clientGo() {
		return this.options.compatibility() == Compatibility.CLIENT_GO;
	}

}
