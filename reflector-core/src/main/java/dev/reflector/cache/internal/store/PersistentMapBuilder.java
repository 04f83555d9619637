package dev.reflector.cache.internal.store;

import java.util.Arrays;
import java.util.Map;

/**
 * Builds a {@link PersistentMap} from many entries at once, from the leaves upwards. Each
 * node is created once. Adding the entries one by one would copy a path for each entry.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentMapBuilder<K, V> {

	private static final int WIDTH = 1 << TrieNode.BITS;

	private Object[] pairs;

	/** The hash of the key of each pair. */
	private int[] hashes;

	private int size;

	/** Creates an empty builder. */
	public PersistentMapBuilder() {
		// most maps of an index hold few entries, and larger maps grow quickly
		this(2);
	}

	private PersistentMapBuilder(int capacity) {
		this.pairs = new Object[2 * capacity];
		this.hashes = new int[capacity];
	}

	/**
	 * Builds a map.
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 * @param entries the entries
	 * @return a map with the same entries
	 */
	static <K, V> PersistentMap<K, V> of(Map<K, V> entries) {
		PersistentMapBuilder<K, V> builder = new PersistentMapBuilder<>(entries.size());
		entries.forEach(builder::add);
		return builder.build();
	}

	/**
	 * Adds an entry.
	 * @param key the key, which must not have been added before
	 * @param value the value
	 */
	public void add(K key, V value) {
		if (this.size == this.hashes.length) {
			this.hashes = Arrays.copyOf(this.hashes, 2 * this.size);
			this.pairs = Arrays.copyOf(this.pairs, 4 * this.size);
		}
		this.pairs[2 * this.size] = key;
		this.pairs[2 * this.size + 1] = value;
		this.hashes[this.size++] = TrieNode.spread(key);
	}

	/**
	 * Builds the map. The builder must not be used afterwards.
	 * @return a map of all added entries
	 */
	public PersistentMap<K, V> build() {
		if (this.size == 0) {
			return PersistentMap.empty();
		}
		Entries entries = new Entries(this.pairs, this.hashes);
		return new PersistentMap<>(entries.node(new Entries(2 * this.size), 0, this.size, 0), this.size);
	}

	/**
	 * Entries that are being grouped by hash: the pairs of key and value, and in the same
	 * order the hashes of the keys.
	 */
	private record Entries(Object[] pairs, int[] hashes) {

		Entries(int slots) {
			this(new Object[slots], new int[slots / 2]);
		}

		/**
		 * Creates a node for entries whose hashes are equal in the bits used so far.
		 * @param other scratch arrays, as large as the arrays of these entries; receive
		 * the entries, grouped by the next bits of their hashes
		 */
		TrieNode node(Entries other, int from, int to, int shift) {
			if (shift == TrieNode.REHASH) {
				for (int i = from; i < to; i++) {
					this.hashes[i] = TrieNode.rehash(this.pairs[2 * i]);
				}
				return new TrieNode.Rehashed(node(other, from, to, shift + TrieNode.BITS));
			}
			if (shift >= TrieNode.DEPTH) {
				return new TrieNode.Collision(Arrays.copyOfRange(this.pairs, 2 * from, 2 * to));
			}
			int[] ends = new int[WIDTH];
			int taken = 0;
			int shared = 0;
			for (int i = from; i < to; i++) {
				int place = place(i, shift);
				shared |= taken & (1 << place);
				taken |= 1 << place;
				ends[place]++;
			}
			int end = from;
			for (int rest = taken; rest != 0; rest &= rest - 1) {
				int place = Integer.numberOfTrailingZeros(rest);
				end += ends[place];
				ends[place] = end;
			}
			sort(other, from, to, shift, ends);
			return other.branch(this, taken & ~shared, shared, ends, to, shift);
		}

		/**
		 * Creates a node from entries that are grouped by place.
		 * @param entries the places with one entry, as a bit set
		 * @param nodes the places with several entries, as a bit set
		 * @param begins the index at which each place begins, which is also the end of
		 * the previous place
		 */
		private TrieNode.Branch branch(Entries other, int entries, int nodes, int[] begins, int to, int shift) {
			int entry = 2 * Integer.bitCount(entries);
			int node = entry;
			Object[] slots = new Object[entry + Integer.bitCount(nodes)];
			int end = to;
			for (int rest = entries | nodes; rest != 0;) {
				int bit = Integer.highestOneBit(rest);
				rest ^= bit;
				int begin = begins[Integer.numberOfTrailingZeros(bit)];
				if ((nodes & bit) != 0) {
					slots[node++] = node(other, begin, end, shift + TrieNode.BITS);
				}
				else {
					entry -= 2;
					slots[entry] = this.pairs[2 * begin];
					slots[entry + 1] = this.pairs[2 * begin + 1];
				}
				end = begin;
			}
			return new TrieNode.Branch(entries, nodes, slots);
		}

		private int place(int index, int shift) {
			return (this.hashes[index] >>> shift) & (WIDTH - 1);
		}

		/**
		 * Copies the entries to {@code target}, grouped by place. On entry, {@code ends}
		 * contains the index at which each place ends; on return, the index at which each
		 * place begins.
		 */
		private void sort(Entries target, int from, int to, int shift, int[] ends) {
			for (int i = to - 1; i >= from; i--) {
				int index = --ends[place(i, shift)];
				target.hashes[index] = this.hashes[i];
				target.pairs[2 * index] = this.pairs[2 * i];
				target.pairs[2 * index + 1] = this.pairs[2 * i + 1];
			}
		}

	}

}
