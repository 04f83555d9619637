package dev.reflector.cache.informer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.reflector.ReflectorStatus;
import dev.reflector.cache.internal.delivery.Handlers;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of the whole collection, always or while this replica leads.
 *
 * @param <T> the type of the objects
 */
sealed class WholeDelivery<T> extends InformerDelivery<T> permits DurableDelivery {

	private final boolean takesTurns;

	private final Handlers<T> handlers;

	WholeDelivery(RunSetup<T> setup, Handlers<T> handlers) {
		super(setup.name());
		this.takesTurns = setup.gate().takesTurns();
		this.handlers = handlers;
		if (this.takesTurns) {
			handlers.standBy();
		}
	}

	final Handlers<T> handlers() {
		return this.handlers;
	}

	@Override
	Object share() {
		return this;
	}

	@Override
	final boolean takeOver() {
		return this.takesTurns ? begin() : super.takeOver();
	}

	/**
	 * Makes this replica deliver. Returns whether the current run must take over the
	 * snapshot.
	 */
	boolean begin() {
		this.handlers.takeOver();
		return false;
	}

	@Override
	final CompletionStage<Void> standBy(Supplier<@Nullable Run<T>> run) {
		return this.takesTurns ? end(run).minimalCompletionStage() : super.standBy(run);
	}

	/** Ends the delivery, because another replica delivers. */
	CompletableFuture<Void> end(Supplier<@Nullable Run<T>> run) {
		return this.handlers.standBy();
	}

	@Override
	ReflectorStatus.@Nullable Durability durability() {
		return null;
	}

	@Override
	void readAhead() {
	}

	@Override
	String reset() {
		throw new IllegalStateException("the reflector '" + name() + "' has no snapshot");
	}

	@Override
	void close() {
	}

}
