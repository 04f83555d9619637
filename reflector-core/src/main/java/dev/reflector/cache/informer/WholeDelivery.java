package dev.reflector.cache.informer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.internal.delivery.DeliveryGate;
import dev.reflector.cache.internal.delivery.Handlers;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of the whole collection, always or while this replica leads.
 *
 * @param <T> the type of the objects
 */
sealed class WholeDelivery<T> extends InformerDelivery<T> permits DurableDelivery {

	private final DeliveryGate<T> gate;

	private final Handlers<T> handlers;

	WholeDelivery(RunSetup<T> setup, Handlers<T> handlers) {
		super(setup.name());
		this.gate = setup.gate();
		this.handlers = handlers;
		if (this.gate.takesTurns()) {
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
	final boolean takeOver(Ownership term) {
		if (!this.gate.takesTurns()) {
			return super.takeOver(term);
		}
		if (!this.gate.isOpenedBy(term)) {
			// queued changes belong to an earlier term
			this.handlers.standBy();
			this.gate.open(term);
		}
		return begin();
	}

	/**
	 * Starts the delivery. Returns whether the current run must take over the snapshot.
	 */
	boolean begin() {
		this.handlers.takeOver();
		return false;
	}

	@Override
	final CompletionStage<Void> standBy(Supplier<@Nullable Run<T>> run) {
		if (!this.gate.takesTurns()) {
			return super.standBy(run);
		}
		this.gate.close();
		return end(run).minimalCompletionStage();
	}

	/** Ends the delivery, because another replica delivers. */
	CompletableFuture<Void> end(Supplier<@Nullable Run<T>> run) {
		return this.handlers.standBy();
	}

}
