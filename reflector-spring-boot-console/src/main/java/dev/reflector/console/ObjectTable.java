package dev.reflector.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.MissingMetadataException;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a mirror in the order of their keys. If the mirror has changed, the next
 * request makes the table again. Rows of unchanged objects are reused in the order that
 * they already have, so only new rows are sorted. Thread-safe.
 *
 * @param <T> the type of the objects
 */
final class ObjectTable<T> {

	private static final ObjectRow[] NONE = {};

	private final Lister<T> lister;

	private final Journal journal;

	private final LabelReader labels = new LabelReader();

	private @Nullable Content content;

	private long askedAt = System.nanoTime();

	/**
	 * Reads metadata of objects. Used only if the application has made the reflector
	 * itself. It is made from the class of the first object, and is {@code null} before.
	 */
	private @Nullable ResourceAccessor<T> accessor;

	ObjectTable(Lister<T> lister, Journal journal) {
		this.lister = lister;
		this.journal = journal;
	}

	/**
	 * Returns a page of the table.
	 * @param query the requested page
	 * @param revision returns how often the mirror has changed
	 * @return the page
	 */
	Page page(ObjectQuery query, ToLongFunction<Lister<T>> revision) {
		Content content = content(revision);
		Map<ResourceKey, RecentChanges.Recent> recent = new HashMap<>();
		List<RecentChanges.Recent> changes = this.journal.changes().all();
		changes.forEach((change) -> recent.put(change.key(), change));
		ObjectRow[] rows = switch (query.sort()) {
			case KEY -> content.byKey;
			case NAME -> content.sorted(query.sort(), ObjectRow.BY_NAME);
			case VERSION -> content.sorted(query.sort(), ObjectRow.BY_VERSION);
			case AGE -> content.sorted(query.sort(), ObjectRow.BY_AGE);
			case CHANGED -> content.byChange(changes);
		};
		int matching = 0;
		List<Item> items = new ArrayList<>();
		for (int i = 0; i < rows.length; i++) {
			ObjectRow row = rows[query.descending() ? rows.length - 1 - i : i];
			if (query.matches(row)) {
				if (matching >= query.offset() && items.size() < query.limit()) {
					items.add(Item.of(row, recent.get(row.key())));
				}
				matching++;
			}
		}
		return new Page(rows.length, matching, content.namespaces, query.offset(), items, content.revision);
	}

	/**
	 * Forgets the objects if they have not been requested for some time.
	 * @param before a time of {@link System#nanoTime()}; the objects are kept if they
	 * were requested later
	 */
	synchronized void forget(long before) {
		if (this.askedAt - before <= 0) {
			this.content = null;
		}
	}

	private synchronized Content content(ToLongFunction<Lister<T>> revision) {
		// the revision is read before the objects, so that the objects are at least as
		// new as the revision
		long number = revision.applyAsLong(this.lister);
		this.askedAt = System.nanoTime();
		Content present = this.content;
		if (present == null || present.revision != number || present.byKey.length != this.lister.size()) {
			present = read(present, number);
			this.content = present;
		}
		return present;
	}

	private Content read(@Nullable Content before, long revision) {
		ObjectRow[] present = (before != null) ? before.byKey : NONE;
		Map<ResourceKey, Integer> positions = (before != null) ? before.positions : Map.of();
		@Nullable ObjectRow[] kept = new ObjectRow[present.length];
		List<ObjectRow> added = new ArrayList<>();
		try (Stream<T> objects = this.lister.stream()) {
			objects.forEach((object) -> {
				ResourceAccessor<T> accessor = accessor(object);
				if (accessor == null) {
					return;
				}
				ResourceKey key = accessor.key(object);
				Integer position = positions.get(key);
				if (position == null) {
					added.add(ObjectRow.of(key, object, accessor, this.labels, this.journal));
				}
				else {
					ObjectRow row = present[position];
					kept[position] = (row.object() == object) ? row
							: ObjectRow.of(row.key(), object, accessor, this.labels, this.journal);
				}
			});
		}
		added.sort(ObjectRow.BY_KEY);
		return new Content(merge(kept, added), revision, positions);
	}

	private static ObjectRow[] merge(@Nullable ObjectRow[] kept, List<ObjectRow> added) {
		List<ObjectRow> all = new ArrayList<>(kept.length + added.size());
		int next = 0;
		for (ObjectRow row : kept) {
			if (row != null) {
				while (next < added.size() && ObjectRow.BY_KEY.compare(added.get(next), row) < 0) {
					all.add(added.get(next++));
				}
				all.add(row);
			}
		}
		all.addAll(added.subList(next, added.size()));
		return all.toArray(NONE);
	}

