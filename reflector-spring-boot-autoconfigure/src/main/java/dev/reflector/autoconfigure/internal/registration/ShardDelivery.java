package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.event.ReplicaEventPublisher;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardEvent;
import dev.reflector.event.ShardReleasedEvent;
import dev.reflector.event.ShardsUnownedEvent;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.MirroredSlots;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.membership.MemberSettings;
import dev.reflector.sharding.membership.ShardCallbacks;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.sharding.source.ShardedListerWatcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.function.SingletonSupplier;

/**
 * Makes the reflectors of this replica mirror the slots that the replica should own, and
 * deliver the slots that it owns. A slot stays in the mirror until the slot is released
 * completely, because until then listeners may still receive events of the slot's
 * objects.
 */
public final class ShardDelivery implements ReplicaDelivery, ShardCallbacks, ShardOwnership {

	private static final Logger logger = LoggerFactory.getLogger(ShardDelivery.class);

	private final Supplier<ShardMembership> membership;

	private final Slots slots;

	private final ShardField field;

	private final String identity;

	private final Duration patience;

	private final ReplicaEventPublisher publisher;

	private final Informers informers = new Informers();

	/** The slots that this replica should own, or {@code null} before they are known. */
	private @Nullable DesiredSlots desired;

	/** The slots that are owned or being released, with their epochs. */
	private final Map<Integer, Long> acquired = new TreeMap<>();

	/** Those of the {@link #acquired} slots that are being released. */
	private final Set<Integer> releasing = new TreeSet<>();

	/**
	 * Whether the application is stopping. While it is stopping, the mirrors keep their
	 * slots.
	 */
	private boolean leaving;

	/**
	 * Creates the delivery of a replica that owns no slot yet.
	 * @param membership supplies the membership of this replica
	 * @param slots all slots
	 * @param field the field of an object that decides its slot
	 * @param identity the identity of this replica
	 * @param patience how long a call of a listener may take. After this time, slots
	 * whose changes wait for this call count as undelivered, and a warning is logged if
	 * one of them must be handed over
	 * @param publisher publishes events
	 */
	public ShardDelivery(Supplier<ShardMembership> membership, Slots slots, ShardField field, String identity,
			Duration patience, ReplicaEventPublisher publisher) {
		this.membership = SingletonSupplier.of(membership);
		this.slots = slots;
		this.field = field;
		this.identity = identity;
		this.patience = patience;
		this.publisher = publisher;
	}

	@Override
	public Part part() {
		return new OfSlots(this, new MirroredSlots(this.slots, this.field));
	}

	@Override
	public String takeover() {
		return "reflector.sharding.enabled=true";
	}

	@Override
	public synchronized void add(SharedInformer<?> informer) {
		this.informers.add(informer);
		if (this.desired != null) {
			informer.mirrorSlots(toMirror(this.desired));
			this.acquired.forEach((slot, epoch) -> {
				if (!this.releasing.contains(slot)) {
					informer.acquireSlot(slot, epoch);
				}
			});
		}
	}

	@Override
	public void remove(SharedInformer<?> informer) {
		this.informers.remove(informer);
	}

	@Override
	public Slots slots() {
		return this.slots;
	}

	@Override
	public long epoch(int slot) {
		return this.membership.get().epoch(slot);
	}

	/**
	 * Returns the settings that this replica announces to the other replicas. Takes no
	 * lock.
	 * @param application the name of the application
	 * @return the settings
	 */
	public MemberSettings settings(String application) {
		return MemberSettings.of(this.field, application, this.informers.types());
	}

	/**
	 * Writes the snapshots of the slots before they are handed over, because the next
	 * owners deliver each change again that is not stored.
	 */
	public void flushSnapshots() {
		this.informers.flushSnapshots(this.patience);
	}

	/**
	 * Called when the application begins to stop. From now on, the mirrors keep their
	 * slots.
	 */
	public synchronized void leave() {
		this.leaving = true;
	}

