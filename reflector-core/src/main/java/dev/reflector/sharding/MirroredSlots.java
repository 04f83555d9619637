package dev.reflector.sharding;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The slots that a reflector mirrors, which may change while it runs. The reflector and
 * its source share one instance; the reflector changes it. Thread-safe.
 * <p>
 * The source makes no requests until it is decided which slots are mirrored. A replica
 * may have no slots: then it mirrors nothing and counts as synced.
 *
 * @since 0.1.0
 */
public final class MirroredSlots {

	private final Slots slots;

	private final ShardField field;

	private final Sinks.Empty<Void> decided = Sinks.empty();

	private volatile Present present;

	/**
	 * Creates an instance whose slots are not decided yet.
	 * @param slots the division of the collection into slots
	 * @param field the field by which objects are divided
	 */
	public MirroredSlots(Slots slots, ShardField field) {
		this.slots = slots;
		this.field = field;
		this.present = new Present(new Share(DesiredSlots.NONE, nothing(field)), 0, new long[slots.count()]);
	}

	/**
	 * Returns a selector for no slots. A selector without ranges selects everything, so
	 * this one has a range of one hash.
	 */
	private static ShardSelector nothing(ShardField field) {
		return new ShardSelector(field, List.of(ShardRange.of(0, 1)));
	}

	/**
	 * Returns the division of the collection into slots.
	 * @return the division into slots
	 */
	public Slots slots() {
		return this.slots;
	}

	/**
	 * Returns the field by which objects are divided.
	 * @return the field
	 */
	public ShardField field() {
		return this.field;
	}

	/**
	 * Returns the slots that this replica currently mirrors.
	 * @return the slots; none until it is first decided which slots are mirrored
	 */
	public DesiredSlots present() {
		return this.present.share.slots();
	}

	/**
	 * Returns the share to request from the server.
	 * @return the slots that are mirrored, with their selector
	 */
	public Share share() {
		return this.present.share;
	}

	/**
	 * Waits until it is first decided which slots are mirrored.
	 * @return a publisher that completes when it is decided which slots are mirrored
	 */
	public Mono<Void> decided() {
		return this.decided.asMono();
	}

	/**
	 * Returns the generation of the mirrored slots, which each change increases by one. A
	 * full state that is requested now contains the objects of all slots that were
	 * {@linkplain #addedAt added} in this generation or an earlier one.
	 * @return the generation; 1 before the first change, because requests wait for that
	 * change
	 */
	public long generation() {
		return Math.max(1, this.present.generation);
	}

	/**
	 * Returns the generation at which a mirrored slot was added.
	 * @param slot the slot
	 * @return the generation
	 */
	public long addedAt(int slot) {
		return this.present.addedAt[slot];
	}

	/**
	 * Changes the slots.
	 * @param next the slots to mirror from now on
	 * @return the slots that are no longer mirrored, and whether slots were added
	 * @throws IllegalArgumentException when there is no such slot
	 */
	public synchronized Difference change(DesiredSlots next) {
		Present before = this.present;
		if (before.generation > 0 && next.equals(before.share.slots())) {
			return new Difference(DesiredSlots.NONE, false);
		}
		Collection<Integer> numbers = next.toSet();
		numbers.forEach(this.slots::require);
		BitSet removed = new BitSet();
		before.share.slots().toSet().stream().filter((slot) -> !next.contains(slot)).forEach(removed::set);
		long generation = before.generation + 1;
		long[] addedAt = Arrays.copyOf(before.addedAt, before.addedAt.length);
		boolean added = false;
		for (int slot : numbers) {
			if (!before.share.slots().contains(slot)) {
				addedAt[slot] = generation;
				// the first change needs no new list, because all requests have waited
				// for it
				added = before.generation > 0;
			}
		}
		ShardSelector selector = numbers.isEmpty() ? nothing(this.field) : this.slots.selector(this.field, numbers);
		this.present = new Present(new Share(next, selector), generation, addedAt);
		this.decided.tryEmitEmpty();
		return new Difference(new DesiredSlots(removed), added);
	}

	@Override
	public String toString() {
		return "slots " + present() + " of " + this.slots.count() + " by " + this.field.path();
	}

	/**
	 * The result of a change.
	 *
	 * @param removed the slots that are no longer mirrored
	 * @param added whether slots were added, so that their objects must be requested
	 */
	public record Difference(DesiredSlots removed, boolean added) {

	}

	/**
	 * The slots that are mirrored at one time.
	 *
	 * @param slots the slots
	 * @param selector the selector for requests to the server; if there are no slots, it
	 * selects a single hash
	 */
	public record Share(DesiredSlots slots, ShardSelector selector) {

	}

	/** The current slots and their generations. The array is never modified. */
	private record Present(Share share, long generation, long[] addedAt) {

	}

}
