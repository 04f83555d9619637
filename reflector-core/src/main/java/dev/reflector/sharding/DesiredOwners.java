package dev.reflector.sharding;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The desired owner of each slot, by rendezvous hashing: each member has a score for each
 * slot, and the highest score wins. Immutable; {@link #with} computes the next instance
 * incrementally, with the same result as a full computation.
 */
final class DesiredOwners {

	private static final long GOLDEN = 0x9e3779b97f4a7c15L;

	private final Map<String, Long> members;

	private final @Nullable String[] owners;

	DesiredOwners(int slots) {
		this(Map.of(), new @Nullable String[slots]);
	}

	private DesiredOwners(Map<String, Long> members, @Nullable String[] owners) {
		this.members = members;
		this.owners = owners;
	}

	List<@Nullable String> asList() {
		List<@Nullable String> list = new ArrayList<>(this.owners.length);
		for (String owner : this.owners) {
			list.add(owner);
		}
		return list;
	}

	DesiredSlots slotsOf(String identity) {
		BitSet slots = new BitSet(this.owners.length);
		for (int slot = 0; slot < this.owners.length; slot++) {
			if (identity.equals(this.owners[slot])) {
				slots.set(slot);
			}
		}
		return new DesiredSlots(slots);
	}

	boolean isOf(Set<String> live) {
		return this.members.keySet().equals(live);
	}

	DesiredOwners with(Set<String> live) {
		if (isOf(live)) {
			return this;
		}
		Map<String, Long> next = new HashMap<>();
		Candidates all = new Candidates(live.size());
		Candidates added = new Candidates(live.size());
		for (String member : live) {
			Long known = this.members.get(member);
			long hash = (known != null) ? known : ShardHash.of(member);
			next.put(member, hash);
			all.add(member, hash);
			if (known == null) {
				added.add(member, hash);
			}
		}
		@Nullable String[] owners = new @Nullable String[this.owners.length];
		for (int slot = 0; slot < owners.length; slot++) {
			String before = this.owners[slot];
			Long hash = (before != null) ? next.get(before) : null;
			owners[slot] = (hash != null) ? added.best(slot, before, hash) : all.best(slot, null, 0);
		}
		return new DesiredOwners(next, owners);
	}

	/** Whether the first of two members has the higher score for a slot. */
	static boolean wins(int slot, String member, String other) {
		return isHigher(score(slot, ShardHash.of(member)), member, score(slot, ShardHash.of(other)), other);
	}

	private static boolean isHigher(long score, String member, long other, String otherMember) {
		int order = Long.compareUnsigned(score, other);
		return (order != 0) ? order > 0 : member.compareTo(otherMember) > 0;
	}

	/**
	 * Returns the score of a member for a slot. The hash is mixed again, because FNV-1a
	 * alone would give similar names similar scores.
	 */
	private static long score(int slot, long memberHash) {
		return mixed(memberHash + mixed((slot + 1) * GOLDEN));
	}

	private static long mixed(long value) {
		long half = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
		long whole = (half ^ half >>> 33) * 0xc4ceb9fe1a85ec53L;
		return whole ^ whole >>> 33;
	}

	/**
	 * Members and their hashes in parallel arrays, because there are many scores to
	 * compute.
	 */
	private static final class Candidates {

		private final String[] names;

		private final long[] hashes;

		private int size;

		Candidates(int capacity) {
			this.names = new String[capacity];
			this.hashes = new long[capacity];
		}

		void add(String name, long hash) {
			this.names[this.size] = name;
			this.hashes[this.size] = hash;
			this.size++;
		}

		/**
		 * Returns the candidate with the highest score for a slot. The member
		 * {@code first} competes, too, unless it is {@code null}.
		 */
		@Nullable String best(int slot, @Nullable String first, long firstHash) {
			String best = first;
			long bestScore = score(slot, firstHash);
			for (int i = 0; i < this.size; i++) {
				long score = score(slot, this.hashes[i]);
				if (best == null || isHigher(score, this.names[i], bestScore, best)) {
					best = this.names[i];
					bestScore = score;
				}
			}
			return best;
		}

	}

}
