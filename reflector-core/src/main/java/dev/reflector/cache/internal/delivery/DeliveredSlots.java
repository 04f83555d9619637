package dev.reflector.cache.internal.delivery;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.sharding.MirroredSlots;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.ShardOwnership;
import org.jspecify.annotations.Nullable;

/**
 * The slots whose changes this replica delivers to handlers. A slot is first acquired,
 * begins when the mirror has all of its objects, and is finally released. The state of a
 * slot is changed under the lock of {@link Handlers}. Any thread may read it.
 *
 * @param <T> the type of the objects
 */
public final class DeliveredSlots<T> {

	/** Stands for a slot that has not begun. Larger than the number of any change. */
	private static final long NEVER = Long.MAX_VALUE;

	private final MirroredSlots mirrored;

	private final ShardOwnership ownership;

	private final String owner;

	private final ResourceAccessor<T> accessor;

	/** The number of namespaces that are listed separately, at least one. */
	private final int scopes;

	/**
	 * For each namespace, the generation of the mirrored slots at the time when the last
	 * complete state of the namespace was requested.
	 */
	private final Map<String, Long> listed = new ConcurrentHashMap<>();

	/** The epoch in which each slot was acquired. */
	private final AtomicLongArray acquired;

	/** When each slot was acquired, by the clock of the handlers. */
	private final AtomicLongArray acquiredAt;

	/**
	 * For each slot, the number of a change. Only changes with larger numbers are
	 * delivered.
	 */
	private final AtomicLongArray begun;

	/**
	 * Creates the slots of a replica that does not deliver any slot yet.
	 * @param mirrored the slots that are mirrored
	 * @param ownership which slots this replica owns
	 * @param owner the identity of this replica
	 * @param accessor reads metadata
	 * @param scopes how many namespaces are listed separately, at least one
	 */
	public DeliveredSlots(MirroredSlots mirrored, ShardOwnership ownership, String owner, ResourceAccessor<T> accessor,
			int scopes) {
		this.mirrored = mirrored;
		this.ownership = ownership;
		this.owner = owner;
		this.accessor = accessor;
		this.scopes = scopes;
		int count = mirrored.slots().count();
		long[] none = new long[count];
		Arrays.fill(none, ShardOwnership.NOT_OWNED);
		this.acquired = new AtomicLongArray(none);
		this.acquiredAt = new AtomicLongArray(count);
		Arrays.fill(none, NEVER);
		this.begun = new AtomicLongArray(none);
	}

	ResourceAccessor<T> accessor() {
		return this.accessor;
	}

	public MirroredSlots mirrored() {
		return this.mirrored;
	}

	public int slotOf(ResourceKey key, T object) {
		return this.mirrored.slots()
			.slotOf((this.mirrored.field() == ShardField.UID) ? this.accessor.uid(object) : key.namespace());
	}

	/** Returns the slot of an object, of which only the key and uid are needed. */
	public int slotOf(ResourceKey key, String uid) {
		return this.mirrored.slots().slotOf((this.mirrored.field() == ShardField.UID) ? uid : key.namespace());
	}

	/** Returns the slot of the object of a change. */
	public int slotOf(Change<T> change) {
		return slotOf(change.key(), change.uid(this.accessor));
	}

	/** Whether the slot of an object is mirrored. */
	public boolean isMirrored(ResourceKey key, T object) {
		return this.mirrored.present().contains(slotOf(key, object));
	}

	/** Whether a change with this number is delivered to handlers. */
	boolean isHeard(Change<T> change, long number) {
		return number > this.begun.get(slotOf(change));
	}

	/** Whether an initial object is delivered to handlers. */
	boolean hasBegun(ResourceKey key, T object) {
		return hasBegun(slotOf(key, object));
	}

	/** Whether the changes of a slot are delivered. */
	public boolean hasBegun(int slot) {
		return this.begun.get(slot) != NEVER;
	}

	/** Returns the slots that are delivered. */
	public List<Integer> begunSlots() {
		return IntStream.range(0, this.begun.length()).filter(this::hasBegun).boxed().toList();
	}

