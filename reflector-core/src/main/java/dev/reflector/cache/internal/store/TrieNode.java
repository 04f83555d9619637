package dev.reflector.cache.internal.store;

import java.util.Arrays;
import java.util.function.BiConsumer;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * A node of the trie of a {@link PersistentMap}. Nodes are immutable: a change copies the
 * nodes on the path from the root to the change.
 */
abstract sealed class TrieNode {

	/** The number of hash bits that each level uses. */
	static final int BITS = 5;

	/**
	 * The shift at which all bits of the first hash are used. Larger shifts use the
	 * second hash.
	 */
	static final int REHASH = 35;

	/** The shift at which all bits of both hashes are used. */
	static final int DEPTH = REHASH + 40;

	/** The entries as pairs of key and value, and then the child nodes. */
	final Object[] slots;

	TrieNode(Object[] slots) {
		this.slots = slots;
	}

	abstract @Nullable Object get(Object key, int hash, int shift);

	abstract TrieNode with(Object key, Object value, int hash, int shift, Edit edit);

	abstract TrieNode without(Object key, int hash, int shift);

	void forEach(BiConsumer<Object, Object> action) {
		int end = end();
		for (int i = 0; i < end; i += 2) {
			action.accept(this.slots[i], this.slots[i + 1]);
		}
		for (int i = this.slots.length - 1; i >= end; i--) {
			((TrieNode) this.slots[i]).forEach(action);
		}
	}

	/** Returns the child node for a hash, or {@code null} if there is none. */
	abstract @Nullable TrieNode child(int hash, int shift);

	/** Returns any key of this node or its children. */
	Object anyKey() {
		return (end() > 0) ? this.slots[0] : ((TrieNode) this.slots[0]).anyKey();
	}

	/** Returns the index in the slots at which the entries end. */
	abstract int end();

	/**
	 * Returns the key and the value of this node if it has exactly one entry and no child
	 * node, otherwise {@code null}.
	 */
	abstract Object @Nullable [] single();

	/**
	 * Returns the first hash of a key, with the upper bits spread to the lower ones. This
	 * is cheap, because strings store their hash codes. But the author of objects can
	 * choose names with the same hash.
	 */
	static int spread(Object key) {
		int hash = (key instanceof ResourceKey names) ? 31 * names.namespace().hashCode() + names.name().hashCode()
				: key.hashCode();
		return hash ^ (hash >>> 16);
	}

	/** Returns the second hash of a key, which the author of objects cannot choose. */
	static int rehash(Object key) {
		return (key instanceof String text) ? new ResourceKey("", text).hashCode() : key.hashCode();
	}

	/** Returns the first or the second hash of a key, depending on the shift. */
	static int hash(Object key, int shift) {
		return (shift > REHASH) ? rehash(key) : spread(key);
	}

	/** Records whether a change has added a key. */
	static final class Edit {

		int added;

	}

	/**
	 * A node with up to 32 places. Each place contains an entry, a child node, or
	 * nothing. The slots contain first the entries, as pairs, and then the child nodes in
	 * reverse order.
	 */
	static final class Branch extends TrieNode {

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
				return ((TrieNode) this.slots[nodeIndex(bit)]).get(key, hash, shift + BITS);
			}
			return null;
		}

		@Override
		TrieNode with(Object key, Object value, int hash, int shift, Edit edit) {
			int bit = bit(hash, shift);
			if ((this.entries & bit) != 0) {
				int index = entryIndex(bit);
				Object present = this.slots[index];
				if (present.equals(key)) {
					return (this.slots[index + 1] != value) ? withSlot(index + 1, value) : this;
				}
				edit.added = 1;
				TrieNode pair = pair(present, this.slots[index + 1], hash(present, shift), key, value, hash,
						shift + BITS);
				return withEntryTurnedIntoNode(bit, index, pair);
			}
			if ((this.nodes & bit) != 0) {
				int index = nodeIndex(bit);
				TrieNode node = (TrieNode) this.slots[index];
				TrieNode changed = node.with(key, value, hash, shift + BITS, edit);
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

		private Branch withEntryTurnedIntoNode(int bit, int index, TrieNode node) {
			int target = this.slots.length - 2 - Integer.bitCount(this.nodes & (bit - 1));
			Object[] slots = new Object[this.slots.length - 1];
			System.arraycopy(this.slots, 0, slots, 0, index);
			System.arraycopy(this.slots, index + 2, slots, index, target - index);
			slots[target] = node;
			System.arraycopy(this.slots, target + 2, slots, target + 1, this.slots.length - target - 2);
			return new Branch(this.entries ^ bit, this.nodes | bit, slots);
		}

		private static TrieNode pair(Object key1, Object value1, int hash1, Object key2, Object value2, int hash2,
				int shift) {
			if (shift == REHASH) {
				return new Rehashed(pair(key1, value1, rehash(key1), key2, value2, rehash(key2), shift + BITS));
			}
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
		TrieNode without(Object key, int hash, int shift) {
			int bit = bit(hash, shift);
			if ((this.entries & bit) != 0) {
				int index = entryIndex(bit);
				return this.slots[index].equals(key) ? withoutEntry(bit, index) : this;
			}
			if ((this.nodes & bit) != 0) {
				int index = nodeIndex(bit);
				TrieNode node = (TrieNode) this.slots[index];
				TrieNode changed = node.without(key, hash, shift + BITS);
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
		@Nullable TrieNode child(int hash, int shift) {
			int bit = bit(hash, shift);
			return ((this.nodes & bit) != 0) ? (TrieNode) this.slots[nodeIndex(bit)] : null;
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

	/**
	 * A node for entries whose keys have the same first hash. It contains a trie that
	 * uses the second hash of the keys.
	 */
	static final class Rehashed extends TrieNode {

		Rehashed(TrieNode trie) {
			super(new Object[] { trie });
		}

		private TrieNode trie() {
			return (TrieNode) this.slots[0];
		}

		@Override
		@Nullable Object get(Object key, int hash, int shift) {
			return trie().get(key, rehash(key), shift + BITS);
		}

		@Override
		TrieNode with(Object key, Object value, int hash, int shift, Edit edit) {
			return of(trie().with(key, value, rehash(key), shift + BITS, edit));
		}

		@Override
		TrieNode without(Object key, int hash, int shift) {
			return of(trie().without(key, rehash(key), shift + BITS));
		}

		private Rehashed of(TrieNode changed) {
			return (changed != trie()) ? new Rehashed(changed) : this;
		}

		@Override
		TrieNode child(int hash, int shift) {
			return trie();
		}

		@Override
		int end() {
			return 0;
		}

		@Override
		Object @Nullable [] single() {
			return trie().single();
		}

	}

	/** A node for entries whose keys have the same first and second hash. */
	static final class Collision extends TrieNode {

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
		TrieNode with(Object key, Object value, int hash, int shift, Edit edit) {
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
		TrieNode without(Object key, int hash, int shift) {
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
		@Nullable TrieNode child(int hash, int shift) {
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

}
