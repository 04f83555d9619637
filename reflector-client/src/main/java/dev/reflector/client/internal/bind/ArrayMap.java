package dev.reflector.client.internal.bind;

import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A map of few entries in one array, in the order of insertion. It takes less memory than
 * a {@link LinkedHashMap}, because it has no table and no nodes. It behaves like a
 * {@code LinkedHashMap}, except that a lookup compares every key, and that an entry of
 * the entry set keeps its value when the map changes.
 *
 * @param <V> the type of the values
 */
@SuppressWarnings({ "unchecked", "NullAway" })
final class ArrayMap<V extends @Nullable Object> extends AbstractMap<String, V> implements Serializable {

	@Serial
	private static final long serialVersionUID = 1L;

	/** The largest number of entries. {@link #add} turns larger maps into hash maps. */
	static final int MOST = 16;

	private static final int LEAST = 8;

	/** The keys and values, alternating. */
	private transient @Nullable Object[] entries;

	private transient int size;

	/** Counts insertions and removals, to detect changes during iteration. */
	private transient int changes;

	/** Makes an empty map. Needed by libraries that create maps by reflection. */
	ArrayMap() {
		this(0);
	}

	/**
	 * Makes an empty map.
	 * @param capacity number of entries to make room for
	 */
	ArrayMap(int capacity) {
		this.entries = new Object[2 * capacity];
	}

	/**
	 * Adds an entry. If there are too many entries, returns a hash map.
	 * @param <V> the type of the values
	 * @param map the map, which must not be used afterwards
	 * @param key the key
	 * @param value the value
	 * @return the map with the entry; a hash map if it has more than {@link #MOST}
	 * entries
	 */
	static <V extends @Nullable Object> Map<String, V> add(Map<String, V> map, String key, V value) {
		map.put(key, value);
		return (map instanceof ArrayMap && map.size() > MOST) ? new LinkedHashMap<>(map) : map;
	}

	/** Releases unused capacity. */
	void trimToSize() {
		if (2 * this.size < this.entries.length) {
			this.entries = Arrays.copyOf(this.entries, 2 * this.size);
		}
	}

	/** Returns the index of a key in the array, or -1 if the key is missing. */
	private int find(@Nullable Object key) {
		for (int index = 0; index < 2 * this.size; index += 2) {
			if (Objects.equals(key, this.entries[index])) {
				return index;
			}
		}
		return -1;
	}

	@Override
	public int size() {
		return this.size;
	}

	@Override
	public boolean containsKey(@Nullable Object key) {
		return find(key) >= 0;
	}

	@Override
	public @Nullable V get(@Nullable Object key) {
		int index = find(key);
		return (index >= 0) ? (V) this.entries[index + 1] : null;
	}

	@Override
	public @Nullable V put(String key, V value) {
		int index = find(key);
		if (index >= 0) {
			return set(index, value);
		}
		int end = 2 * this.size;
		if (end == this.entries.length) {
			this.entries = Arrays.copyOf(this.entries, Math.max(LEAST, 2 * end));
		}
		this.entries[end] = key;
		this.entries[end + 1] = value;
		this.size++;
		this.changes++;
		return null;
	}

	private V set(int index, V value) {
		V previous = (V) this.entries[index + 1];
		this.entries[index + 1] = value;
		return previous;
	}

	@Override
	public @Nullable V remove(@Nullable Object key) {
		int index = find(key);
		if (index < 0) {
			return null;
		}
		V previous = (V) this.entries[index + 1];
		removeAt(index);
		return previous;
	}

	private void removeAt(int index) {
		int end = 2 * this.size;
		System.arraycopy(this.entries, index + 2, this.entries, index, end - index - 2);
		Arrays.fill(this.entries, end - 2, end, null);
		this.size--;
		this.changes++;
	}

	@Override
	public void clear() {
		Arrays.fill(this.entries, null);
		this.size = 0;
		this.changes++;
	}

	@Override
	public Set<Map.Entry<String, V>> entrySet() {
		return new AbstractSet<>() {

			@Override
			public int size() {
				return ArrayMap.this.size;
			}

			@Override
			public Iterator<Map.Entry<String, V>> iterator() {
				return new Cursor();
			}

			@Override
			public void clear() {
				ArrayMap.this.clear();
			}

		};
	}

	@Serial
	private Object writeReplace() {
		return new LinkedHashMap<>(this);
	}

	private final class Cursor implements Iterator<Map.Entry<String, V>> {

		private int next;

		private boolean removable;

		private int expected = ArrayMap.this.changes;

		@Override
		public boolean hasNext() {
			return this.next < 2 * ArrayMap.this.size;
		}

		@Override
		public Map.Entry<String, V> next() {
			checkUnchanged();
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			int index = this.next;
			this.next += 2;
			this.removable = true;
			return new Place((String) ArrayMap.this.entries[index], (V) ArrayMap.this.entries[index + 1]);
		}

		@Override
		public void remove() {
			if (!this.removable) {
				throw new IllegalStateException("next() comes before remove()");
			}
			checkUnchanged();
			this.removable = false;
			this.next -= 2;
			removeAt(this.next);
			this.expected = ArrayMap.this.changes;
		}

		private void checkUnchanged() {
			if (this.expected != ArrayMap.this.changes) {
				throw new ConcurrentModificationException();
			}
		}

	}

	/** An entry whose {@code setValue} also changes the value in the map. */
	private final class Place extends SimpleEntry<String, V> {

		@Serial
		private static final long serialVersionUID = 1L;

		Place(String key, V value) {
			super(key, value);
		}

		@Override
		public V setValue(V value) {
			int index = find(getKey());
			if (index >= 0) {
				set(index, value);
			}
			return super.setValue(value);
		}

		@Serial
		private Object writeReplace() {
			return new SimpleEntry<>(this);
		}

	}

}
