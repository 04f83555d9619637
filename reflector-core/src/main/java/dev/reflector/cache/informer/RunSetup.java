package dev.reflector.cache.informer;

import java.util.List;
import java.util.concurrent.Executor;

import dev.reflector.cache.internal.delivery.DeliveryGate;
import dev.reflector.cache.internal.delivery.DeliverySetup;
import dev.reflector.cache.internal.loop.LoopSetup;
import org.jspecify.annotations.Nullable;

/**
 * The settings and tools of each run of an informer.
 *
 * @param <T> the type of the objects
 * @param name name of the reflector
 * @param scopes the namespaces with their own loop, or {@code null} alone for all
 * @param loop the settings and tools of the loops
 * @param threads runs each task on its own thread
 * @param gate whether this process may deliver something now
 */
record RunSetup<T>(String name, List<@Nullable String> scopes, LoopSetup<T> loop, Executor threads,
		DeliveryGate<T> gate) {

	DeliverySetup<T> delivery() {
		return new DeliverySetup<>(this.name, this.loop.accessor(), this.loop.options().queue(),
				this.loop.options().delivery(), this.loop.observer(), this.loop.time(), this.gate);
	}

}
