package dev.reflector.client.internal.write;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import dev.reflector.write.InvalidAppliedTypeException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The types that were applied so far. No two of them write the same object as the same
 * manager: each would have the fields of the other removed.
 */
final class AppliedTypes {

	private final String application;

	private final UnaryOperator<String> placeholders;

	private final JsonMapper mapper;

	private final Map<Class<?>, AppliedType<?>> types = new ConcurrentHashMap<>();

	private final Map<Target, Class<?>> targets = new ConcurrentHashMap<>();

	AppliedTypes(String application, UnaryOperator<String> placeholders, JsonMapper mapper) {
		this.application = application;
		this.placeholders = placeholders;
		this.mapper = mapper;
	}

	@SuppressWarnings("unchecked")
	<T> AppliedType<T> of(Class<T> type) {
		AppliedType<?> known = this.types.get(type);
		return (AppliedType<T>) ((known != null) ? known : this.types.computeIfAbsent(type, this::read));
	}

	private <T> AppliedType<T> read(Class<T> type) {
		AppliedType<T> applied = AppliedType.of(type, this.application, this.placeholders, this.mapper);
		requireOwn(applied, applied.manager());
		return applied;
	}

	/**
	 * The manager of a call.
	 * @param applied the type that is applied
	 * @param manager the named manager
	 * @return the manager
	 */
	String manager(AppliedType<?> applied, String manager) {
		AppliedShape.manager(applied.type(), manager);
		requireOwn(applied, manager);
		return manager;
	}

	private void requireOwn(AppliedType<?> applied, String manager) {
		Target target = new Target(applied.resource().group(), applied.resource().kind(), applied.isStatus(), manager);
		Class<?> other = this.targets.putIfAbsent(target, applied.type());
		if (other != null && other != applied.type()) {
			throw new InvalidAppliedTypeException(applied.type(),
					"cannot be applied: " + other.getName() + " is applied to the same kind by the same manager '"
							+ manager + "', and each would have the fields of the other removed",
					"Name another one with 'manager' of @AppliedResource, or apply one record with all fields.");
		}
	}

	/**
	 * What one manager writes.
	 */
	private record Target(String group, String kind, boolean status, String manager) {

	}

}
