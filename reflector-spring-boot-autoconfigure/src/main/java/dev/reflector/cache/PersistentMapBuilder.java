package dev.reflector.cache;

import java.util.Arrays;
import java.util.Map;

/**
 * Makes a {@link PersistentMap} of many entries at once, from its leaves upwards: each
 * node is made once, where adding the entries one by one would copy a path for each.
 */
final class PersistentMapBuilder {

	private static final int WIDTH = 1 << PersistentMap.BITS;

	private PersistentMapBuilder() {
	}

	/**
	 * Makes a map.
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 * @param entries the entries
	 * @return the map with the same entries
	 */
	static <K, V> PersistentMap<K, V> of(Map<K, V> entries) {
		if (entries.isEmpty()) {
			return PersistentMap.empty();
		}
		Object[] pairs = new Object[2 * entries.size()];
		int index = 0;
		for (Map.Entry<K, V> entry : entries.entrySet()) {
			pairs[index++] = entry.getKey();
			pairs[index++] = entry.getValue();
		}
		return new PersistentMap<>(node(pairs, 0), entries.size());
	}

	/** Of at least one entry; more than one have the same bits so far. */
	private static PersistentMap.Node node(Object[] pairs, int shift) {
		if (shift >= PersistentMap.DEPTH) {
			return new PersistentMap.Collision(pairs);
		}
		int[] places = new int[pairs.length / 2];
		int[] counts = new int[WIDTH];
		for (int i = 0; i < places.length; i++) {
			places[i] = (PersistentMap.spread(pairs[2 * i]) >>> shift) & (WIDTH - 1);
			counts[places[i]]++;
		}
		int entries = 0;
		int nodes = 0;
		for (int place = 0; place < WIDTH; place++) {
			entries |= (counts[place] == 1) ? 1 << place : 0;
			nodes |= (counts[place] > 1) ? 1 << place : 0;
		}
		Object[] sorted = sorted(pairs, places, counts);
		Object[] slots = new Object[2 * Integer.bitCount(entries) + Integer.bitCount(nodes)];
		int entry = 0;
		int node = slots.length;
		int from = 0;
		for (int count : counts) {
			if (count == 1) {
				slots[entry++] = sorted[from];
				slots[entry++] = sorted[from + 1];
			}
			else if (count > 1) {
				slots[--node] = node(Arrays.copyOfRange(sorted, from, from + 2 * count), shift + PersistentMap.BITS);
			}
			from += 2 * count;
		}
		return new PersistentMap.Branch(entries, nodes, slots);
	}

	private static Object[] sorted(Object[] pairs, int[] places, int[] counts) {
		int[] next = new int[WIDTH];
		for (int place = 1; place < WIDTH; place++) {
			next[place] = next[place - 1] + 2 * counts[place - 1];
		}
		Object[] sorted = new Object[pairs.length];
		for (int i = 0; i < places.length; i++) {
			int target = next[places[i]];
			sorted[target] = pairs[2 * i];
			sorted[target + 1] = pairs[2 * i + 1];
			next[places[i]] = target + 2;
		}
		return sorted;
	}

}