	/** Called when the application starts, possibly after it was stopped. */
	public synchronized void join() {
		this.leaving = false;
	}

	@Override
	public synchronized void onDesired(DesiredSlots slots) {
		if (!this.leaving) {
			this.desired = slots;
			mirror(slots);
		}
	}

	private void mirror(DesiredSlots desired) {
		DesiredSlots slots = toMirror(desired);
		this.informers.forEach((informer) -> informer.mirrorSlots(slots));
	}

	private DesiredSlots toMirror(DesiredSlots desired) {
		Set<Integer> slots = new TreeSet<>(desired.toSet());
		slots.addAll(this.acquired.keySet());
		return DesiredSlots.of(slots);
	}

	@Override
	public void onAcquired(int slot, long epoch) {
		publish(slot, new ShardAcquiredEvent(this.membership.get(), slot, epoch));
		synchronized (this) {
			this.acquired.put(slot, epoch);
			this.informers.forEach((informer) -> informer.acquireSlot(slot, epoch));
		}
	}

	@Override
	public synchronized CompletionStage<?> onRelease(int slot, long epoch) {
		this.releasing.add(slot);
		CompletableFuture<Void> quiet = this.informers.all((informer) -> informer.releaseSlot(slot));
		if (!quiet.isDone()) {
			quiet.copy().orTimeout(this.patience.toMillis(), TimeUnit.MILLISECONDS).exceptionally((late) -> {
				logger.warn(
						"Slot {} must be handed over, but after {} ms a listener is still busy. The slot has no "
								+ "owner until that listener returns. Busy: {}",
						slot, this.patience.toMillis(), this.informers.busy(this.patience));
				return null;
			});
		}
		return quiet;
	}

	@Override
	public void onReleased(int slot, long epoch, ReleaseReason reason) {
		synchronized (this) {
			this.acquired.remove(slot);
			this.releasing.remove(slot);
			if (reason == ReleaseReason.LAPSED) {
				this.informers.forEach((informer) -> informer.releaseSlot(slot));
			}
			if (this.desired != null && !this.leaving) {
				mirror(this.desired);
			}
		}
		publish(slot, new ShardReleasedEvent(this.membership.get(), slot, epoch, reason));
	}

	private void publish(int slot, ShardEvent event) {
		this.publisher.publish(event, "objects of slot " + slot + " are not delivered");
	}

	/**
	 * Returns the slots that this replica owns but does not deliver, each with how long
	 * it has not delivered the slot. Called under the lock of the membership, so this
	 * method must not wait for the lock of this object.
	 */
	@Override
	public Map<Integer, Duration> undelivered() {
		Map<Integer, Duration> undelivered = new TreeMap<>();
		this.informers.forEach((informer) -> informer.undeliveredSlots(this.patience)
			.forEach((slot, age) -> undelivered.merge(slot, age,
					(one, other) -> (one.compareTo(other) > 0) ? one : other)));
		return undelivered;
	}

	@Override
	public void onUnowned(Set<Integer> slots) {
		this.publisher.publish(new ShardsUnownedEvent(this.membership.get(), slots), "later reports of slots wait");
	}

	/**
	 * The slots that one reflector mirrors and delivers.
	 *
	 * @param delivery the delivery that changes the slots
	 * @param mirrored the slots that the reflector mirrors
	 */
	private record OfSlots(ShardDelivery delivery, MirroredSlots mirrored) implements Part {

		@Override
		public <T> ListerWatcher<T> source(String reflector, ListerWatcher<T> whole, ResourceAccessor<T> accessor) {
			return new ShardedListerWatcher<>(reflector, whole, accessor, this.mirrored);
		}

		@Override
		public void deliver(SharedInformerBuilder<?> builder) {
			builder.slots(this.mirrored, this.delivery, this.delivery.identity);
		}

	}

}
