package dev.reflector.cache.internal.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
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
 * An immutable hash map (a compressed hash-array mapped prefix trie). A changed copy
 * shares all nodes with the original except those on the path to the change. One writer
 * publishes new versions. Any number of readers use their versions without locks.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentMap<K, V> {

	private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(new TrieNode.Branch(0, 0, new Object[0]), 0);

	private final TrieNode root;

	private final int size;

	PersistentMap(TrieNode root, int size) {
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

	TrieNode root() {
		return this.root;
	}

	@SuppressWarnings("unchecked")
	@Nullable public V get(K key) {
		return (V) this.root.get(key, TrieNode.spread(key), 0);
	}

	/**
	 * Returns a copy of this map in which a key has a value, or this instance if the key
	 * already has this value.
	 */
	public PersistentMap<K, V> with(K key, V value) {
		TrieNode.Edit edit = new TrieNode.Edit();
		TrieNode changed = this.root.with(key, value, TrieNode.spread(key), 0, edit);
		return (changed != this.root) ? new PersistentMap<>(changed, this.size + edit.added) : this;
	}

	/**
	 * Returns a copy of this map without a key, or this instance if it does not contain
	 * the key.
	 */
	public PersistentMap<K, V> without(K key) {
		TrieNode changed = this.root.without(key, TrieNode.spread(key), 0);
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

	/** Returns an iterator over the entries, which are not copied. */
	Iterator<Map.Entry<K, V>> iterator() {
		return new Cursor<>(this.root);
	}

	/** Returns a stream of the values, which are not copied. */
	Stream<V> stream() {
		int traits = Spliterator.IMMUTABLE | Spliterator.NONNULL;
		return StreamSupport.stream(Spliterators.spliterator(iterator(), this.size, traits), false)
			.map(Map.Entry::getValue);
	}

	/** Iterates over the entries of a trie. */
	private static final class Cursor<K, V> implements Iterator<Map.Entry<K, V>> {

		private final Deque<TrieNode> open = new ArrayDeque<>();

		private Object[] slots = new Object[0];

		private int end;

		private int next;

		Cursor(TrieNode root) {
			this.open.push(root);
			advance();
		}

		private void advance() {
			while (this.next >= this.end && !this.open.isEmpty()) {
				TrieNode node = this.open.pop();
				this.slots = node.slots;
				this.end = node.end();
				this.next = 0;
				for (int i = this.end; i < this.slots.length; i++) {
					this.open.push((TrieNode) this.slots[i]);
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