	/**
	 * Returns the ownership under which a change of an object may be delivered now.
	 * @return the ownership, or {@code null} if the change must not be delivered
	 */
	@Nullable Ownership ownership(ResourceKey key, String uid) {
		int slot = slotOf(key, uid);
		long epoch = this.acquired.get(slot);
		return (hasBegun(slot) && isOwned(slot)) ? new Ownership(this.owner, slot, epoch) : null;
	}

	/** Whether the slot is still owned in the epoch in which it was acquired. */
	public boolean isOwned(int slot) {
		long epoch = this.acquired.get(slot);
		return epoch != ShardOwnership.NOT_OWNED && this.ownership.epoch(slot) == epoch;
	}

	/**
	 * Returns the slots that were acquired but are not delivered, each with the time
	 * since which the slot has not been delivered.
	 * @param stalledSince the time since which nothing at all is delivered, or
	 * {@code null} if something is delivered
	 */
	Map<Integer, Long> undelivered(@Nullable Long stalledSince) {
		Map<Integer, Long> undelivered = new TreeMap<>();
		for (int slot = 0; slot < this.begun.length(); slot++) {
			long acquiredAt = this.acquiredAt.get(slot);
			if (this.acquired.get(slot) == ShardOwnership.NOT_OWNED) {
				continue;
			}
			if (!hasBegun(slot)) {
				undelivered.put(slot, acquiredAt);
			}
			else if (stalledSince != null) {
				undelivered.put(slot, (acquiredAt - stalledSince > 0) ? acquiredAt : stalledSince);
			}
		}
		return undelivered;
	}

	/**
	 * Returns the slots that are delivered, with the epochs in which they were acquired.
	 */
	public Map<Integer, Long> begunEpochs() {
		Map<Integer, Long> epochs = new TreeMap<>();
		begunSlots().forEach((slot) -> epochs.put(slot, this.acquired.get(slot)));
		return epochs;
	}

	/**
	 * Returns the epoch in which a slot was acquired, or {@link ShardOwnership#NOT_OWNED}
	 * if it is not acquired.
	 */
	public long epoch(int slot) {
		return this.acquired.get(slot);
	}

	/** Whether a slot is still owned and delivered in the given epoch. */
	public boolean isDelivered(int slot, long epoch) {
		return this.acquired.get(slot) == epoch && hasBegun(slot) && isOwned(slot);
	}

	// The following methods are called under the lock of Handlers

	void acquire(int slot, long epoch, long now) {
		this.acquiredAt.set(slot, now);
		this.acquired.set(slot, epoch);
	}

	void begin(int slot, long number) {
		this.begun.set(slot, number);
	}

	/**
	 * Stops the delivery of a slot. The slot stays acquired, and begins again when this
	 * is possible.
	 */
	void standBy(int slot, long now) {
		this.acquiredAt.set(slot, now);
		this.begun.set(slot, NEVER);
	}

	void release(int slot) {
		this.begun.set(slot, NEVER);
		this.acquired.set(slot, ShardOwnership.NOT_OWNED);
	}

	/** Notes that a complete state of a namespace is in the mirror. */
	void listed(@Nullable String namespace, long generation) {
		this.listed.put((namespace != null) ? namespace : "", generation);
	}

	/**
	 * Whether a slot can begin: it was acquired, it has not begun, and the mirror has all
	 * of its objects.
	 */
	boolean isReady(int slot) {
		return this.acquired.get(slot) != ShardOwnership.NOT_OWNED && !hasBegun(slot) && isComplete(slot);
	}

	/** Whether the mirror has all objects of a slot. */
	public boolean isComplete(int slot) {
		if (!this.mirrored.present().contains(slot) || this.listed.size() < this.scopes) {
			return false;
		}
		long added = this.mirrored.addedAt(slot);
		return this.listed.values().stream().allMatch((generation) -> generation >= added);
	}

	int count() {
		return this.begun.length();
	}

}
