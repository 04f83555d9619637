package dev.reflector.client.internal.write;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map with a limited number of entries. If there are too many, it removes the least
 * recently used entry.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {

	private static final long serialVersionUID = 1L;

	private final int most;

	/**
	 * Creates an empty map.
	 * @param most the largest number of entries
	 */
	RecentlyUsed(int most) {
		super(16, 0.75f, true);
		this.most = most;
	}

	@Override
	protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
		return size() > this.most;
	}

}
