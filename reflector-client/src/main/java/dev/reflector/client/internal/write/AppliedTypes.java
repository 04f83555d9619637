package dev.reflector.client.internal.write;

import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import tools.jackson.databind.json.JsonMapper;

/**
 * The types that were applied so far. No two of them may write the same kind with the
 * same manager, because each would remove the fields of the other.
 */
final class AppliedTypes {

	/**
	 * The largest number of remembered managers, because each call may name another one.
	 */
	private static final int MOST = 1_000;

	private final String application;

	private final UnaryOperator<String> placeholders;

	private final JsonMapper mapper;

	private final Map<Class<?>, AppliedType<?>> types = new ConcurrentHashMap<>();

	private final Map<AppliedDeclaration.Target, Class<?>> targets = Collections
		.synchronizedMap(new RecentlyUsed<>(MOST));

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
		AppliedDeclaration declaration = AppliedDeclaration.of(type, this.application, this.placeholders);
		requireOwn(declaration, declaration.manager());
		return new AppliedType<>(type, declaration, this.mapper);
	}

	/**
	 * Returns the manager of a call.
	 * @param declaration the type that is applied
	 * @param manager the named manager
	 * @return the manager
	 */
	String manager(AppliedDeclaration declaration, String manager) {
		AppliedShape.manager(declaration.type(), manager);
		requireOwn(declaration, manager);
		return manager;
	}

	private void requireOwn(AppliedDeclaration declaration, String manager) {
		Class<?> other = this.targets.putIfAbsent(declaration.target(manager), declaration.type());
		if (other != null && other != declaration.type()) {
			throw declaration.sameAs(other, manager);
		}
	}

}
