package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The settings that determine when a loop delivers its objects again (client-go:
 * {@code resyncCheckPeriod} and {@code ShouldResync}).
 *
 * @param period how often to check, zero for never
 * @param shouldResync returns whether a handler is due for a resync of a namespace, or of
 * all namespaces if the argument is {@code null} (I-32)
 */
public record ResyncCheck(Duration period, Predicate<@Nullable String> shouldResync) {

}
