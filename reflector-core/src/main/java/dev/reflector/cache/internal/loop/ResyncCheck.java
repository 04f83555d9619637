package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The settings that determine when a loop delivers its objects again (client-go:
 * {@code resyncCheckPeriod} and {@code ShouldResync}).
 *
 * @param period how often to check, zero for never
 * @param due called when the timer fires for a namespace, or for all namespaces if the
 * argument is {@code null}. Returns a function that chooses the handlers that were due
 * then, and returns whether there are any (I-32)
 * @param all does the same when a resync was requested, which is for all handlers
 */
public record ResyncCheck(Duration period, Function<@Nullable String, BooleanSupplier> due,
		Function<@Nullable String, BooleanSupplier> all) {

}
