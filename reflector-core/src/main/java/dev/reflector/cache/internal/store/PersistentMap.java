package dev.reflector.cache.internal.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

/**
 * An immutable hash map whose changed copies share all but a path with the original (a
 * compressed hash-array mapped prefix trie). One writer publishes new versions, any
 * number of readers keep reading the version they hold, without locks.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentMap<K, V> {

	static final int BITS = 5;

	static final int DEPTH = 32;

	private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(new Branch(0, 0, new Object[0]), 0);

	private final Node root;

	private final int size;

	PersistentMap(Node root, int size) {
		this.root = root;
		this.size = size;
	}

	@SuppressWarnings("unchecked")
	public static <K, V> PersistentMap<K, V> empty() {
		return (PersistentMap<K, V>) EMPTY;
	}

	public int size() {
		return this.size;
	}

	Node root() {
		return this.root;
	}

	@SuppressWarnings("unchecked")
	@Nullable public V get(K key) {
		return (V) this.root.get(key, spread(key), 0);
	}

	/**
	 * The map with a key set to a value.
	 */
	public PersistentMap<K, V> with(K key, V value) {
		Edit edit = new Edit();
		Node changed = this.root.with(key, value, spread(key), 0, edit);
		return (changed != this.root) ? new PersistentMap<>(changed, this.size + edit.added) : this;
	}

	/**
	 * The map without a key; the same instance when it does not hold the key.
	 */
	public PersistentMap<K, V> without(K key) {
		Node changed = this.root.without(key, spread(key), 0);
		return (changed != this.root) ? new PersistentMap<>(changed, this.size - 1) : this;
	}

	@SuppressWarnings("unchecked")
	public void forEach(BiConsumer<? super K, ? super V> action) {
		this.root.forEach((BiConsumer<Object, Object>) action);
	}

	@SuppressWarnings("unchecked")
	List<V> values() {
		List<Object> values = new ArrayList<>(this.size);
		this.root.forEach((key, value) -> values.add(value));
		return (List<V>) Collections.unmodifiableList(values);
	}

	/** Visits the entries as it is asked for them: nothing is copied. */
	Iterator<Map.Entry<K, V>> iterator() {
		return new Cursor<>(this.root);
	}

	/** Streams the values as they are asked for: nothing is copied. */
	Stream<V> stream() {
		int traits = Spliterator.IMMUTABLE | Spliterator.NONNULL;
		return StreamSupport.stream(Spliterators.spliterator(iterator(), this.size, traits), false)
			.map(Map.Entry::getValue);
	}

	static int spread(Object key) {
		int hash = key.hashCode();
		return hash ^ (hash >>> 16);
	}

	/** Tells whether a key was new. */
	private static final class Edit {

		private int added;

	}

	abstract static sealed class Node {

		/** Entries as pairs, and then nodes. */
		final Object[] slots;

		Node(Object[] slots) {
			this.slots = slots;
		}

		abstract @Nullable Object get(Object key, int hash, int shift);

		abstract Node with(Object key, Object value, int hash, int shift, Edit edit);

		abstract Node without(Object key, int hash, int shift);

		void forEach(BiConsumer<Object, Object> action) {
			int end = end();
			for (int i = 0; i < end; i += 2) {
				action.accept(this.slots[i], this.slots[i + 1]);
			}
			for (int i = this.slots.length - 1; i >= end; i--) {
				((Node) this.slots[i]).forEach(action);
			}
		}

		/** The node that holds the keys of a hash, if a node of its own does. */
		abstract @Nullable Node child(int hash, int shift);

		/** One of the keys. */
		Object anyKey() {
			return (end() > 0) ? this.slots[0] : ((Node) this.slots[0]).anyKey();
		}

		/** Where in the slots the entries end. */
		abstract int end();

		/** The one entry of a node that holds just one, else nothing. */
		abstract Object @Nullable [] single();

	}

	/**
	 * Up to 32 places, of which each holds an entry, a node, or nothing. Entries stand in
	 * front as pairs, nodes behind in reverse order.
	 */
	static final class Branch extends Node {

		private final int entries;

		private final int nodes;

		Branch(int entries, int nodes, Object[] slots) {
			super(slots);
			this.entries = entries;
			this.nodes = nodes;
		}

		private static int bit(int hash, int shift) {
			return 1 << ((hash >>> shift) & 31);
		}

		private int entryIndex(int bit) {
			return 2 * Integer.bitCount(this.entries & (bit - 1));
		}

		private int nodeIndex(int bit) {
			return this.slots.length - 1 - Integer.bitCount(this.nodes & (bit - 1));
		}

		@Override
		@Nullable Object get(Object key, int hash, int shift) {
			int bit = bit(hash, shift);
			if ((this.entries & bit) != 0) {
				int index = entryIndex(bit);
				return this.slots[index].equals(key) ? this.slots[index + 1] : null;
			}
			if ((this.nodes & bit) != 0) {
				return ((Node) this.slots[nodeIndex(bit)]).get(key, hash, shift + BITS);
			}
			return null;
		}

		@Override
		Node with(Object key, Object value, int hash, int shift, Edit edit) {
			int bit = bit(hash, shift);
			if ((this.entries & bit) != 0) {
				int index = entryIndex(bit);
				Object present = this.slots[index];
				if (present.equals(key)) {
					return (this.slots[index + 1] != value) ? withSlot(index + 1, value) : this;
				}
				edit.added = 1;
				Node pair = pair(present, this.slots[index + 1], spread(present), key, value, hash, shift + BITS);
				return withEntryTurnedIntoNode(bit, index, pair);
			}
			if ((this.nodes & bit) != 0) {
				int index = nodeIndex(bit);
				Node node = (Node) this.slots[index];
				Node changed = node.with(key, value, hash, shift + BITS, edit);
				return (changed != node) ? withSlot(index, changed) : this;
			}
			edit.added = 1;
			int index = entryIndex(bit);
			Object[] slots = new Object[this.slots.length + 2];
			System.arraycopy(this.slots, 0, slots, 0, index);
			slots[index] = key;
			slots[index + 1] = value;
			System.arraycopy(this.slots, index, slots, index + 2, this.slots.length - index);
			return new Branch(this.entries | bit, this.nodes, slots);
		}

		private Branch withSlot(int index, Object content) {
			Object[] slots = this.slots.clone();
			slots[index] = content;
			return new Branch(this.entries, this.nodes, slots);
		}

		private Branch withEntryTurnedIntoNode(int bit, int index, Node node) {
			int target = this.slots.length - 2 - Integer.bitCount(this.nodes & (bit - 1));
			Object[] slots = new Object[this.slots.length - 1];
			System.arraycopy(this.slots, 0, slots, 0, index);
			System.arraycopy(this.slots, index + 2, slots, index, target - index);
			slots[target] = node;
			System.arraycopy(this.slots, target + 2, slots, target + 1, this.slots.length - target - 2);
			return new Branch(this.entries ^ bit, this.nodes | bit, slots);
		}

		private static Node pair(Object key1, Object value1, int hash1, Object key2, Object value2, int hash2,
				int shift) {
			if (shift >= DEPTH) {
				return new Collision(new Object[] { key1, value1, key2, value2 });
			}
			int bit1 = bit(hash1, shift);
			int bit2 = bit(hash2, shift);
			if (bit1 == bit2) {
				return new Branch(0, bit1,
						new Object[] { pair(key1, value1, hash1, key2, value2, hash2, shift + BITS) });
			}
			boolean inOrder = Integer.compareUnsigned(bit1, bit2) < 0;
			return new Branch(bit1 | bit2, 0, inOrder ? new Object[] { key1, value1, key2, value2 }
					: new Object[] { key2, value2, key1, value1 });
		}

		@Override
		Node without(Object key, int hash, int shift) {
			int bit = bit(hash, shift);
			if ((this.entries & bit) != 0) {
				int index = entryIndex(bit);
				return this.slots[index].equals(key) ? withoutEntry(bit, index) : this;
			}
			if ((this.nodes & bit) != 0) {
				int index = nodeIndex(bit);
				Node node = (Node) this.slots[index];
				Node changed = node.without(key, hash, shift + BITS);
				if (changed == node) {
					return this;
				}
				Object[] single = changed.single();
				return (single != null) ? withNodeTurnedIntoEntry(bit, index, single) : withSlot(index, changed);
			}
			return this;
		}

		private Branch withoutEntry(int bit, int index) {
			Object[] slots = new Object[this.slots.length - 2];
			System.arraycopy(this.slots, 0, slots, 0, index);
			System.arraycopy(this.slots, index + 2, slots, index, slots.length - index);
			return new Branch(this.entries ^ bit, this.nodes, slots);
		}

		private Branch withNodeTurnedIntoEntry(int bit, int index, Object[] entry) {
			int target = entryIndex(bit);
			Object[] slots = new Object[this.slots.length + 1];
			System.arraycopy(this.slots, 0, slots, 0, target);
			slots[target] = entry[0];
			slots[target + 1] = entry[1];
			System.arraycopy(this.slots, target, slots, target + 2, index - target);
			System.arraycopy(this.slots, index + 1, slots, index + 2, this.slots.length - index - 1);
			return new Branch(this.entries | bit, this.nodes ^ bit, slots);
		}

		@Override
		@Nullable Node child(int hash, int shift) {
			int bit = bit(hash, shift);
			return ((this.nodes & bit) != 0) ? (Node) this.slots[nodeIndex(bit)] : null;
		}

		@Override
		int end() {
			return 2 * Integer.bitCount(this.entries);
		}

		@Override
		Object @Nullable [] single() {
			return (this.nodes == 0 && this.slots.length == 2) ? this.slots : null;
		}

	}

	/** Entries whose keys have the same hash. */
	static final class Collision extends Node {

		Collision(Object[] pairs) {
			super(pairs);
		}

		private int indexOf(Object key) {
			for (int i = 0; i < this.slots.length; i += 2) {
				if (this.slots[i].equals(key)) {
					return i;
				}
			}
			return -1;
		}

		@Override
		@Nullable Object get(Object key, int hash, int shift) {
			int index = indexOf(key);
			return (index >= 0) ? this.slots[index + 1] : null;
		}

		@Override
		Node with(Object key, Object value, int hash, int shift, Edit edit) {
			int index = indexOf(key);
			if (index >= 0 && this.slots[index + 1] == value) {
				return this;
			}
			if (index < 0) {
				edit.added = 1;
				index = this.slots.length;
			}
			Object[] pairs = Arrays.copyOf(this.slots, Math.max(this.slots.length, index + 2));
			pairs[index] = key;
			pairs[index + 1] = value;
			return new Collision(pairs);
		}

		@Override
		Node without(Object key, int hash, int shift) {
			int index = indexOf(key);
			if (index < 0) {
				return this;
			}
			Object[] pairs = new Object[this.slots.length - 2];
			System.arraycopy(this.slots, 0, pairs, 0, index);
			System.arraycopy(this.slots, index + 2, pairs, index, pairs.length - index);
			return new Collision(pairs);
		}

		@Override
		@Nullable Node child(int hash, int shift) {
			return null;
		}

		@Override
		int end() {
			return this.slots.length;
		}

		@Override
		Object @Nullable [] single() {
			return (this.slots.length == 2) ? this.slots : null;
		}

	}

	/** A walk through the entries. */
	private static final class Cursor<K, V> implements Iterator<Map.Entry<K, V>> {

		private final Deque<Node> open = new ArrayDeque<>();

		private Object[] slots = new Object[0];

		private int end;

		private int next;

		Cursor(Node root) {
			this.open.push(root);
			advance();
		}

		private void advance() {
			while (this.next >= this.end && !this.open.isEmpty()) {
				Node node = this.open.pop();
				this.slots = node.slots;
				this.end = node.end();
				this.next = 0;
				for (int i = this.end; i < this.slots.length; i++) {
					this.open.push((Node) this.slots[i]);
				}
			}
		}

		@Override
		public boolean hasNext() {
			return this.next < this.end;
		}

		@Override
		@SuppressWarnings("unchecked")
		public Map.Entry<K, V> next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			Map.Entry<K, V> entry = Map.entry((K) this.slots[this.next], (V) this.slots[this.next + 1]);
			this.next += 2;
			advance();
			return entry;
		}

	}

}
