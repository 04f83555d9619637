package dev.reflector.cache.informer;

import java.util.List;
import java.util.concurrent.Executor;

import dev.reflector.cache.internal.delivery.DeliveryGate;
import dev.reflector.cache.internal.delivery.DeliverySetup;
import dev.reflector.cache.internal.loop.LoopSetup;
import org.jspecify.annotations.Nullable;

/**
 * The setup of all runs of an informer.
 *
 * @param <T> the type of the objects
 * @param name the name of the reflector
 * @param scopes the namespaces, each with its own loop; a single {@code null} means all
 * namespaces
 * @param loop the setup of the loops
 * @param threads runs each task on its own thread
 * @param gate decides whether this process may deliver a change
 */
record RunSetup<T>(String name, List<@Nullable String> scopes, LoopSetup<T> loop, Executor threads,
		DeliveryGate<T> gate) {

	DeliverySetup<T> delivery() {
		return new DeliverySetup<>(this.name, this.loop.accessor(), this.loop.options().queue(),
				this.loop.options().delivery(), this.loop.observer(), this.loop.time(), this.gate);
	}

}
