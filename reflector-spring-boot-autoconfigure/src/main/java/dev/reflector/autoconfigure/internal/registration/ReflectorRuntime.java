package dev.reflector.autoconfigure.internal.registration;

import java.util.concurrent.Executor;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;

/**
 * What all reflectors of a context share.
 *
 * @param time source of time
 * @param threads makes their threads
 * @param publisher publishes their events
 * @param delivery has them deliver while this replica leads; {@code null} when every
 * replica delivers
 * @param shards has them follow the slots of this replica; {@code null} when they do not
 */
public record ReflectorRuntime(TimeSource time, Executor threads, ApplicationEventPublisher publisher,
		@Nullable LeaderDelivery delivery, @Nullable ShardDelivery shards) {

}
