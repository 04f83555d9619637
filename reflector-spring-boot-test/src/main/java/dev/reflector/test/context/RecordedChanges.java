package dev.reflector.test.context;

import java.util.List;

import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.context.ApplicationEvent;

/**
 * The changes of objects of one type that were recorded before the call of
 * {@link RecordedEvents#ofType}. Later changes are not added.
 *
 * @param <T> the type of the objects
 * @param all all changes, oldest first
 * @since 0.1.0
 */
public record RecordedChanges<T>(List<ResourceEvent<T>> all) {

	/**
	 * Keeps a copy of the list.
	 */
	public RecordedChanges {
		all = List.copyOf(all);
	}

	@SuppressWarnings("unchecked")
	static <T> RecordedChanges<T> of(Class<T> type, List<ApplicationEvent> events) {
		return new RecordedChanges<>(events.stream()
			.filter((event) -> event instanceof ResourceEvent<?> change
					&& change.getResolvableType().getGeneric(0).resolve() == type)
			.map((event) -> (ResourceEvent<T>) event)
			.toList());
	}

	/**
	 * Returns the additions of objects.
	 * @return the events, oldest first
	 */
	public List<ResourceAddedEvent<T>> added() {
		return this.all.stream()
			.filter(ResourceAddedEvent.class::isInstance)
			.map((event) -> (ResourceAddedEvent<T>) event)
			.toList();
	}

	/**
	 * Returns the updates of objects.
	 * @return the events, oldest first
	 */
	public List<ResourceUpdatedEvent<T>> updated() {
		return this.all.stream()
			.filter(ResourceUpdatedEvent.class::isInstance)
			.map((event) -> (ResourceUpdatedEvent<T>) event)
			.toList();
	}

	/**
	 * Returns the deletions of objects.
	 * @return the events, oldest first
	 */
	public List<ResourceDeletedEvent<T>> deleted() {
		return this.all.stream()
			.filter(ResourceDeletedEvent.class::isInstance)
			.map((event) -> (ResourceDeletedEvent<T>) event)
			.toList();
	}

}
