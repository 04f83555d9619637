package dev.reflector.cache.internal.store;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Finds the differences between two versions of a map. Nodes that both versions share are
 * skipped, so the cost depends on the number of changes, not on the size of the map.
 * Values are compared by identity.
 */
public final class PersistentMapDifferences {

	private PersistentMapDifferences() {
	}

	/**
	 * Visits the entries that are new in the newer version, or have another value there.
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 * @param before the older version
	 * @param after the newer version
	 * @param action receives each key with its value in the newer version
	 */
	@SuppressWarnings("unchecked")
	public static <K, V> void forEachSet(PersistentMap<K, V> before, PersistentMap<K, V> after,
			BiConsumer<? super K, ? super V> action) {
		walk(after.root(), before.root(), 0, (key, value, there) -> action.accept((K) key, (V) value));
	}

	/**
	 * Visits the entries that the newer version no longer contains.
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 * @param before the older version
	 * @param after the newer version
	 * @param action receives each key with its value in the older version
	 */
	@SuppressWarnings("unchecked")
	public static <K, V> void forEachRemoved(PersistentMap<K, V> before, PersistentMap<K, V> after,
			BiConsumer<? super K, ? super V> action) {
		walk(before.root(), after.root(), 0, (key, value, there) -> {
			if (there == null) {
				action.accept((K) key, (V) value);
			}
		});
	}

	/**
	 * Visits the entries of a node that are missing or different in another node at the
	 * same place.
	 */
	private static void walk(TrieNode node, TrieNode other, int shift, Visitor visitor) {
		if (node == other) {
			return;
		}
		int end = node.end();
		for (int i = 0; i < end; i += 2) {
			visit(node.slots[i], node.slots[i + 1], other, shift, visitor);
		}
		for (int i = end; i < node.slots.length; i++) {
			TrieNode child = (TrieNode) node.slots[i];
			TrieNode otherChild = other.child(TrieNode.hash(child.anyKey(), shift), shift);
			if (otherChild != null) {
				walk(child, otherChild, shift + TrieNode.BITS, visitor);
			}
			else {
				child.forEach((key, value) -> visit(key, value, other, shift, visitor));
			}
		}
	}

	private static void visit(Object key, Object value, TrieNode other, int shift, Visitor visitor) {
		Object there = other.get(key, TrieNode.hash(key, shift), shift);
		if (there != value) {
			visitor.visit(key, value, there);
		}
	}

	/**
	 * Receives an entry of one version, and the value of the same key in the other
	 * version of the map.
	 */
	private interface Visitor {

		void visit(Object key, Object value, @Nullable Object there);

	}

}
