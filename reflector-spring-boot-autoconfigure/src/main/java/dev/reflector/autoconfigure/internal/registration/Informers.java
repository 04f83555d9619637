package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.reflector.cache.informer.SharedInformer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reflectors whose delivery a {@link ReplicaDelivery} controls. Any thread may use
 * this class.
 */
final class Informers {

	private static final Logger logger = LoggerFactory.getLogger(Informers.class);

	private final List<SharedInformer<?>> all = new CopyOnWriteArrayList<>();

	void add(SharedInformer<?> informer) {
		this.all.add(informer);
	}

	/**
	 * Stops a reflector whose context is closed, and then removes it. If a call of a
	 * listener has not ended by then, the reflector stays, because a handover must wait
	 * for that call.
	 */
	void remove(SharedInformer<?> informer) {
		informer.stop().whenComplete((nothing, failure) -> {
			if (informer.busyListeners(Duration.ZERO).isEmpty()) {
				this.all.remove(informer);
			}
		});
	}

	void forEach(Consumer<SharedInformer<?>> action) {
		this.all.forEach(action);
	}

	/**
	 * Calls a function with each reflector. The result completes when all stages that the
	 * function has returned have completed.
	 */
	CompletableFuture<Void> all(Function<SharedInformer<?>, CompletionStage<Void>> step) {
		return CompletableFuture.allOf(this.all.stream()
			.map(step)
			.map(CompletionStage::toCompletableFuture)
			.toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * Writes the snapshots of all reflectors before this replica hands over, so that
	 * fewer changes are delivered twice.
	 * @param patience how long to wait until the snapshots are written
	 */
	void flushSnapshots(Duration patience) {
		try {
			all(SharedInformer::flushSnapshot).orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).join();
		}
		catch (CompletionException ex) {
			logger.warn("This replica is stopping, and a snapshot could not be written within {} ms. Some "
					+ "changes will be delivered again", patience.toMillis());
		}
	}

	/**
	 * Returns the names of the listeners whose current call has taken longer than the
	 * given time.
	 */
	List<String> busy(Duration patience) {
		return this.all.stream().flatMap((informer) -> informer.busyListeners(patience).stream()).distinct().toList();
	}

	/** Returns the types of the reflectors' objects, human-readable. Takes no lock. */
	List<String> types() {
		return this.all.stream().map((informer) -> informer.resourceType().toString()).toList();
	}

}
