package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.reflector.cache.informer.SharedInformer;

/** The reflectors that a replica delivers. Used by any thread. */
final class Informers {

	private final List<SharedInformer<?>> all = new CopyOnWriteArrayList<>();

	void add(SharedInformer<?> informer) {
		this.all.add(informer);
	}

	void forEach(Consumer<SharedInformer<?>> action) {
		this.all.forEach(action);
	}

	/** Takes a step with each; completes when all have. */
	CompletableFuture<Void> all(Function<SharedInformer<?>, CompletionStage<Void>> step) {
		return CompletableFuture.allOf(this.all.stream()
			.map(step)
			.map(CompletionStage::toCompletableFuture)
			.toArray(CompletableFuture<?>[]::new));
	}

	/** The listeners of which a call has not returned for this long. */
	List<String> busy(Duration patience) {
		return this.all.stream().flatMap((informer) -> informer.busyListeners(patience).stream()).distinct().toList();
	}

	/** The types of their objects, human-readable. Takes no lock. */
	List<String> types() {
		return this.all.stream().map((informer) -> informer.resourceType().toString()).toList();
	}

}
