package dev.reflector.client.internal.write;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import dev.reflector.write.InvalidAppliedTypeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The types that were applied until now. No two of these types may write the same kind
 * with the same manager, because each would remove the fields of the other.
 */
final class AppliedTypes {

	/**
	 * The largest number of managers that are remembered. There is a limit, because each
	 * call may name another manager.
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

	/**
	 * Checks types before the first write.
	 * @param types the types
	 * @throws InvalidAppliedTypeException if one of the types cannot be applied, or if
	 * two types write the same kind with the same manager
	 */
	void check(List<Class<?>> types) {
		List<AppliedDeclaration> declarations = new ArrayList<>();
		types.forEach((type) -> declarations.add(of(type).declaration()));
		AppliedDeclaration.check(declarations);
	}

	@SuppressWarnings("unchecked")
	<T> AppliedType<T> of(Class<T> type) {
		AppliedType<?> known = this.types.get(type);
		return (AppliedType<T>) ((known != null) ? known : this.types.computeIfAbsent(type, this::read));
	}

	private <T> AppliedType<T> read(Class<T> type) {
		AppliedDeclaration declaration = AppliedDeclaration.of(type, this.application, this.placeholders);
		return new AppliedType<>(type, declaration, this.mapper);
	}

	/**
	 * Returns the manager for a call that applies a type.
	 * @param declaration the declaration of the type
	 * @param named the manager that the call names, or {@code null} for the manager of
	 * the type
	 * @return the manager
	 * @throws InvalidAppliedTypeException if the server would not accept the manager, or
	 * if another type of the same kind is applied with this manager
	 */
	String applying(AppliedDeclaration declaration, @Nullable String named) {
		String manager = creating(declaration, named);
		Class<?> other = this.targets.putIfAbsent(declaration.target(manager), declaration.type());
		if (other != null && other != declaration.type()) {
			throw declaration.sameAs(other, manager);
		}
		return manager;
	}

	/**
	 * Returns the manager for a call that creates an object. The call does not count as
	 * applying the type.
	 * @param declaration the declaration of the type
	 * @param named the manager that the call names, or {@code null} for the manager of
	 * the type
	 * @return the manager
	 * @throws InvalidAppliedTypeException if the server would not accept the manager
	 */
	String creating(AppliedDeclaration declaration, @Nullable String named) {
		return (named != null) ? AppliedShape.manager(declaration.type(), named) : declaration.manager();
	}

}
