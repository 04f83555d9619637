package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.LeaderElector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.function.SingletonSupplier;

/**
 * Makes the reflectors of this replica deliver only while the replica leads. While
 * another replica leads, the mirrors of this replica follow the server, but its listeners
 * are not called.
 */
public final class LeaderDelivery implements ReplicaDelivery, ReplicaDelivery.Part, LeaderCallbacks {

	private static final Logger logger = LoggerFactory.getLogger(LeaderDelivery.class);

	private final Supplier<LeaderElector> elector;

	private final Duration patience;

	private final Informers informers = new Informers();

	/** The epoch of the current term, or empty while this replica does not lead. */
	private OptionalLong term = OptionalLong.empty();

	private boolean leaving;

	/**
	 * Creates the delivery of a replica that does not lead yet.
	 * @param elector supplies the elector
	 * @param patience how long a listener may be busy after the end of a term before a
	 * warning is logged
	 */
	public LeaderDelivery(Supplier<LeaderElector> elector, Duration patience) {
		this.elector = SingletonSupplier.of(elector);
		this.patience = patience;
	}

	private void takeOver(SharedInformer<?> informer, long epoch) {
		informer.takeOver(this.elector.get().identity(), epoch);
	}

	/**
	 * Returns the types of the objects that this replica delivers while it leads. Takes
	 * no lock.
	 * @return the types, human-readable
	 */
	public List<String> types() {
		return this.informers.types();
	}

	@Override
	public Part part() {
		return this;
	}

	@Override
	public String takeover() {
		return "reflector.leader-election.events=leader";
	}

	/** Makes the reflector a standby, which delivers nothing until this replica leads. */
	@Override
	public void deliver(SharedInformerBuilder<?> builder) {
		builder.standby(() -> this.elector.get().epoch());
	}

	@Override
	public void add(SharedInformer<?> informer) {
		this.informers.add(informer);
		synchronized (this) {
			this.term.ifPresent((epoch) -> takeOver(informer, epoch));
		}
	}

	@Override
	public void remove(SharedInformer<?> informer) {
		this.informers.remove(informer);
	}

	@Override
	public synchronized void onStartedLeading(long epoch) {
		this.leaving = false;
		this.term = OptionalLong.of(epoch);
		this.informers.forEach((informer) -> takeOver(informer, epoch));
	}

	/**
	 * Stops the delivery. The returned stage completes when no listener is being called
	 * any more. If the lead was lost, the stage completes after {@code patience} at the
	 * latest, because the next leader does not wait for this replica.
	 */
	@Override
	public synchronized CompletionStage<?> onStoppedLeading(long epoch) {
		this.term = OptionalLong.empty();
		CompletableFuture<Void> quiet = this.informers.all(SharedInformer::standBy);
		CompletableFuture<Void> limited = quiet.copy().orTimeout(this.patience.toMillis(), TimeUnit.MILLISECONDS);
		if (this.leaving) {
			limited.exceptionally((late) -> {
				logger.warn(
						"This replica is stopping, but after {} ms a listener is still busy. The Lease is "
								+ "renewed until that listener returns or the application ends. Busy: {}",
						this.patience.toMillis(), this.informers.busy(this.patience));
				return null;
			});
			return quiet;
		}
		return limited.exceptionally((late) -> {
			logger.warn(
					"This replica is no longer the leader, but after {} ms a listener is still busy. Another "
							+ "replica may deliver at the same time. Busy: {}",
					this.patience.toMillis(), this.informers.busy(this.patience));
			return null;
		});
	}

	@Override
	public void onNewLeader(String identity) {
		// it does not matter which other replica leads
	}

	/**
	 * Called when the application stops, before the lead is given up. Writes the
	 * snapshots, so that the next leader delivers fewer changes a second time.
	 */
	public void leave() {
		synchronized (this) {
			this.leaving = true;
		}
		this.informers.flushSnapshots(this.patience);
	}

}
