package dev.reflector.autoconfigure.internal.registration;

import java.util.concurrent.Executor;

import dev.reflector.cache.config.TimeSource;

import org.springframework.context.ApplicationEventPublisher;

/**
 * What all reflectors of a context share.
 *
 * @param time source of time
 * @param threads makes their threads
 * @param publisher publishes their events
 * @param delivery what this replica mirrors and delivers
 */
public record ReflectorRuntime(TimeSource time, Executor threads, ApplicationEventPublisher publisher,
		ReplicaDelivery delivery) {

}
