package dev.reflector.cache.internal.loop;

import java.util.random.RandomGenerator;

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
 * @param options the options
 * @param behaviour whether the loop keeps or avoids known defects of client-go
 * @param observer observes the requests and results of the loop
 * @param time source of time
 * @param random source of jitter
 * @param part the part of the collection that is mirrored
 */
public record LoopSetup<T>(ListerWatcher<T> listerWatcher, ResourceAccessor<T> accessor, ReflectorOptions options,
		ReflectorBehaviour behaviour, ReflectorObserver observer, TimeSource time, RandomGenerator random,
		MirroredPart part) {

}