	@SuppressWarnings("unchecked")
	private @Nullable ResourceAccessor<T> accessor(T object) {
		ResourceAccessor<?> known = this.journal.accessor();
		if (known != null) {
			return (ResourceAccessor<T>) known;
		}
		if (this.accessor == null) {
			try {
				this.accessor = (ResourceAccessor<T>) MetadataAccessor.forType(object.getClass());
			}
			catch (MissingMetadataException ex) {
				return null;
			}
		}
		return this.accessor;
	}

	/**
	 * The objects of one version of the mirror.
	 */
	private static final class Content {

		private final ObjectRow[] byKey;

		private final long revision;

		private final Map<ResourceKey, Integer> positions;

		private final List<NamespaceCount> namespaces;

		private final Map<ObjectQuery.Sort, ObjectRow[]> sorted = new EnumMap<>(ObjectQuery.Sort.class);

		Content(ObjectRow[] byKey, long revision, Map<ResourceKey, Integer> before) {
			this.byKey = byKey;
			this.revision = revision;
			this.positions = positions(byKey, before);
			Map<String, Integer> counts = new TreeMap<>();
			for (ObjectRow row : byKey) {
				counts.merge(row.shown().namespace(), 1, Integer::sum);
			}
			this.namespaces = counts.entrySet()
				.stream()
				.map((entry) -> new NamespaceCount(entry.getKey(), entry.getValue()))
				.toList();
		}

		/**
		 * Returns the position of each key in the table. Returns the given positions if
		 * no key was added or removed.
		 */
		private static Map<ResourceKey, Integer> positions(ObjectRow[] rows, Map<ResourceKey, Integer> before) {
			if (before.size() == rows.length) {
				boolean same = true;
				for (int i = 0; i < rows.length && same; i++) {
					Integer position = before.get(rows[i].key());
					same = position != null && position == i;
				}
				if (same) {
					return before;
				}
			}
			Map<ResourceKey, Integer> positions = new HashMap<>(rows.length * 4 / 3 + 1);
			for (int i = 0; i < rows.length; i++) {
				positions.put(rows[i].key(), i);
			}
			return positions;
		}

		synchronized ObjectRow[] sorted(ObjectQuery.Sort sort, Comparator<ObjectRow> order) {
			return this.sorted.computeIfAbsent(sort, (by) -> {
				ObjectRow[] sorted = this.byKey.clone();
				Arrays.sort(sorted, order);
				return sorted;
			});
		}

		/**
		 * Returns the rows in the order of their last change. Objects without a known
		 * change come first, in reverse order of their keys.
		 */
		ObjectRow[] byChange(List<RecentChanges.Recent> changes) {
			Set<ResourceKey> changed = new HashSet<>();
			List<ObjectRow> last = new ArrayList<>();
			for (RecentChanges.Recent change : changes) {
				Integer position = this.positions.get(change.key());
				if (position != null && changed.add(change.key())) {
					last.add(this.byKey[position]);
				}
			}
			List<ObjectRow> all = new ArrayList<>(this.byKey.length);
			for (ObjectRow row : this.byKey) {
				if (!changed.contains(row.key())) {
					all.add(row);
				}
			}
			// these objects are reversed here, so that in descending order they come last
			// and are sorted by key
			Collections.reverse(all);
			all.addAll(last);
			return all.toArray(NONE);
		}

	}

	/**
	 * A page of the table, as it is sent to the browser.
	 *
	 * @param total how many objects there are
	 * @param matching how many objects match the filters
	 * @param namespaces the namespaces with their numbers of objects
	 * @param offset how many objects were skipped at the beginning
	 * @param items the objects
	 * @param revision how often the mirror had changed when the page was made
	 */
	record Page(int total, int matching, List<NamespaceCount> namespaces, int offset, List<Item> items, long revision) {

	}

	/**
	 * A namespace and how many objects it has.
	 */
	record NamespaceCount(String name, int count) {

	}

	/**
	 * A row of the table.
	 */
	record Item(String namespace, String name, String resourceVersion, @Nullable Long createdAt,
			Map<String, String> labels, @Nullable Long changedAt, @Nullable String change) {

		private static Item of(ObjectRow row, RecentChanges.@Nullable Recent recent) {
			return new Item(row.shown().namespace(), row.shown().name(), row.resourceVersion(), row.createdAt(),
					row.labels(), (recent != null) ? recent.at() : null,
					(recent != null) ? recent.type().name() : null);
		}

	}

}
