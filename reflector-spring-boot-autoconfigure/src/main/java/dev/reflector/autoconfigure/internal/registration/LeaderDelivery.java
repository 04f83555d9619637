package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.LeaderElector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the reflectors of this replica deliver while it leads. Otherwise their mirrors
 * follow the server, and their listeners are not called.
 */
public final class LeaderDelivery implements ReplicaDelivery, ReplicaDelivery.Part, LeaderCallbacks {

	private static final Logger logger = LoggerFactory.getLogger(LeaderDelivery.class);

	private final Supplier<LeaderElector> elector;

	private final Duration patience;

	private final List<SharedInformer<?>> informers = new CopyOnWriteArrayList<>();

	/** The term in which reflectors deliver, {@code null} in none. */
	private volatile @Nullable Long term;

	private boolean leaving;

	/**
	 * Creates the delivery of a replica that does not lead.
	 * @param elector gives the elector
	 * @param patience how long a listener may be busy after the end of a term before that
	 * is reported
	 */
	public LeaderDelivery(Supplier<LeaderElector> elector, Duration patience) {
		this.elector = elector;
		this.patience = patience;
	}

	/**
	 * Whether this replica leads now, by its own clock, and in the term for which
	 * reflectors have taken over.
	 */
	private boolean leads() {
		Long term = this.term;
		OptionalLong present = this.elector.get().epoch();
		return term != null && present.isPresent() && present.getAsLong() == term;
	}

	@Override
	public Part part() {
		return this;
	}

	/** It begins as a standby. */
	@Override
	public void deliver(SharedInformerBuilder<?> builder) {
		builder.standby(this::leads);
	}

	@Override
	public void add(SharedInformer<?> informer) {
		this.informers.add(informer);
		synchronized (this) {
			if (this.term != null) {
				informer.takeOver();
			}
		}
	}

	@Override
	public synchronized void onStartedLeading(long epoch) {
		this.leaving = false;
		this.term = epoch;
		this.informers.forEach(SharedInformer::takeOver);
	}

	/**
	 * Completes when no listener is called. When the lead is lost, also after the
	 * patience, because another replica does not wait.
	 */
	@Override
	public synchronized CompletionStage<?> onStoppedLeading(long epoch) {
		this.term = null;
		CompletableFuture<Void> quiet = all(SharedInformer::standBy);
		CompletableFuture<Void> limited = quiet.copy().orTimeout(this.patience.toMillis(), TimeUnit.MILLISECONDS);
		if (this.leaving) {
			limited.exceptionally((late) -> {
				logger.warn(
						"This replica is stopping, but after {} ms a listener is still busy. The Lease is "
								+ "renewed until that listener returns or the application ends. Busy: {}",
						this.patience.toMillis(), busy());
				return null;
			});
			return quiet;
		}
		return limited.exceptionally((late) -> {
			logger.warn("This replica is no longer the leader, but after {} ms a listener is still busy. Another "
					+ "replica may deliver at the same time. Busy: {}", this.patience.toMillis(), busy());
			return null;
		});
	}

	@Override
	public void onNewLeader(String identity) {
		// who leads instead does not matter here
	}

	/**
	 * The application stops. Has snapshots written before the lead is given up, so that
	 * less is delivered twice.
	 */
	public void leave() {
		synchronized (this) {
			this.leaving = true;
		}
		try {
			all(SharedInformer::flushSnapshot).orTimeout(this.patience.toMillis(), TimeUnit.MILLISECONDS).join();
		}
		catch (CompletionException ex) {
			logger.warn("This replica is stopping, and a snapshot could not be written within {} ms. Some "
					+ "changes will be delivered again", this.patience.toMillis());
		}
	}

	private List<String> busy() {
		return this.informers.stream()
			.flatMap((informer) -> informer.busyListeners(this.patience).stream())
			.distinct()
			.toList();
	}

	private CompletableFuture<Void> all(Function<SharedInformer<?>, CompletionStage<Void>> step) {
		return CompletableFuture.allOf(this.informers.stream()
			.map(step)
			.map(CompletionStage::toCompletableFuture)
			.toArray(CompletableFuture<?>[]::new));
	}

}
