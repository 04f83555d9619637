package dev.reflector.console;

import java.time.Duration;
import java.util.List;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.console.ObjectView.Difference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A reflector, and the data that the console records about it.
 *
 * @param <T> the type of the objects
 */
final class ObservedReflector<T> {

	private final Reflector<T> reflector;

	private final Journal journal;

	private final Masking masking;

	private final @Nullable Lister<T> lister;

	private final @Nullable ObjectTable<T> table;

	ObservedReflector(Reflector<T> reflector, Journal journal, Masking masking) {
		this.reflector = reflector;
		this.journal = journal;
		this.masking = masking;
		this.lister = (reflector instanceof SharedInformer<T> informer) ? informer.lister() : null;
		this.table = (this.lister != null) ? new ObjectTable<>(this.lister, journal) : null;
	}

	/**
	 * Begins to record the changes of objects.
	 * @return a registration that ends the recording, or {@code null} if this kind of
	 * reflector has no handlers
	 */
	@SuppressWarnings("unchecked")
	@Nullable HandlerRegistration follow() {
		return (this.reflector instanceof SharedInformer<T> informer)
				? ((SharedInformer<Object>) informer).addEventHandler(this.journal.changes(), Duration.ZERO) : null;
	}

	String name() {
		return this.reflector.name();
	}

	Journal journal() {
		return this.journal;
	}

	void sample() {
		this.journal.sample(this.reflector.status(), this.reflector.isStandby());
	}

	ObjectTable.Page objects(ObjectQuery query) {
		if (this.table == null) {
			return new ObjectTable.Page(0, 0, List.of(), query.offset(), List.of(), 0);
		}
		return this.table.page(query, (lister) -> Summary.revision(this.reflector.status().counts()));
	}

	/**
	 * Forgets the rows of the object table if they were last requested before the given
	 * time.
	 */
	void forgetObjects(long before) {
		if (this.table != null) {
			this.table.forget(before);
		}
	}

	/**
	 * Returns an object and its last change.
	 * @param key key of the object
	 * @param mapper converts objects of the application to JSON
	 * @return the object, or {@code null} if it is neither in the mirror nor among the
	 * objects that were deleted recently
	 */
	@Nullable ObjectView object(ResourceKey key, JsonMapper mapper) {
		Object object = (this.lister != null) ? this.lister.get(key) : null;
		RecentChanges.Recent recent = this.journal.changes().get(key);
		if (object == null && recent == null) {
			return null;
		}
		ObjectMask mask = new ObjectMask(name(), this.reflector.resourceType(), this.masking);
		if (recent == null) {
			return new ObjectView(mask.mask("", mapper.valueToTree(object)), null, List.of(), null, null);
		}
		JsonNode present = (object != null) ? mapper.valueToTree(object) : null;
		Object last = recent.previous();
		if (last == null && recent.type() == Change.Type.DELETED) {
			last = recent.object();
		}
		JsonNode previous = (last != null) ? mapper.valueToTree(last) : null;
		List<Difference> differences = (present != null && previous != null)
				? Differences.between(previous, present).stream().map(mask::mask).toList() : List.of();
		return new ObjectView(mask.mask("", present), mask.mask("", previous), differences, recent.at(),
				recent.type().name());
	}

}
