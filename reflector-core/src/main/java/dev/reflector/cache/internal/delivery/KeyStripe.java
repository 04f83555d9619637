package dev.reflector.cache.internal.delivery;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.InitialObjects;

/**
 * The part of the objects that one of several listeners of a handler serves. All changes
 * of an object belong to the same stripe, so they keep their order.
 *
 * @param index the index of the stripe, counted from 0
 * @param count the number of stripes
 */
record KeyStripe(int index, int count) {

	boolean has(ResourceKey key) {
		return this.count == 1 || Math.floorMod(mixed(key.hashCode()), this.count) == this.index;
	}

	/**
	 * Mixes the bits of a hash code (the last step of MurmurHash3). Without this step,
	 * objects with consecutive names might get the same stripe, because the low bits of
	 * their hash codes may be equal.
	 */
	private static int mixed(int hash) {
		int mixed = (hash ^ (hash >>> 16)) * 0x85ebca6b;
		mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
		return mixed ^ (mixed >>> 16);
	}

	<T> InitialObjects<T> of(InitialObjects<T> initial) {
		return (this.count == 1) ? initial : initial.of(this::has);
	}

	/** Returns this stripe's part of a total capacity, rounded up. */
	int capacity(int whole) {
		return whole / this.count + ((whole % this.count != 0) ? 1 : 0);
	}

}
